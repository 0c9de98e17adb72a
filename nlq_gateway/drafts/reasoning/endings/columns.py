"""The columns that a question asks for, on one program: values, members by their names, numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from nlq_gateway.core.types import SchemaItem
from nlq_gateway.drafts.reasoning import weights as w
from nlq_gateway.drafts.reasoning.endings.stops import Canvas, Stop
from nlq_gateway.drafts.reasoning.field import Field
from nlq_gateway.drafts.reasoning.nouns import Noun, Placed, clearest, nouns, placed
from nlq_gateway.drafts.reasoning.sketch import together
from nlq_gateway.index.text import fold
from nlq_gateway.language import lexicon
from nlq_gateway.question.reading import cues
from nlq_gateway.question.reading.amounts import HowMany
from nlq_gateway.question.reading.request import QuestionPart

_IDENTIFYING = frozenset(["number"])


@dataclass(frozen=True, slots=True)
class EndingColumn:
    """The step that gives it, what it is of, and whether it only sorts or filters."""

    step: int
    item: str
    is_number: bool = False
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns so far on their canvas; `explained` and `cost` are those of the columns alone."""

    canvas: Canvas
    columns: tuple[EndingColumn, ...] = ()
    explained: Mapping[int, float] = field(default_factory=dict)
    stated: frozenset[int] = frozenset()
    cost: float = 0.0
    demanded: HowMany | None = None

    @property
    def shown(self) -> tuple[EndingColumn, ...]:
        """The columns of the answer."""
        return tuple(column for column in self.columns if not column.hidden)

    @property
    def keys(self) -> tuple[EndingColumn, ...]:
        """The columns that are no numbers over others."""
        return tuple(column for column in self.columns if not column.is_number)

    @property
    def numbers(self) -> tuple[EndingColumn, ...]:
        """The numbers over the members behind each row."""
        return tuple(column for column in self.columns if column.is_number)

    def has(self, place: Placed) -> bool:
        """True if the values of an attribute, or the names of a set's members, are shown already."""
        if place.noun.is_attribute:
            return any(column.item == f"{place.noun.item.iri}@{place.stop.step}" for column in self.keys)
        naming = self.canvas.field.naming.attributes(place.stop.concept)
        named = {f"{attribute.iri}@{place.stop.step}" for attribute in naming} or {f"@{place.stop.step}"}
        return any(column.item in named for column in self.keys)

    def telling(self, words: Mapping[int, float], price: float = 0.0) -> Columns:
        """Return the columns with more words explained, at a price."""
        return replace(self, explained=together(self.explained, words), cost=self.cost + price)

    def stating(self, words: frozenset[int]) -> Columns:
        """Return the columns with cue words that a step states."""
        return replace(self.telling(dict.fromkeys(words, 1.0)), stated=self.stated | words)

    def values(self, canvas: Canvas, attribute: SchemaItem, stop: Stop, hidden: bool = False) -> Columns:
        """Return the columns with the values of an attribute, each once."""
        key = f"{attribute.iri}@{stop.step}"
        for number, column in enumerate(self.columns):
            if column.item == key and not column.is_number:
                shown = replace(column, hidden=column.hidden and hidden)
                return replace(self, columns=(*self.columns[:number], shown, *self.columns[number + 1 :]))
        canvas, step = canvas.once("QueryAttr", attribute, stop)
        return self.with_column(canvas, EndingColumn(step, key, hidden=hidden))

    def members(self, canvas: Canvas, stop: Stop) -> Columns:
        """Return the columns with the members of a set, by their names."""
        naming = canvas.field.naming.attributes(stop.concept)
        if not naming:
            return self.with_column(canvas, EndingColumn(stop.step, f"@{stop.step}"))
        found = replace(self, canvas=canvas)
        for attribute in naming:
            found = found.values(found.canvas, attribute, stop)
        return found

    def number(self, canvas: Canvas, function: str, inward: int, hidden: bool = False) -> Columns:
        """Return the columns with a number over the members or the values at a step."""
        key = f"{function}@{inward}"
        if any(column.item == key for column in self.columns):
            return self
        canvas = canvas.add(function, (), (inward,))
        return self.with_column(canvas, EndingColumn(canvas.sketch.last, key, True, hidden))

    def with_column(self, canvas: Canvas, column: EndingColumn) -> Columns:
        """Return the columns with one more, of an existing step."""
        price = w.HIDDEN if column.hidden else w.COLUMN
        return replace(self, canvas=canvas, columns=(*self.columns, column), cost=self.cost + price)


