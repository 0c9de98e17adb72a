"""The names of a table's columns, as tables and sentences have them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence

from compilers.compile import CompiledQuery
from compilers.grounded import GroundedProgram
from compilers.kopl.functions import RELATING
from compilers.naming import variable_name
from nlq_gateway.language.detection import ENGLISH
from nlq_gateway.language.wording.english import PREPOSITIONS
from nlq_gateway.language.wording.relations import readings_of

_COUNT = " count"
# "Place of birth" is a noun, "case heard before court" none.
_IN_NOUNS = frozenset({"of"})


def headings_of(
    named: Sequence[str], query: CompiledQuery, grounded: GroundedProgram, languages: Sequence[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of columns, given by their variables: as tables have them, and as sentences do."""
    labels = {variable_name(one.label): one.label for one in grounded.bindings.values() if one.label}
    words = _words_of_columns(named, query, frozenset(labels.values()))
    columns = tuple(map(_written, words, named))
    if languages[:1] == (ENGLISH,):
        return columns, _spoken(words, grounded)
    # A variable has ASCII letters, the first in lower case: "Fläche" is told as it is labelled.
    columns = tuple(labels.get(column, column) for column in columns)
    return columns, columns


def _words_of_columns(named: Sequence[str], query: CompiledQuery, labels: Container[str]) -> tuple[str, ...]:
    """The words that the columns' variables are named after; the variables where two would be alike."""
    alone = {column.name: column.heading or column.name for column in query.columns}
    told = {name: _without_number(alone[name], labels) for name in named}
    shared = Counter(map(variable_name, told.values()))
    return tuple(told[name] if shared[variable_name(told[name])] == 1 else name for name in named)


def _written(words: str, variable: str) -> str:
    """A heading as tables have it: in one word, without numbers that tell variables apart."""
    return variable if words == variable else variable_name(words)


def _spoken(words: Sequence[str], grounded: GroundedProgram) -> tuple[str, ...]:
    """The headings as English sentences have them: things by their class where a relation is no noun."""
    steps, nouns = grounded.program.steps, {}
    for (at, argument), bound in grounded.bindings.items():
        step = steps[at]
        if step.function in RELATING and argument == 0 and step.inputs[1] == "forward" and bound.object:
            label = bound.label or step.inputs[0]
            nouns[label] = label if _is_noun(label) else bound.object
    return tuple(_with_noun(one, nouns) for one in words)


def _with_noun(words: str, nouns: Mapping[str, str]) -> str:
    counted = words.removesuffix(_COUNT)
    return nouns.get(counted, counted) + words[len(counted) :]


def _is_noun(label: str) -> bool:
    """True if a relation's name is a noun phrase for what it leads to."""
    is_clause = not (PREPOSITIONS - _IN_NOUNS).isdisjoint(label.lower().split())
    return not is_clause and bool(readings_of(label)[0].noun)


def _without_number(words: str, labels: Container[str]) -> str:
    """The attribute's name of a column whose variable is the number that the text of a value states."""
    attribute = words.removesuffix(" number")
    return attribute if attribute in labels and words not in labels else words
