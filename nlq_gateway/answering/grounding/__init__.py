"""Gives the names in a program the IRIs that the graph has.

grounder.py    binds names by look-up, the choices of the program's author, and a reader's pins
compared.py    values that a program compares, in the words, types and units of the graph
resolver.py    QUACK: turns a model's program into one over the graph's names, a step at a time
walk.py        the pass over the steps
names.py       names of the graph for a name that it lacks
selection.py   chooses one of them: a clear winner, else the model, else the nearest
other_names.py what else a program may name
kinds.py       attributes that the graph has as relations, and the other way round
nodes.py       attributes whose values stand in nodes of their own
members.py     the facts of a set's members, by which relations lead on from it
values.py      quantities and texts as the graph states them
quantities.py  units by the graph's names, and numbers in its scale
items.py       the items of a program's names, as far as they are resolved
"""

from __future__ import annotations

from nlq_gateway.answering.grounding.grounder import Grounder, Grounding, Pin
from nlq_gateway.answering.grounding.resolver import Resolver, types_in

__all__ = ["Grounder", "Grounding", "Pin", "Resolver", "types_in"]
