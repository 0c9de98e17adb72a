"""The drafter: a small encoder and decoder that writes programs, in numpy."""

from nlq_gateway.drafts.drafter.model import NAME, Drafter

__all__ = ["NAME", "Drafter"]
