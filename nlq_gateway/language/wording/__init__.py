"""English questions for programs, by a grammar over the names of an index."""

from nlq_gateway.language.wording.wording import Wording

__all__ = ["Wording"]
