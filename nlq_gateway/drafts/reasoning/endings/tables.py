"""Endings that put several things side by side: columns, numbers by group, orders and cuts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from compilers.kopl.functions import Type
from nlq_gateway.drafts.reasoning import weights as w
from nlq_gateway.drafts.reasoning.endings.columns import Columns, add_noun, add_part, best
from nlq_gateway.drafts.reasoning.endings.form import few
from nlq_gateway.drafts.reasoning.endings.formulas import add_formula, formula_of
from nlq_gateway.drafts.reasoning.endings.orders import Sorting, in_order
from nlq_gateway.drafts.reasoning.endings.stops import Canvas
from nlq_gateway.drafts.reasoning.field import Field, once_a_question
from nlq_gateway.drafts.reasoning.nouns import Noun, Placed, dated, nouns
from nlq_gateway.drafts.reasoning.sets.others import asked_for
from nlq_gateway.drafts.reasoning.sketch import Sketch
from nlq_gateway.language import lexicon
from nlq_gateway.question.reading.cues import COUNT
from nlq_gateway.question.reading.request import QuestionPart, QuestionRequest

# "Which has the highest mass" asks for its owner, "what is the highest mass" for the mass.
_WHICH = frozenset({"which", "who", "whose"})
# The most parts of a question, twice as many as any of the benchmarks has: one column for each.
MOST_PARTS = 16


def tables(field: Field, sketch: Sketch) -> Iterator[Sketch]:
    """Yield the tables that the question's frame asks for, if one column of names or values is not enough."""
    request = field.request
    if not _asks_table(field) or (sketch.is_single and (request.ranking or request.order or request.numbers)):
        return
    sketch = asked_for(field, sketch)
    canvas = Canvas.of(field, sketch)
    if not canvas.stops:
        return
    for asked in _readings(field, request):
        for columns, sorting in in_order(request, _demanded(_asked(canvas, request, asked))):
            ended = _few(field, _ended(field, request, columns, sorting))
            yield from (done for done in ended if _is_whole(done, sketch.last))


@once_a_question
def _asks_table(field: Field) -> bool:
    """True if numbers, an order or several columns are asked for, or columns show what has no label."""
    request = field.request
    if field.reading.is_verification or len(request.asked) + len(request.groups) > MOST_PARTS:
        return False
    framed = request.groups or request.order or request.ranking or request.formulas or request.numbers
    return bool(framed or field.counted or len(request.asked) > 1 or not field.naming.all_have_labels)


def _few(field: Field, ended: Iterator[Sketch]) -> Iterator[Sketch]:
    """The tables, cut to as many rows as the question wants of all."""
    for done in ended:
        is_table = done.steps[-1].signature.output == Type.ROWS
        yield few(field.some_of, done) if field.some_of is not None and is_table else done


def left_aside(field: Field) -> float:
    """The price of one column where the question says "by" which others rows are told apart."""
    groups = [part for part in field.request.groups if _is_by(field, part)]
    parts = (*field.request.asked, *groups) if groups else ()
    plain = [part for part in parts if any(_is_plain(noun) for noun in nouns(field, part.words))]
    return w.LEFT_ASIDE * max(len(plain) - 1, 0)


def _is_plain(noun: Noun) -> bool:
    return max(noun.words.values()) > w.PLAIN


def _is_by(field: Field, part: QuestionPart) -> bool:
    return any(field.reading.lowers[token] in lexicon.BY for token in part.cue)


def _demanded(columns: Columns) -> Columns:
    """Return the columns with the number of members that the question demands for each value.

    "Which towns have at least two teachers" demands it of the towns, which are values of the teachers.
    """
    field, sketch, stop = columns.canvas.field, columns.canvas.sketch, columns.canvas.stops[0]
    for wanted in field.counted:
        if wanted.cue & sketch.stated or field.clues_in(wanted.cue) & sketch.used:
            continue
        place = best(columns.canvas, nouns(field, wanted.noun))
        own = place is not None and not place.noun.is_attribute and place.stop.step == stop.step
        if place is not None and own and columns.keys and not columns.has(place):
            told = columns.telling(place.noun.words).stating(wanted.cue).telling({}, -w.NUMBERED)
            counted = told.number(columns.canvas, COUNT, stop.step, hidden=True)
            return replace(counted, demanded=wanted)
    return columns