def best(canvas: Canvas, found: tuple[Noun, ...]) -> Placed | None:
    """The best noun that can be had on a canvas."""
    places = placed(canvas, found)
    return places[0] if places else None


def add_noun(columns: Columns, place: Placed, hidden: bool = False) -> Columns:
    """The columns with the values of an attribute, or with the members of a concept."""
    noun = place.noun
    columns = columns.telling(noun.words, noun.gain - place.value if place.value < noun.gain else 0.0)
    if noun.is_attribute:
        return columns.values(place.canvas, noun.item, place.stop, hidden)
    return columns.members(place.canvas, place.stop)


def add_part(columns: Columns, part: QuestionPart) -> Columns:
    """The columns with what a part asks for; unchanged where it speaks of nothing in the graph."""
    if part.says:
        return _add_numbers(columns, part)
    field = columns.canvas.field
    labelled = _labelled(columns.canvas, part)
    if labelled is not None:
        return columns.members(columns.canvas, labelled).telling(dict.fromkeys(part.words, 1.0))
    found = nouns(field, part.words, part.context)
    if len([token for token in part.words if field.reading.weights[token] > 0]) > 1 and not part.context:
        found = clearest(field, found, part.words)
    places = placed(columns.canvas, (*found, *_named_values(field, part)))
    if places and _is_told(columns, part, places[0]):
        return columns.telling(places[0].noun.words)
    place = next((place for place in places if not columns.has(place)), None)
    if place is None:
        return columns
    return add_noun(columns, place).stating(part.different)


def _is_told(columns: Columns, part: QuestionPart, place: Placed) -> bool:
    """True if a column shows just what a part says: "the policy" and later "policy number"."""
    weights = columns.canvas.field.reading.weights
    words = place.noun.words
    whole = all(words.get(token, 0.0) > w.PLAIN for token in part.words if weights[token] > 0)
    return place.noun.is_attribute and whole and columns.has(place)


def _named_values(field: Field, part: QuestionPart) -> tuple[Noun, ...]:
    """Attributes in "the names of the states", where these are values and have no names of their own."""
    if not _asks_names(field, part):
        return ()
    names = {token: 1.0 for token in part.words if field.reading.weights[token] > 0}
    context = nouns(field, part.context)
    if any(not noun.is_attribute for noun in context):
        return ()
    found = (noun for noun in context if max(noun.words.values()) > w.PLAIN)
    return tuple(replace(noun, words={**noun.words, **names}, gain=noun.gain + len(names)) for noun in found)


def _asks_names(field: Field, part: QuestionPart) -> bool:
    said = [token for token in part.words if field.reading.weights[token] > 0]
    return bool(said) and all(field.reading.lowers[token] in ("name", "names") for token in said)


def _labelled(canvas: Canvas, part: QuestionPart) -> Stop | None:
    """The set whose members' names are asked for, where these are labels."""
    field = canvas.field
    if not _asks_names(field, part):
        return None
    stop = canvas.stops[0]
    named = any(fold(noun.item.label) == "name" for noun in nouns(field, part.words))
    return None if named or field.naming.attributes(stop.concept) else stop


def _add_numbers(columns: Columns, part: QuestionPart) -> Columns:
    """Each number that is asked over what the part speaks of."""
    for function, cue in part.says:
        columns = _add_number(columns, part, function, cue)
    return columns


