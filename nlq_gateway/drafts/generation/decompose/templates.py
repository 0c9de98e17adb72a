"""Question templates of one graph, and those nearest to a sub-question (Keqing, sections 3.2 and 3.3).

The one-step questions about every schema item are kept with their vectors, in plain words and as the wording
stage words them. The other forms are too many to keep for every item: they are made for the items near to a
sub-question.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from compilers.kopl.functions import Kind, Type, ValueType
from compilers.kopl.program import Program, Step
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.drafts.generation.decompose.forms import (
    AMONG,
    BACKWARD,
    FORMS,
    KEPT,
    MASK,
    MEMBERS,
    VALUE,
    ChainTemplate,
    ValueClass,
)
from nlq_gateway.drafts.generation.decompose.reading import MaskedSubQuestion
from nlq_gateway.index import Index

MOST = 2_000
_SEEDS = 12
_NEAR = {Kind.RELATION: 4, Kind.ATTRIBUTE: 5, Kind.CONCEPT: 3, Kind.QUALIFIER: 4}
_QUALIFIERS = 4
_QUALIFIED = 3

_ASKS_FOR_SET = re.compile(
    r"^(?:who|what|which .*?(?= (?:is|are|was|were|did|does|do|has|have)\b)|which \w+)(?= )", re.IGNORECASE
)
_ORDERS = re.compile(r"Select|Sum|Average|Maximum|Minimum")
_ADDS = re.compile(r"Sum|Average")
_TIMES = (ValueType.YEAR, ValueType.DATE)
_FITS: dict[ValueClass, tuple[ValueType, ...]] = {
    "number": (ValueType.QUANTITY,),
    "time": _TIMES,
    "period": _TIMES,
    "text": (ValueType.STRING,),
}

Worded = Callable[[Program, Mapping[tuple[int, int], tuple[str, ...]]], str]


@dataclass(frozen=True, slots=True)
class Template:
    """A masked question with its form and the items that fill it.

    `text` may use another of the item's names, by which it is found; `shown` is the plainest wording.
    """

    text: str
    shown: str
    form: ChainTemplate
    item: SchemaItem | None = None
    qualifier: SchemaItem | None = None

    @property
    def key(self) -> tuple[str, ...]:
        """The key of its chain: templates with the same key differ in words alone."""
        iris = (one.iri if one else "" for one in (self.item, self.qualifier))
        return (self.form.chain, self.form.value, *iris)


class Templates:
    """The templates of an index; without vectors none is near. Safe to share between threads."""

    def __init__(self, index: Index, worded: Worded, *, most: int = MOST) -> None:
        """Word and encode the kept templates: up to `most`, the most used items first.

        Args:
            index: the graph's names.
            worded: the plainest English question for a program, "" if there is none.
            most: the number of templates kept with their vectors.
        """
        self._index = index
        self.kept = tuple(islice(_kept(index, worded), most))
        self._vectors = index.encode([one.text for one in self.kept])
        self._words: dict[tuple[str, str], list[str]] = {}
        for one in self.kept:
            self._words.setdefault((one.form.chain, one.item.iri if one.item else ""), []).append(one.text)

    def like(self, text: str, limit: int) -> tuple[str, ...]:
        """The kept templates with a mask that are nearest to a masked text: this graph's usual questions."""
        order = self._order(text)
        found = dict.fromkeys(self.kept[row].text for row, _ in order if MASK in self.kept[row].text)
        return tuple(islice(found, limit))

    def near(
        self, reading: MaskedSubQuestion, limit: int, also: Sequence[SchemaItem] = ()
    ) -> tuple[tuple[Template, float], ...]:
        """The templates nearest to a sub-question by cosine, best first, one for each chain.

        They take as many operands as it has, and its value if it states one. Of several ways to mask it the
        nearest counts. `also` are items that it may be about, besides those near to it.
        """
        best: dict[object, tuple[Template, float]] = {}
        found = (pair for text in reading.masks for pair in self._near(text, reading, limit, also))
        for one, score in sorted(found, key=lambda pair: -pair[1]):
            best.setdefault(one.key, (one, score))
        return tuple(islice(best.values(), limit))

    def _near(
        self, text: str, reading: MaskedSubQuestion, limit: int, also: Sequence[SchemaItem]
    ) -> list[tuple[Template, float]]:
        order = self._order(text)
        items = self._items(text, order) | {(item.label, item.iri): item for item in also}
        bare = (Template(form.text, form.text, form) for form in FORMS if form.kind is None)
        made = [one for one in (*self._made(items), *bare) if _takes(one, reading)]
        vectors = self._index.encode([text, *(one.text for one in made)])
        kept = ((self.kept[row], score) for row, score in order)
        return [
            *zip(made, (vectors[1:] @ vectors[0]).tolist(), strict=True),
            *islice((pair for pair in kept if _takes(pair[0], reading)), 2 * limit),
        ]

    def _order(self, text: str) -> list[tuple[int, float]]:
        """The rows of the kept templates with their cosines, best first."""
        if not self.kept:
            return []
        scores = self._vectors @ self._index.encode([text])[0]
        return sorted(enumerate(scores.tolist()), key=lambda pair: -pair[1])

    def _items(self, text: str, order: Sequence[tuple[int, float]]) -> dict[tuple[str, str], SchemaItem]:
        """The items near to a text, by the names that are near and IRI."""
        seeds = (self.kept[row].item for row, _ in order[:_SEEDS])
        found = {(item.label, item.iri): item for item in seeds if item is not None}
        words = " ".join(text.replace(MASK, " ").replace(VALUE, " ").split())
        for kind, limit in _NEAR.items():
            for hit in self._index.nearest(kind, [words], limit)[0]:
                item = self._index.item(kind, hit.iri)
                if item is not None:
                    found |= {(hit.matched, item.iri): item, (item.label, item.iri): item}
                    found |= {(one.label, one.iri): one for one in self._with_qualifier.get(item.iri, ())}
        return found

    @cached_property
    def _with_qualifier(self) -> Mapping[str, list[SchemaItem]]:
        """The commonest relations and attributes that have facts with a qualifier, by its IRI."""
        found = defaultdict[str, list[SchemaItem]](list)
        for item in sorted(self._index.schema, key=lambda item: -item.count):
            for iri in item.qualifiers:
                if len(found[iri]) < _QUALIFIED:
                    found[iri].append(item)
        return dict(found)

    def _made(self, items: Mapping[tuple[str, str], SchemaItem]) -> Iterator[Template]:
        for (name, _), item in items.items():
            of_times = _is_time(item)
            for form in FORMS:
                if form.kind != item.kind:
                    continue
                if not form.qualified:
                    said, plain = (form.said(one, of_times=of_times) for one in (name, item.label))
                    shown = self._words.get((form.chain, item.iri), [plain])[0]
                    yield Template(said, shown, form, item)
                for qualifier in self._qualifiers(item) if form.qualified else ():
                    said, shown = (form.said(one, qualifier.label) for one in (name, item.label))
                    yield Template(said, shown, form, item, qualifier)
            yield from self._among(item)

    def _among(self, item: SchemaItem) -> Iterator[Template]:
        """The template for members of a set, from the one for all: which of [mask] was born in Paris."""
        for chain, form in AMONG.items():
            for text in self._words.get((chain, item.iri), ()):
                among = _ASKS_FOR_SET.sub(f"which of {MASK}", text)
                if among != text:
                    yield Template(among, among, form, item)

    def _qualifiers(self, item: SchemaItem) -> Iterator[SchemaItem]:
        for iri in item.qualifiers[:_QUALIFIERS]:
            found = self._index.item(Kind.QUALIFIER, iri)
            if found is not None:
                yield found


