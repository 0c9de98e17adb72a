"""What is looked at in a candidate, each a number, with what it means: docs/ranking.md has this table, too.

Words weigh as in the reasoner: one that is written as a name or a number 1.5, others that say something 1.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from compilers.kopl.functions import COMPARISONS, EQUALITIES, SCHEMA_KINDS, Kind, Type, ValueType
from compilers.kopl.program import Step
from nlq_gateway.index import Index
from nlq_gateway.index.text import fold, stem_word
from nlq_gateway.ranking.asked import Asked, Operator, Wanted
from nlq_gateway.ranking.candidates import Candidate
from nlq_gateway.types import Draft, Hit, Links
from nlq_gateway.words import STOP_WORDS, Token, tokens_of

FEATURES: dict[str, str] = {
    "score": "the source's own score; of a source that has none in words of the question, the words covered",
    "worth": "what demonstrations say of the program",
    "agreed": "sources that propose it, besides the first",
    "from demonstration": "an adapted demonstration",
    "from drafter": "written by the drafter",
    "likelihood": "mean log-probability of the program's decisions under the drafter, 0 where unknown",
    "log-probability": "log-probability of the whole program under the drafter, 0 where unknown",
    "probability": "probability of the whole program under the drafter, 0 where unknown",
    "likelihood unknown": "the drafter says nothing of it",
    "explained": "share of the question that its source says it explains",
    "cost": "what its source says against it, in words",
    "covered": "share of the question's words that are names, values or schema words of the program",
    "missed name": "weight of words written as names or numbers that no argument stands for",
    "unsaid": "number of schema items of which the question has no word",
    "half said": "words of its schema items' names that the question does not have, each name counting as 1",
    "echoed": "schema items whose words in the question are all words of others",
    "far value": "words between a condition's value and the name of what has it, over 5",
    "asked late": "share of its names and values that stand before what is asked",
    "steps": "number of steps",
    "relations": "number of relations followed",
    "filters": "number of conditions on values",
    "number asked, none given": "how many, and the answer is neither a number nor a quantity",
    "number asked, quantity given": "how many, and the answer is an attribute with quantities",
    "number given, none asked": "the answer is a count, and nothing says how many",
    "counted, none asked": "something is counted, and nothing says how many, most or least",
    "verdict asked, none given": "a question for yes or no, and the answer is neither",
    "verdict given, none asked": "yes or no for another question",
    "time asked, none given": "when, and the answer has no dates",
    "time given, none asked": "the answer is dates, and nothing asks when",
    "person asked, value given": "who, and the answer is a value or a number",
    "rows given": "the answer is a table",
    "relation given": "the answer is a relation between two things",
    **{
        name: meaning
        for operator in Operator
        for name, meaning in (
            (f"{operator} missed", f"words for {operator}, and no step for it"),
            (f"{operator} unasked", f"a step for {operator}, and no words for it"),
        )
    },
    "likeness": "tenths by which the question is liker to the program's wording than to the least like one's",
    "weak name": "1 less the score of the weakest hit among its names",
    "passed over": "how much better the best hits for its words are than those taken",
    "vague names": "names found by likeness, not by their letters",
}

_FAR = 5
_VAGUE = frozenset(["fuzzy", "vector", "partial", "prefix", "text"])
_TOTAL = frozenset("Average Sum Minimum Maximum".split())
_NUMBERS = frozenset([*_TOTAL, "Count", "CountValues"])
_ORDERS = frozenset(COMPARISONS) - frozenset(EQUALITIES)
_TIMES = frozenset([ValueType.YEAR, ValueType.DATE])


_STATED: dict[str, tuple[Operator, ...]] = {
    "SelectAmong": (Operator.EXTREME,),
    "SelectTop": (Operator.EXTREME,),
    "SelectTopBy": (Operator.EXTREME,),
    "SelectNth": (Operator.EXTREME,),
    "SelectPlaces": (Operator.EXTREME,),
    "SelectShare": (Operator.EXTREME,),
    "SelectBetween": (Operator.EXTREME, Operator.COMPARISON),
    "SortTable": (Operator.EXTREME,),
    "LimitTable": (Operator.EXTREME,),
    "SkipTable": (Operator.EXTREME,),
    "Minimum": (Operator.EXTREME, Operator.TOTAL),
    "Maximum": (Operator.EXTREME, Operator.TOTAL),
    "Average": (Operator.TOTAL,),
    "Sum": (Operator.TOTAL,),
    "FilterCompare": (Operator.COMPARISON,),
    "FilterCount": (Operator.COMPARISON,),
    "FilterAggregate": (Operator.COMPARISON, Operator.TOTAL),
    "FilterTable": (Operator.COMPARISON,),
    "Except": (Operator.DENIAL,),
    "ExceptTable": (Operator.DENIAL,),
    "Or": (Operator.CHOICE,),
    "OrTable": (Operator.CHOICE,),
}


@dataclass(frozen=True)
class Seen:
    """A linked question, read once for all its candidates."""

    links: Links
    index: Index

    @cached_property
    def asked(self) -> Asked:
        """What it asks for."""
        return Asked.of(self.links.question.text)

    @cached_property
    def words(self) -> tuple[tuple[Token, float, str], ...]:
        """The words that say something, with their weights and stems."""
        tokens = tokens_of(self.links.question.text)
        return tuple(
            (token, _weight(token, at), stem_word(fold(token.text)))
            for at, token in enumerate(tokens)
            if token.lower not in STOP_WORDS
        )

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of the words that say something."""
        return frozenset(stem for _, _, stem in self.words)

    def positions(self, stems: frozenset[str]) -> list[int]:
        """Where these stems stand, counted in words of all kinds."""
        return [at for at, stem in enumerate(self._all) if stem in stems]

    @cached_property
    def _all(self) -> tuple[str, ...]:
        return tuple(stem_word(fold(token.text)) for token in tokens_of(self.links.question.text))

    @cached_property
    def total(self) -> float:
        """The weight of all words."""
        return sum(weight for _, weight, _ in self.words)

    @cached_property
    def hits(self) -> Mapping[str, tuple[Hit, ...]]:
        """What linking found for words of the question."""
        return {one.text: one.hits for one in (*self.links.others, *self.links.mentions)}


