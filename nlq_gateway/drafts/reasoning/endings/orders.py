"""The orders that a question asks for: sorted by a column, or cut to those with the most of something."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from nlq_gateway.drafts.reasoning import weights as w
from nlq_gateway.drafts.reasoning.endings.columns import Columns, add_noun, best
from nlq_gateway.drafts.reasoning.field import Field
from nlq_gateway.drafts.reasoning.nouns import Noun, nouns
from nlq_gateway.question.reading.cues import COUNT
from nlq_gateway.question.reading.ranking import Ranking
from nlq_gateway.question.reading.request import QuestionPart, QuestionRequest


@dataclass(frozen=True, slots=True)
class Sorting:
    """The order of rows: the column, the direction, and the number of rows kept (0: all)."""

    column: int
    descending: bool
    limit: int = 0


def in_order(request: QuestionRequest, columns: Columns) -> Iterator[tuple[Columns, Sorting | None]]:
    """The columns with the order that the question asks for, in each way that it can be read."""
    ranking = request.ranking
    used = ranking is not None and ranking.cue <= columns.stated
    if ranking is not None and not ranking.cue.isdisjoint(
        columns.canvas.field.spent(columns.canvas.sketch.used)
    ):
        return
    if ranking is not None and not used:
        yield from _ranked(columns, ranking)
        if request.order is None:
            yield columns.telling({}, w.SUPERLATIVE), None
            return
    if request.order is not None:
        yield from _ordered(columns, request, request.order)
    elif used or ranking is None:
        yield columns, None


def _ordered(
    columns: Columns, request: QuestionRequest, order: QuestionPart
) -> Iterator[tuple[Columns, Sorting]]:
    """Sorted by what the order names; by the first column where it names nothing."""
    field = columns.canvas.field
    keyed, at = _key(columns, order.words)
    if at is None:
        if not columns.shown:
            return
        keyed, at = columns, columns.columns.index(columns.shown[0])
    descending = bool(request.descending)
    if request.aged and not _is_quantity(keyed, at):
        descending = not descending
    cue = frozenset(token for token in order.cue if field.reading.weights[token] > 0)
    yield keyed.stating(cue).telling({}, -w.RANKED / 2), Sorting(at, descending)


def _key(columns: Columns, words: frozenset[int]) -> tuple[Columns, int | None]:
    """The columns with the one that some words name, hidden where it is new; and its position."""
    field = columns.canvas.field
    counting = _counting(field, words)
    if counting:
        return _count_key(columns, words - counting, counting)
    found = nouns(field, words)
    place = best(columns.canvas, tuple(noun for noun in found if noun.is_attribute))
    if place is None:
        return columns, None
    return _at(add_noun(columns, place, hidden=True), f"{place.noun.item.iri}@{place.stop.step}")


def _counting(field: Field, words: frozenset[int]) -> frozenset[int]:
    lowers = field.reading.lowers
    return frozenset(t for t in words if lowers[t] in ("number", "count", "many"))


def _at(columns: Columns, item: str) -> tuple[Columns, int | None]:
    positions = [number for number, column in enumerate(columns.columns) if column.item == item]
    return columns, positions[0] if positions else None


def _count_key(columns: Columns, words: frozenset[int], cue: frozenset[int]) -> tuple[Columns, int | None]:
    """Sorted by how many members there are of a concept, or of the asked set where none is named."""
    field = columns.canvas.field
    found = tuple(noun for noun in nouns(field, words) if not noun.is_attribute)
    place = best(columns.canvas, found)
    if place is not None:
        columns = columns.telling(place.noun.words, place.noun.gain - place.value)
        canvas, step = place.canvas, place.stop.step
    else:
        canvas, step = columns.canvas, columns.canvas.stops[0].step
    columns = columns.stating(cue)
    known, at = _at(columns, f"{COUNT}@{step}")
    if at is not None:
        return known, at
    if place is None and columns.keys and all(column.item == f"@{step}" for column in columns.keys):
        # Members shown one by one are one each.
        return columns, None
    return _at(columns.number(canvas, COUNT, step), f"{COUNT}@{step}")


def _ranked(columns: Columns, ranking: Ranking) -> Iterator[tuple[Columns, Sorting]]:
    """Cut to those with the most or least: of an attribute, or of related things counted."""
    field = columns.canvas.field
    cue = frozenset(token for token in ranking.cue if field.reading.weights[token] > 0)
    counting = [_count_key(columns, ranking.after, frozenset())] if ranking.counts else []
    for keyed, at in (*counting, _measure_key(columns, ranking)):
        if at is None:
            continue
        descending = _is_descending(ranking, keyed, at)
        yield keyed.stating(cue).telling({}, -w.RANKED), Sorting(at, descending, ranking.number)


def _measure_key(columns: Columns, ranking: Ranking) -> tuple[Columns, int | None]:
    """The attribute that a superlative measures by: the one it names, or the one it hints at."""
    field = columns.canvas.field
    words = ranking.after | ({ranking.superlative.token} if ranking.superlative else frozenset())
    found = tuple(noun for noun in nouns(field, words) if noun.is_attribute)
    place = best(columns.canvas, tuple(map(_measured, found)))
    if place is None:
        return columns, None
    return _at(add_noun(columns, place, hidden=True), f"{place.noun.item.iri}@{place.stop.step}")


def _measured(noun: Noun) -> Noun:
    """Texts are seldom measured by."""
    return noun if noun.is_ordered else replace(noun, gain=noun.gain - w.UNSAID / 2)


def _is_descending(ranking: Ranking, columns: Columns, at: int) -> bool:
    if ranking.superlative is None or columns.columns[at].is_number:
        return ranking.more
    return ranking.superlative.degree.more_of(_is_quantity(columns, at))


def _is_quantity(columns: Columns, at: int) -> bool:
    """True if a column's values are quantities, or texts in their place, rather than times."""
    iri = columns.columns[at].item.partition("@")[0]
    types = next((a.value_types for a in columns.canvas.field.vocabulary.attributes if a.iri == iri), ())
    return not any(kind.value in ("year", "date") for kind in types[:1])