def _readings(field: Field, request: QuestionRequest) -> Iterator[tuple[QuestionPart, ...]]:
    """The asked parts as read; and with a superlative among them as the number that it asks for."""
    yield request.asked
    if field.reading.asks(_WHICH):
        return
    ranking = request.ranking
    if (
        ranking is None
        or ranking.number > 1
        or ranking.superlative is None
        or ranking.superlative.degree.aged
        or ranking.counts
    ):
        return
    at = ranking.superlative.token
    for number, part in enumerate(request.asked):
        others = (*request.asked[:number], *request.asked[number + 1 :])
        measured = any(noun.is_ordered for noun in nouns(field, part.words & ranking.after))
        first = min((t for t in part.words if field.reading.weights[t] > 0), default=None)
        if at == first and not part.says and measured and all(other.says for other in others):
            function = "Maximum" if ranking.more else "Minimum"
            said = replace(part, words=part.words - {at}, says=((function, frozenset({at})),))
            yield (*request.asked[:number], said, *request.asked[number + 1 :])


def _asked(canvas: Canvas, request: QuestionRequest, asked: tuple[QuestionPart, ...]) -> Columns:
    """The columns of the groups and of the asked parts, in the order of the question."""
    columns = Columns(canvas)
    measured = request.ranking.cue if request.ranking else frozenset()
    for part in asked:
        formula = formula_of(columns, part.words)
        if formula is not None:
            columns = add_formula(columns, part, formula)
        else:
            columns = add_part(columns, replace(part, words=part.words - measured))
    for part in request.groups:
        columns = _grouped(columns, part)
    if not columns.shown and not canvas.field.reading.count_cue:
        columns = columns.members(columns.canvas, canvas.stops[0]).telling({}, w.DEFAULT_NAME)
    return columns


def _grouped(columns: Columns, part: QuestionPart) -> Columns:
    """Add the column that names the groups; members that other columns show are not shown again."""
    field = columns.canvas.field
    dates = dated(field, part.words) if columns.numbers else ()
    place = best(columns.canvas, dates or nouns(field, part.words, part.context))
    if place is None or max(place.noun.words.values()) < w.SURE:
        return columns
    beside = bool(columns.shown and not columns.numbers and field.request.numbers)
    shown = columns.has(place) if beside else _is_shown(columns, place)
    cue = frozenset(token for token in part.cue if field.reading.weights[token] > 0)
    if not columns.numbers and not beside and not shown and not _is_by(field, part):
        return columns
    added = columns.telling(place.noun.words) if shown else add_noun(columns, place)
    return added.stating(cue).telling({}, -w.GROUPED if columns.numbers else 0.0)


def _is_shown(columns: Columns, place: Placed) -> bool:
    """True if some column already tells which member a row is for."""
    if place.noun.is_attribute and not _names_members(columns.canvas.field, place):
        return any(column.item == f"{place.noun.item.iri}@{place.stop.step}" for column in columns.shown)
    keys = (column for column in columns.shown if not column.is_number)
    return any(column.item.endswith(f"@{place.stop.step}") for column in keys)


def _names_members(field: Field, place: Placed) -> bool:
    """True if the words for an attribute name what has it, too: "each maker" of the attribute maker."""
    concepts = (c for c in field.vocabulary.concepts if c.iri in place.stop.concepts)
    return any(field.evidence(c).get(token, 0.0) >= w.FIRM for c in concepts for token in place.noun.words)


def _is_whole(sketch: Sketch, base: int) -> bool:
    """True if the set itself is part of the ending: columns of what leads to it alone leave it aside."""
    return any(base in step.dependencies for step in sketch.steps)