def _weight(token: Token, position: int) -> float:
    return 1.5 if (token.capitalised and position) or token.text[:1].isdigit() else 1.0


@dataclass(frozen=True, slots=True)
class _Item:
    """A name of the schema in a program.

    `stems` are those of its label and aliases, `said` those that the question has, `missing` is the share of
    words that it lacks of the name it has most of.
    """

    place: tuple[int, int]
    stems: frozenset[str]
    said: frozenset[str]
    missing: float
    value_types: tuple[ValueType, ...]


Feature = tuple[str, float]


def features_of(seen: Seen, candidate: Candidate) -> dict[str, float]:
    """The features of one candidate that are not 0, by their names in FEATURES."""
    draft = candidate.draft
    items = tuple(_items(seen, draft))
    found = (
        *_from_sources(seen, candidate, items),
        *_size(draft),
        *_answer(seen.asked.wanted, Operator.EXTREME in seen.asked.operators, draft, items),
        *_operators(seen.asked.operators, draft),
        *_names(seen, draft),
        *_places(seen, draft, items),
    )
    return {name: float(value) for name, value in found if value}


def _items(seen: Seen, draft: Draft) -> Iterator[_Item]:
    for number, step in enumerate(draft.program.steps):
        for argument, parameter in enumerate(step.signature.parameters):
            if parameter.kind in SCHEMA_KINDS:
                iris = draft.choices.get((number, argument))
                item = seen.index.item(parameter.kind, iris[0]) if iris else None
                names = [_stems([name]) for name in (step.inputs[argument], *(item.aliases if item else ()))]
                stems = frozenset[str]().union(*names)
                missing = min((len(name - seen.stems) / len(name) for name in names if name), default=0.0)
                types = item.value_types if item else ()
                yield _Item((number, argument), stems, stems & seen.stems, missing, types)


