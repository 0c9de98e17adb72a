"""A grammar of the programs that a model may write: well-typed ones, over names that exist.

expressions.py  grammars as data
gbnf.py         grammars as GBNF text
writing.py      the lines and arguments of a notation
values.py       values, by their types
vocabulary.py   names, by their kinds and by the types of their values
calls.py        calls of functions
branches.py     branches that give a set, values or a number
forks.py        programs in which a set feeds several steps
programs.py     whole programs
schema.py       the same as a JSON Schema, as far as that can state it
"""

from __future__ import annotations

from typing import Literal

from nlq_gateway.drafts.generation.grammar.branches import Branches
from nlq_gateway.drafts.generation.grammar.calls import Calls
from nlq_gateway.drafts.generation.grammar.expressions import Grammar, Rules
from nlq_gateway.drafts.generation.grammar.gbnf import to_gbnf
from nlq_gateway.drafts.generation.grammar.programs import Programs
from nlq_gateway.drafts.generation.grammar.schema import program_schema
from nlq_gateway.drafts.generation.grammar.vocabulary import vocabulary_of
from nlq_gateway.drafts.generation.grammar.writing import WRITINGS
from nlq_gateway.drafts.generation.known import AllowedNames

__all__ = ["grammar_of", "program_grammar", "program_schema"]


def program_grammar(
    names: AllowedNames,
    notation: Literal["steps", "code"],
    *,
    free_names: bool = False,
) -> str:
    """The grammar of the programs over these names in a notation, as GBNF text with the start rule `root`.

    With `free_names` names are any text of up to 60 characters, while types hold. Every text of it ends,
    and reads as a program that the checker finds no error in, once its steps are numbered in their order.
    """
    return to_gbnf(grammar_of(names, notation, free_names=free_names))


def grammar_of(
    names: AllowedNames,
    notation: Literal["steps", "code"],
    *,
    free_names: bool = False,
) -> Grammar:
    """Return `program_grammar` as data."""
    rules, writing = Rules(), WRITINGS[notation]
    vocabulary = vocabulary_of(names, writing, rules, free_names=free_names)
    calls = Calls(rules, writing, vocabulary)
    return rules.grammar(Programs(Branches(calls)).all())
