"""The attributes and concepts that parts of a question may mean, with the words for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from compilers.kopl.functions import Kind, ValueType
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.drafts.reasoning import weights as w
from nlq_gateway.drafts.reasoning.endings.stops import Canvas, Stop
from nlq_gateway.drafts.reasoning.field import Field, once_a_question
from nlq_gateway.language import lexicon
from nlq_gateway.question.reading.amounts import periods_in

MOST = 6
_VAGUER = 0.25
ORDERED = frozenset({ValueType.QUANTITY, ValueType.YEAR, ValueType.DATE})


@dataclass(frozen=True, slots=True)
class Noun:
    """A schema item that a part speaks of; `gain` is the weight of the words."""

    item: SchemaItem
    words: Mapping[int, float]
    gain: float

    @property
    def is_attribute(self) -> bool:
        """True if it has values rather than members."""
        return self.item.kind == Kind.ATTRIBUTE

    @property
    def is_ordered(self) -> bool:
        """True if its values have an order of their own."""
        return bool(ORDERED & set(self.item.value_types))

    def concepts(self, field: Field) -> frozenset[str]:
        """Return the concepts that mostly have the attribute, or the concept itself."""
        if self.is_attribute:
            return field.vocabulary.mostly(self.item, "domains")
        return frozenset({self.item.iri})


@dataclass(frozen=True, slots=True)
class Placed:
    """A noun on a canvas, at a set; `value` is what it explains less what it costs to get there."""

    noun: Noun
    canvas: Canvas
    stop: Stop
    value: float


@once_a_question
def nouns(field: Field, words: frozenset[int], context: frozenset[int] = frozenset()) -> tuple[Noun, ...]:
    """The items that words speak of firmly, those that account for most first.

    Words for the concept that an attribute belongs to count with it: "stadium name", "name of the stadium".
    """
    return tuple(sorted(_nouns(field, words, context), key=lambda noun: -noun.gain)[:MOST])


def dated(field: Field, words: frozenset[int]) -> tuple[Noun, ...]:
    """The attributes with dates, where words say a year or a month: the likelier the more is said of one."""
    said = dict.fromkeys(periods_in(field.reading, words), 1.0)
    everything = frozenset(range(len(field.reading.lowers)))
    with_dates = (one for one in field.vocabulary.attributes if said and ValueType.DATE in one.value_types)
    told = ((one, {**_firm(field, one, everything), **said}) for one in with_dates)
    return tuple(Noun(one, found, _gain(field, found)) for one, found in told)


def clearest(field: Field, found: tuple[Noun, ...], words: frozenset[int]) -> tuple[Noun, ...]:
    """Those that the words alone speak of about as surely as of any: a "loss reserve" is no loss payment."""
    degrees = [field.reading.within(noun.item, words) for noun in found]
    least = max(degrees, default=0.0) - _VAGUER
    return tuple(noun for noun, degree in zip(found, degrees, strict=True) if degree > least)


def _nouns(field: Field, words: frozenset[int], context: frozenset[int]) -> Iterator[Noun]:
    for item in (*field.vocabulary.attributes, *field.vocabulary.concepts):
        told = _firm(field, item, words)
        if not told:
            continue
        if item.kind == Kind.ATTRIBUTE:
            yield _attribute(field, item, told, words, context)
        else:
            yield Noun(item, told, _gain(field, told))


def _attribute(
    field: Field, item: SchemaItem, told: Mapping[int, float], words: frozenset[int], context: frozenset[int]
) -> Noun:
    """An attribute, with the words for what it belongs to; less where these are all that speaks for it."""
    own = {**told, **_firm(field, item, context)}
    about: dict[int, float] = {}
    for concept in field.vocabulary.concepts:
        if concept.iri in field.vocabulary.mostly(item, "domains"):
            for token, degree in _firm(field, concept, words | context).items():
                about[token] = max(about.get(token, 0.0), degree)
    whole = {token: max(own.get(token, 0.0), about.get(token, 0.0)) for token in (*own, *about)}
    vague = 1.0 - max(own.values())
    borrowed = all(about.get(token, 0.0) >= degree for token, degree in told.items())
    price = vague / 2 + (w.BORROWED if borrowed else 0.0) + _key_price(field, item, words)
    return Noun(item, whole, _gain(field, whole) - price)


def _key_price(field: Field, item: SchemaItem, words: frozenset[int]) -> float:
    """A key is meant where the question says so: "stadium" is the stadium, "stadium id" its key."""
    said = any(field.reading.lowers[token] in lexicon.KEYS for token in words)
    return w.KEYED if item.iri in field.vocabulary.keys and not said else 0.0


def _gain(field: Field, words: Mapping[int, float]) -> float:
    weights = field.reading.weights
    return sum(weights[token] * degree for token, degree in words.items())


def _firm(field: Field, item: SchemaItem, words: frozenset[int]) -> dict[int, float]:
    weights = field.reading.weights
    return {t: d for t, d in field.evidence(item).items() if t in words and d >= w.FIRM and weights[t] > 0}


def placed(canvas: Canvas, found: tuple[Noun, ...]) -> tuple[Placed, ...]:
    """The nouns where they can be had, best first."""
    places = [
        _placed(noun, *reached)
        for noun in found
        for reached in canvas.reach(noun.concepts(canvas.field), noun.item if noun.is_attribute else None)
    ]
    return tuple(sorted(places, key=lambda place: -place.value))


def _placed(noun: Noun, price: float, canvas: Canvas, stop: Stop) -> Placed:
    """A noun at a set; where it is a concept, with its own members alone."""
    # A little for the asked set's own.
    value = noun.gain - price + (0.05 if stop.price == 0 and not noun.is_attribute else 0.0)
    if not noun.is_attribute:
        canvas, stop = canvas.narrowed(stop, noun.item)
    return Placed(noun, canvas, stop, value)