def _stems(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(stem_word(word) for text in texts for word in fold(text).split())


def _from_sources(seen: Seen, candidate: Candidate, items: tuple[_Item, ...]) -> Iterator[Feature]:
    parts, draft = candidate.draft.parts, candidate.draft
    known = _stems((*draft.mentions.values(), *_texts(draft))).union(*(item.stems for item in items))
    covered = sum(weight for _, weight, stem in seen.words if stem in known)
    said = [item for item in items if item.said]
    yield "score", draft.score if "explained" in parts else covered
    yield "worth", candidate.worth
    yield "agreed", len(candidate.sources) - 1
    yield "from demonstration", draft.source == "demonstration"
    yield "from drafter", draft.source == "drafter"
    yield "likelihood", parts.get("likelihood", 0.0)
    yield "log-probability", parts.get("log_probability", 0.0)
    yield "probability", math.exp(parts.get("log_probability", -math.inf))
    yield "likelihood unknown", "likelihood" not in parts
    yield "explained", parts.get("explained", 0.0)
    yield "cost", parts.get("cost", 0.0)
    yield "covered", covered / seen.total if seen.total else 1.0
    yield "missed name", sum(weight for _, weight, stem in seen.words if weight > 1 and stem not in known)
    yield "unsaid", len(items) - len(said)
    yield "half said", sum(item.missing for item in items)
    yield "echoed", sum(item.said <= _said_by_others(item, said) for item in said)


def _said_by_others(item: _Item, items: Iterable[_Item]) -> frozenset[str]:
    others = (other.said for other in items if other.place != item.place and other.said != item.said)
    return frozenset[str]().union(*others)


def _texts(draft: Draft) -> Iterator[str]:
    """Names and values, as the program has them."""
    for step in draft.program.steps:
        yield from _texts_of(step)


def _texts_of(step: Step) -> Iterator[str]:
    for text, parameter in zip(step.inputs, step.signature.parameters, strict=False):
        if parameter.kind in (Kind.ENTITY, Kind.VALUE, Kind.NUMBER):
            yield text


def _size(draft: Draft) -> Iterator[Feature]:
    functions = [step.function for step in draft.program.steps]
    yield "steps", len(functions)
    yield "relations", functions.count("Relate")
    yield "filters", sum("Filter" in one and one != "FilterConcept" for one in functions)


def _answer(wanted: Wanted, extreme: bool, draft: Draft, items: tuple[_Item, ...]) -> Iterator[Feature]:
    last = draft.program.steps[-1]
    output = last.signature.output
    types = items[-1].value_types[:1] if output == Type.VALUES and items else ()
    number = output == Type.NUMBER or any(s.function in _NUMBERS for s in draft.program.steps)
    quantity, time = ValueType.QUANTITY in types, bool(_TIMES.intersection(types))
    if wanted == Wanted.NUMBER:
        yield "number asked, none given", not number and not quantity
        yield "number asked, quantity given", quantity
    else:
        yield "number given, none asked", last.function in ("Count", "CountValues", "CountTable")
        counts = any(step.function in ("Count", "CountValues", "CountTable") for step in draft.program.steps)
        yield "counted, none asked", counts and not extreme
    verdict = output == Type.VERDICT
    yield "verdict asked, none given", wanted == Wanted.VERDICT and not verdict
    yield "verdict given, none asked", wanted != Wanted.VERDICT and verdict
    yield "time asked, none given", wanted == Wanted.TIME and output != Type.ROWS and not time
    yield "time given, none asked", wanted != Wanted.TIME and time
    valued = output in (Type.VALUES, Type.NUMBER)
    yield "person asked, value given", wanted == Wanted.PERSON and valued
    yield "rows given", output == Type.ROWS
    yield "relation given", output == Type.RELATIONS


def _operators(said: frozenset[Operator], draft: Draft) -> Iterator[Feature]:
    stated = frozenset(_stated(draft))
    for operator in Operator:
        yield f"{operator} missed", operator in said - stated
        yield f"{operator} unasked", operator in stated - said


def _stated(draft: Draft) -> Iterator[Operator]:
    """The operators that a program has steps for."""
    for step in draft.program.steps:
        yield from _STATED.get(step.function, ())
        if not _ORDERS.isdisjoint(step.inputs):
            yield Operator.COMPARISON
        if "!=" in step.inputs:
            yield Operator.DENIAL
        if step.function == "Table" and _is_grouped(draft, step):
            yield Operator.GROUP


def _is_grouped(draft: Draft, table: Step) -> bool:
    outputs = {draft.program.steps[at].signature.output for at in table.dependencies}
    return Type.NUMBER in outputs and len(outputs) > 1


def _names(seen: Seen, draft: Draft) -> Iterator[Feature]:
    taken: list[Hit] = []
    passed_over = 0.0
    for place, words in draft.mentions.items():
        hits, iris = seen.hits.get(words, ()), draft.choices.get(place, ())
        hit = next((hit for hit in hits if hit.iri in iris), None)
        if hit is not None:
            taken.append(hit)
            passed_over += hits[0].score - hit.score
    yield "weak name", 1 - min((hit.score for hit in taken), default=1.0)
    yield "passed over", max(0.0, passed_over)
    yield "vague names", sum(hit.how in _VAGUE for hit in taken)


def _places(seen: Seen, draft: Draft, items: tuple[_Item, ...]) -> Iterator[Feature]:
    """Where things stand in the question: a value beside what has it, what is asked before what is known."""
    values: list[int] = []
    far = 0.0
    for number, step in enumerate(draft.program.steps):
        at = seen.positions(_stems(_texts_of(step)))
        values += at[:1]
        named = [place for item in items if item.place[0] == number for place in seen.positions(item.said)]
        if at and named:
            far += min(abs(one - other) for one in at for other in named)
    yield "far value", far / _FAR
    asked = [seen.positions(item.said) for item in items if _asks(draft, item)]
    first = min((places[0] for places in asked if places), default=None)
    if first is not None and values:
        yield "asked late", sum(value < first for value in values) / len(values)


def _asks(draft: Draft, item: _Item) -> bool:
    return draft.program.steps[item.place[0]].function in ("QueryAttr", "QueryAttrUnderCondition")
