"""Two questions about one named thing: "Who directed Alien and who acted in it?" asks for both.

A pronoun in the second clause stands for the name in the first; what each clause asks is a column. Where
the first clause's answer may have what the second asks for, the pronoun may mean that: the population in
"What is the capital of Peru and what is its population?" is left to other rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from compilers.kopl.functions import Kind
from compilers.kopl.program import Step
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.drafts.reasoning.field import Field, once_a_question
from nlq_gateway.drafts.reasoning.sketch import Argument, Sketch
from nlq_gateway.language import lexicon
from nlq_gateway.question.reading.voice import leads_on

_ASKS = lexicon.ASKING | lexicon.CHOICE_WORDS
# Programs of each clause that are combined with those of the other.
_TRIED = 3


@dataclass(frozen=True, slots=True)
class Clauses:
    """The words of both clauses, the name in the first left out.

    `acts` says whether the named thing is the subject of the second: "what does it feed".
    """

    first: frozenset[int]
    second: frozenset[int]
    acts: bool


def both(field: Field, finished: Sequence[Sketch]) -> Iterator[Sketch]:
    """Yield tables of two columns, one for each clause of the question; none for other questions."""
    clauses = clauses_of(field)
    if clauses is None:
        return
    branches = [sketch for sketch in finished if _is_branch(sketch)]
    fitting = [sketch for sketch in branches if not clauses.acts or _leads_on(field, sketch)]
    seconds = _best(field, fitting, clauses.second, clauses.first)
    for one in _best(field, branches, clauses.first, clauses.second):
        for other in seconds:
            same = (one.steps[0], one.arguments[:1]) == (other.steps[0], other.arguments[:1])
            if same and not _may_lead_on(field, one, other):
                yield _side_by_side(one, other)


@once_a_question
def clauses_of(field: Field) -> Clauses | None:
    """Return the two clauses of a question; None if it has only one.

    The second begins with "and" and a question word, and has a pronoun in place of a name.
    """
    lowers, named = field.reading.lowers, field.reading.named
    for at in range(2, len(lowers)):
        if lowers[at - 1] != "and" or lowers[at] not in _ASKS:
            continue
        first, second = frozenset(range(at - 1)), frozenset(range(at, len(lowers)))
        asked = any(lowers[token] in _ASKS for token in first)
        spoken_of = any(lowers[token] in lexicon.PRONOUNS for token in second)
        if asked and spoken_of and named & first and not named & second:
            acts = any(a in lexicon.AUXILIARIES and b in lexicon.PRONOUNS for a, b in pairwise(lowers[at:]))
            return Clauses(first - named, second, acts)
    return None


def _is_branch(sketch: Sketch) -> bool:
    """True if one step leads on from one named thing, to things or to values."""
    functions = [step.function for step in sketch.steps]
    return functions in (["Find", "Relate", "What"], ["Find", "QueryAttr"])


def _leads_on(field: Field, sketch: Sketch) -> bool:
    """True if a relation leads from the named thing as it does from what acts in the question."""
    item = _item(field, sketch)
    forward = leads_on(field.reading, item) if item and item.kind == Kind.RELATION else None
    return forward is None or forward == _is_forward(sketch)


def _may_lead_on(field: Field, one: Sketch, other: Sketch) -> bool:
    """True if what the one finds may have what the other asks for: a pronoun may stand for it."""
    first, second = _item(field, one), _item(field, other)
    if first is None or second is None or first.kind != Kind.RELATION:
        return False
    found = first.ranges if _is_forward(one) else first.domains
    having = second.domains if _is_forward(other) else second.ranges
    return not {iri for iri, _ in found}.isdisjoint(iri for iri, _ in having)


def _item(field: Field, sketch: Sketch) -> SchemaItem | None:
    """The relation or attribute of a branch."""
    iris = next((found.iris for found in sketch.arguments if (found.step, found.argument) == (1, 0)), ())
    kind = Kind.RELATION if sketch.steps[1].function == "Relate" else Kind.ATTRIBUTE
    return field.vocabulary.index.item(kind, iris[0]) if iris else None


def _is_forward(sketch: Sketch) -> bool:
    return sketch.steps[1].inputs[1:] != ("backward",)


def _best(
    field: Field, branches: Sequence[Sketch], own: frozenset[int], others: frozenset[int]
) -> list[Sketch]:
    """The programs that say most of one clause, none of which says more of the other."""
    weights = field.reading.weights

    def said(sketch: Sketch, words: frozenset[int]) -> float:
        return sum(weights[token] * sketch.explained.get(token, 0.0) for token in words)

    suited = [sketch for sketch in branches if said(sketch, own) > said(sketch, others)]
    return sorted(suited, key=lambda sketch: sketch.cost - said(sketch, own))[:_TRIED]


def _side_by_side(one: Sketch, other: Sketch) -> Sketch:
    """Both steps on the same thing, and a table of where they lead."""
    first, second = one.steps[1], other.steps[1]
    moved = [
        Argument(2, found.argument, found.iris, found.mention) for found in other.arguments if found.step == 1
    ]
    return one._replace(
        steps=(*one.steps[:2], second, Step("Table", (), (1, 2))),
        functions=frozenset({"Find", first.function, second.function, "Table"}),
        arguments=(*(found for found in one.arguments if found.step < 2), *moved),
        explained=one.explaining(other.explained),
        used=one.used | other.used,
        stated=one.stated | other.stated,
        cost=max(one.cost, other.cost),
        item=None,
        direction="",
        reach=None,
    )