def _add_number(columns: Columns, part: QuestionPart, function: str, cue: frozenset[int]) -> Columns:
    field = columns.canvas.field
    if function == cues.COUNT:
        return _add_count(columns, part, cue)
    own = _called(field, part, cue)
    if own is not None and (place := best(columns.canvas, (own,))):
        told = columns.telling(dict.fromkeys(cue, 1.0))
        if _adds_up(field, own, cue):
            return over_values(told.telling(own.words, own.gain - place.value).stating(cue), place, function)
        return add_noun(told, place)
    ordered = tuple(noun for noun in nouns(field, part.words, part.context) if noun.is_ordered)
    place = best(columns.canvas, ordered)
    if place is None:
        return _add_count(columns, part, cue) if function == "Sum" else columns
    columns = columns.telling(place.noun.words, place.noun.gain - place.value).stating(cue)
    return over_values(columns, place, function)


def over_values(columns: Columns, place: Placed, function: str) -> Columns:
    """The columns with a number over an attribute's values, which are asked for once."""
    canvas, inward = place.canvas.once("QueryAttr", place.noun.item, place.stop)
    return columns.number(canvas, function, inward)


def _add_count(columns: Columns, part: QuestionPart, cue: frozenset[int]) -> Columns:
    """Add the number of members or of different values; an attribute named as a number is shown itself."""
    field = columns.canvas.field
    counting = frozenset(t for t in cue if field.reading.lowers[t] in lexicon.COUNTING)
    own = _called(field, part, counting)
    if own is not None and (place := best(columns.canvas, (own,))):
        columns = columns.telling(dict.fromkeys(cue, 1.0))
        if _adds_up(field, own, cue):
            return over_values(columns.telling(own.words), place, "Sum")
        return add_noun(columns, place)
    place = best(columns.canvas, counted(field, part))
    if place is None:
        return columns
    if place.noun.is_ordered and not part.different:
        # "How many people live in" a city asks for its population, not for the number of such values.
        return add_noun(columns.stating(cue), place) if _is_of_each(field) else columns
    columns = columns.telling(place.noun.words, place.noun.gain - place.value).stating(cue | part.different)
    if place.noun.is_attribute:
        unsaid = 0.0 if part.different else w.NUMBER_OF_VALUES
        return over_values(columns.telling({}, unsaid), place, cues.COUNT_VALUES)
    return columns.number(place.canvas, cues.COUNT, place.stop.step)


def _is_of_each(field: Field) -> bool:
    """True if something is asked of each member: its own number stands beside it."""
    cues = (group.cue for group in field.request.groups)
    return any(field.reading.lowers[token] in lexicon.EACH for cue in cues for token in cue)


def _adds_up(field: Field, noun: Noun, cue: frozenset[int]) -> bool:
    """True if a total is asked of an attribute that is not called one: "the total amount of premiums"."""
    said = {field.reading.lowers[token] for token in cue}
    return "total" in said and "total" not in fold(noun.item.label).split() and noun.is_ordered


def counted(field: Field, part: QuestionPart) -> tuple[Noun, ...]:
    """Things are counted rather than values, where a word may mean either."""
    preferred = 0.0 if part.different else w.BORROWED
    return tuple(
        replace(noun, gain=noun.gain - preferred) if noun.is_attribute else noun
        for noun in nouns(field, part.words)
    )


def _called(field: Field, part: QuestionPart, cue: frozenset[int]) -> Noun | None:
    """The attribute that itself is called a number or an average, where the question says these words."""
    if not cue:
        return None
    said = {token for token in part.words if field.reading.weights[token] > 0}
    for noun in nouns(field, part.words | cue):
        firm = {token for token, degree in noun.words.items() if degree > w.PLAIN}
        label = fold(noun.item.label).split()
        called = not {field.reading.lowers[token] for token in cue}.isdisjoint(label)
        if label[1:] and label[-1] in _IDENTIFYING:
            # The number of claims is not the claim number.
            continue
        if noun.is_attribute and called and firm & cue and (not said or firm & said):
            return noun
    return None