def _kept(index: Index, worded: Worded) -> Iterator[Template]:
    for item in sorted(index.schema, key=lambda item: -item.count):
        for form in KEPT:
            if form.kind != item.kind or _is_disorderly(form, item):
                continue
            plain = form.said(item.label, of_times=_is_time(item))
            # Of relations named by a verb: "what is located in Paris".
            verbal = f"what is {item.label} {MASK}?" if form is BACKWARD else ""
            said = [text for text in (_worded(form, item, worded), plain, verbal) if text]
            for text in dict.fromkeys(said):
                yield Template(text, said[0], form, item)


def _worded(form: ChainTemplate, item: SchemaItem, worded: Worded) -> str:
    """The wording stage's question for the form, with `[mask]` as the name."""
    steps = [] if form is MEMBERS else [Step("Find", (MASK,))]
    choices: dict[tuple[int, int], tuple[str, ...]] = {}
    for call in form.calls(last=True):
        if "@" in call.arguments:
            choices[len(steps), call.arguments.index("@")] = (item.iri,)
        inputs = tuple(item.label if argument == "@" else argument for argument in call.arguments)
        steps.append(Step(call.function, inputs, (len(steps) - 1,) if steps else ()))
    if steps[-1].signature.output in (Type.ENTITIES, Type.FACTS):
        steps.append(Step("What", (), (len(steps) - 1,)))
    text = worded(Program(tuple(steps)), choices)
    return text.replace(f"Which {MASK}", f"Which of {MASK}") if MASK in text or form is MEMBERS else ""


def _takes(template: Template, reading: MaskedSubQuestion) -> bool:
    form, values = template.form, reading.values
    if form.operands != len(reading.operands) or len(values) > 1 or bool(form.value) != bool(values):
        return False
    if values and form.value not in values[0].classes:
        return False
    if reading.verdict is not None and form.is_verdict != reading.verdict:
        return False
    if form.of_several and not reading.operands[0].is_set:
        return False
    return template.item is None or not (_is_disorderly(form, template.item) or _is_unlike(template))


def _is_disorderly(form: ChainTemplate, item: SchemaItem) -> bool:
    """True if it orders texts, whose largest is never asked for, or adds up times."""
    if item.kind != Kind.ATTRIBUTE:
        return False
    texts = set(item.value_types) == {ValueType.STRING} and _ORDERS.search(form.chain) is not None
    return texts or (_is_time(item) and _ADDS.search(form.chain) is not None)


def _is_time(item: SchemaItem) -> bool:
    return item.kind == Kind.ATTRIBUTE and bool(item.value_types) and set(item.value_types) <= set(_TIMES)


def _is_unlike(template: Template) -> bool:
    """True if the value is of a type that the attribute or qualifier never has."""
    fits = _FITS.get(template.form.value)
    held = template.qualifier if template.form.chain.endswith("@q, $)") else template.item
    return fits is not None and held is not None and set(fits).isdisjoint(held.value_types)
