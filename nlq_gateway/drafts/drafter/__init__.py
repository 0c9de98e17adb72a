"""The drafter: a small encoder and decoder that writes programs, in numpy."""

from nlq_gateway.drafts.drafter.model import Drafter

__all__ = ["Drafter"]