def _ended(
    field: Field, request: QuestionRequest, columns: Columns, sorting: Sorting | None
) -> Iterator[Sketch]:
    """The table, or the number or values alone where nothing stands beside them."""
    if not columns.shown:
        return
    sketch = _explained(columns)
    only = columns.columns[0] if len(columns.columns) == 1 else None
    if only is not None and sorting is None:
        yield from _alone(field, request, columns, sketch)
        return
    if sorting is not None and sorting.limit == 1 and columns.shown == (columns.columns[sorting.column],):
        return
    if sorting is not None and sorting.limit and _is_set_by_measure(columns, sorting):
        yield from _top(columns, sketch, sorting)
        return
    yield _table(request, columns, sketch, sorting)


def _is_set_by_measure(columns: Columns, sorting: Sorting) -> bool:
    """True if members with labels are all that is shown, ranked by a value of their own."""
    shown = columns.shown
    step = columns.canvas.sketch.steps[columns.columns[sorting.column].step]
    own = len(shown) == 1 and shown[0].item.startswith("@")
    return own and step.function == "QueryAttr" and step.dependencies == (shown[0].step,)


def _top(columns: Columns, sketch: Sketch, sorting: Sorting) -> Iterator[Sketch]:
    """The first few members themselves; the first alone is SelectAmong's."""
    base = columns.canvas.sketch
    measure = base.steps[columns.columns[sorting.column].step]
    (shown,) = columns.shown
    if sorting.limit == 1 or shown.step != base.last - 1:
        return
    short = sketch._replace(steps=base.steps[: base.last])
    choice = "largest" if sorting.descending else "smallest"
    inputs = (measure.inputs[0], choice, str(sorting.limit))
    yield short.then("SelectTop", inputs).then("What", ())


def _explained(columns: Columns) -> Sketch:
    sketch = columns.canvas.sketch
    form = w.NUMBERED if columns.numbers and any(not c.hidden for c in columns.numbers) else 0.0
    return sketch._replace(
        explained=sketch.explaining(columns.explained),
        stated=sketch.stated | columns.stated,
        cost=sketch.cost + columns.cost - form - w.HEAD,
    )


def _alone(field: Field, request: QuestionRequest, columns: Columns, sketch: Sketch) -> Iterator[Sketch]:
    """One column without an order."""
    (column,) = columns.columns
    step = sketch.steps[column.step]
    if column.is_number:
        if step.function != COUNT or not column.item.endswith(f"@{columns.canvas.stops[0].step}"):
            yield sketch
    elif step.function == "Calculate":
        yield sketch
    elif step.function == "QueryAttr":
        stop = columns.canvas.stops[0]
        unlabelled = bool(field.naming.attributes(stop.concept))
        if unlabelled and not request.different:
            yield sketch.then("Table", (), dependencies=(column.step,))
        elif unlabelled:
            yield sketch


def _table(request: QuestionRequest, columns: Columns, sketch: Sketch, sorting: Sorting | None) -> Sketch:
    """Shown columns first, hidden ones last until they are dropped."""
    order = sorted(range(len(columns.columns)), key=lambda number: columns.columns[number].hidden)
    inward = tuple(columns.columns[number].step for number in order)
    sketch = sketch.then("Table", (), dependencies=inward)
    if request.different and not columns.numbers and sorting is None:
        sketch = sketch.then("DistinctTable", ())
    if columns.demanded is not None:
        at = next(n for n, number in enumerate(order) if columns.columns[number].is_number) + 1
        sketch = sketch.then(
            "FilterTable", (str(at), str(columns.demanded.number), columns.demanded.operator)
        )
    if sorting is None:
        return _dropped(columns, sketch)
    way = "descending" if sorting.descending else "ascending"
    sketch = sketch.then("SortTable", (str(order.index(sorting.column) + 1), way))
    sketch = _dropped(columns, sketch)
    return sketch.then("LimitTable", (str(sorting.limit),)) if sorting.limit else sketch


def _dropped(columns: Columns, sketch: Sketch) -> Sketch:
    """Without the hidden columns, which stand last."""
    for position in range(len(columns.columns), len(columns.shown), -1):
        sketch = sketch.then("DropColumn", (str(position),))
    return sketch
