"""The drafter: a small encoder and decoder that writes programs, in numpy."""

from nlq_gateway.drafting.drafter import NAME, Drafter

__all__ = ["NAME", "Drafter"]
