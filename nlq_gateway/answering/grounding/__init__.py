"""Gives the names in a program the IRIs that the graph has.

grounder.py    binds names by look-up, the choices of whoever wrote the program, and a reader's pins
resolver.py    QUACK: makes a program that a model wrote one over the graph's own names, a step at a time
walk.py        the pass over the steps
names.py       which names the graph has for a name that it does not have
choosing.py    chooses one of them: a clear winner, else the model, else the nearest
kinds.py       attributes that the graph has as relations, and the other way round
members.py     what the members of a set have, by which relations lead on from it
values.py      quantities and texts as the graph states them
quantities.py  units by the graph's names, and numbers in its scale
items.py       what names stand for, as far as that is resolved
types.py       what an index knows of value types, for the repair of programs
"""

from __future__ import annotations

from nlq_gateway.answering.grounding.grounder import ALTERNATIVES, Grounder, Grounding, Pin, Place
from nlq_gateway.answering.grounding.members import FactsAhead
from nlq_gateway.answering.grounding.resolver import Resolved, Resolver
from nlq_gateway.answering.grounding.types import types_in

__all__ = [
    "ALTERNATIVES",
    "FactsAhead",
    "Grounder",
    "Grounding",
    "Pin",
    "Place",
    "Resolved",
    "Resolver",
    "types_in",
]
