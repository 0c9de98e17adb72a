"""The answer in words: one sentence, without a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from compilers.answers import Answer, AnswerValue, distinct_texts
from compilers.iris import local_name
from compilers.kopl.functions import CALCULATING, Type
from compilers.kopl.program import Program, Step
from nlq_gateway.answering.response.means import as_told, rows_told
from nlq_gateway.answering.response.ranked import Row, is_identifier, ranked_text
from nlq_gateway.answering.response.values import is_name, said
from nlq_gateway.core.truths import are_truths
from nlq_gateway.language.detection import ENGLISH
from nlq_gateway.language.sentences import Say, joined, listed, saying

SHOWN = 10

_CUTTING = frozenset({"LimitTable", "SkipTable", "FilterTable"})
_ARRANGING = _CUTTING | {"SortTable", "DropColumn", "DistinctTable"}
_SETS = (Type.ENTITIES, Type.FACTS)
# The keys of the sentences for the numbers that a verdict may be on.
_NUMBERS = {"Count": "counted", "Sum": "total", "Average": "average"}


def answer_text(
    program: Program,
    answer: Answer,
    truncated: bool,
    rows: Sequence[Row] = (),
    columns: Sequence[str] = (),
    plural: Callable[[str], str] = str,
    language: str = ENGLISH,
) -> str:
    """The answer as a short text, in the order of its values; `columns` and `rows` are those of its table.

    Of many things with a number each the text tells the most; `plural` makes a plural of a column's name.
    """
    say, answer = saying(language), as_told(program, answer)
    if answer.empty:
        return say("nothing")
    if answer.output == Type.VERDICT:
        return _verdict_text(program, answer, say, language)
    shown_rows = rows_told(program, rows)
    if not truncated and (answer.output == Type.ROWS or len(rows) > SHOWN) and len(rows) > 1:
        told = ranked_text(columns, rows, shown_rows, plural, say, _ends(program, columns), language)
        if told:
            return told
    if answer.output == Type.ROWS and not (len(answer.rows) > 1 == len(answer.rows[0])):
        return _table_text(answer, truncated, say, language)
    strings = _of_things(shown_rows, columns, language) if answer.output == Type.VALUES else ()
    strings = strings or _listed(answer, language)
    shown = listed(strings[:SHOWN])
    # Things with the same name count separately.
    hidden = max(len(strings), len({value.value for value in answer.values})) - SHOWN
    if hidden > 0:
        return say("more", shown=shown, count=say("at_least", count=hidden) if truncated else hidden)
    return say("perhaps_more", shown=shown) if truncated else shown


def _ends(program: Program, columns: Sequence[str]) -> Mapping[int, bool]:
    """The columns (from 1) of which an end is told, with whether it is the lowest.

    Of a table that was cut it is the end that was kept, which only its own order tells.
    """
    line = _line(program)
    cuts = {step.function for step in program.steps} & _CUTTING
    if not cuts:
        least = "smallest" in program.steps[-1].inputs
        return dict.fromkeys(range(1, len(columns) + 1), least) | _sorted_by(line)
    functions = [step.function for step in line]
    kept = functions.index("LimitTable") if "LimitTable" in functions else len(functions)
    is_sorted_again = "SortTable" in functions[kept:]
    return {} if is_sorted_again or "SkipTable" in cuts else _sorted_by(line)


def _line(program: Program) -> list[Step]:
    """The steps at the end that only arrange the rows of one table, or leave some out."""
    found: list[Step] = []
    step = program.steps[-1]
    while step.function in _ARRANGING:
        found.append(step)
        step = program.steps[step.dependencies[0]]
    return found[::-1]


def _sorted_by(line: Sequence[Step]) -> dict[int, bool]:
    """The column by which rows are sorted, where it stands at the end, and whether the lowest comes first."""
    found: dict[int, bool] = {}
    for step in line:
        if step.function == "SortTable":
            found = {int(step.inputs[0]): step.inputs[1] == "ascending"}
        elif step.function == "DropColumn":
            dropped = int(step.inputs[0])
            found = {at - (at > dropped): rising for at, rising in found.items() if at != dropped}
    return found


def _listed(answer: Answer, language: str) -> tuple[str, ...]:
    """The values, each once; of a table of one column every row."""
    if answer.output == Type.ROWS:
        return tuple("" if row[0] is None else said(row[0], language) for row in answer.rows)
    return distinct_texts(said(value, language) for value in answer.values)


def _of_things(rows: Sequence[Row], columns: Sequence[str], language: str) -> tuple[str, ...]:
    """Values of several things behind what has each, `Nile (6650 kilometres)`; of one thing none.

    None, too, where the values are the names, or ids of what has no other name than a number.
    """
    pairs = [(row[0], row[1]) for row in rows if len(row) == 2]
    named = [(one, value) for one, value in pairs if one and value and one.type == "iri"]
    are_ids = any(map(is_identifier, columns[1:]))
    are_names = all(str(one) == str(value) or (are_ids and _is_numbered(one)) for one, value in named)
    if len(named) < len(rows) or len({one.value for one, _ in named}) < 2 or are_names:
        return ()
    return tuple(f"{said(one, language)} ({said(value, language)})" for one, value in named)


def _is_numbered(thing: AnswerValue) -> bool:
    """True if a thing is called by the end of its IRI, which has a number: `Report-7`."""
    return str(thing) == local_name(thing.value) and any(map(str.isdigit, str(thing)))


def row_text(row: Row, language: str = ENGLISH) -> str:
    """A row on one line, an empty cell as a dash: `Eastmoor (3)`, the numbers behind the names before them.

    Where the first cell is no name, or a name stands behind a number, the cells have no brackets.
    """
    texts = ["–" if cell is None else said(cell, language) for cell in row]
    kinds = [cell and cell.type for cell in row]
    first = kinds.index("number") if "number" in kinds else 0
    if not first or not is_name(row[0]) or not {"number", None}.issuperset(kinds[first:]):
        return listed(texts)
    return f"{listed(texts[:first])} ({', '.join(texts[first:])})"


def _table_text(answer: Answer, truncated: bool, say: Say, language: str) -> str:
    """The row where there is one, else how many there are and how they begin."""
    count, first = len(answer.rows), row_text(answer.rows[0], language)
    if count == 1 and not truncated:
        return first
    text = say("rows", count=say("at_least", count=count) if truncated else count, first=first)
    return text[:1].upper() + text[1:]


def _verdict_text(program: Program, answer: Answer, say: Say, language: str) -> str:
    word = str(answer.values[0])
    verdict = say(word)
    found = listed(dict.fromkeys(said(value, language) for value in answer.evidence))
    if program.steps[-1].function == "Exists" or _is_flag(program, answer):
        return verdict
    if found:
        return say(_way_to_tell(program, word), verdict=verdict, values=found)
    return say("states_nothing", verdict=verdict) if word == "no" else verdict


def _is_flag(program: Program, answer: Answer) -> bool:
    """True if a verdict is on one text of so or not so, which says no more than the verdict."""
    verified = program.steps[-1]
    asked = program.steps[verified.dependencies[0]]
    texts = {verified.inputs[0], *map(str, answer.evidence)}
    return len(answer.evidence) == 1 and are_truths(texts, "".join(asked.inputs[:1]))


def _way_to_tell(program: Program, word: str) -> str:
    """The key of the sentence for the values that a verdict is on: stated by the graph, or calculated."""
    verified, steps = program.steps[-1], program.steps
    measured = steps[verified.dependencies[0]]
    outside = measured.function == "Count" and steps[measured.dependencies[0]].function == "Except"
    if outside and verified.inputs == ("0", "="):
        return "no_exception" if word == "yes" else "exceptions"
    if (measured.function, *measured.inputs) == ("Calculate", "-"):
        return "difference"
    if measured.signature.output == Type.NUMBER or measured.function in CALCULATING:
        return _NUMBERS.get(measured.function, "calculated")
    return "states"


def diagnosis_of(
    program: Program,
    counts: dict[int, int],
    language: str = ENGLISH,
    reasons: Mapping[int, str] = MappingProxyType({}),
) -> str:
    """Return the sentence that names the first empty set; `counts` has the known sizes of steps.

    `reasons` are sentences on steps that find nothing; that on values of known members says it all.
    """
    say = saying(language)
    sets = [index for index, step in enumerate(program.steps) if step.signature.output in _SETS]
    empty = next((index for index in sets if counts.get(index) == 0), None)
    reached = [index for index in sets if empty is None or index < empty]
    unknown = [str(index + 1) for index in reached if index not in counts and not _is_all(program, index)]
    at = len(program) - 1 if empty is None else empty
    key = _found_nothing(program, bool(unknown)) if empty is None else _left_nothing(program, at, counts)
    counted = [str(counts[source]) for source in program.steps[at].dependencies if source in counts]
    told = [reasons[at]] if at in reasons else []
    if empty is not None or not told:
        told.insert(0, say(key, number=at + 1, step=program.steps[at], counts=joined(counted, say, "both")))
    if unknown:
        told.append(say("not_counted", steps=", ".join(unknown)))
    return " ".join(told)


def _is_all(program: Program, index: int) -> bool:
    """True if the step is every entity of the graph, which is never empty and seldom counted."""
    return program.steps[index].signature.name == "FindAll"


def _found_nothing(program: Program, unknown: bool) -> str:
    """The key of the sentence for a last step without result; `unknown` if a set was not counted."""
    missing = "no_row" if program.steps[-1].signature.output == Type.ROWS else "no_value"
    return missing if unknown else f"{missing}_of_members"


def _left_nothing(program: Program, index: int, counts: dict[int, int]) -> str:
    """The key of the sentence for an empty set, by the counts of the sets its step depends on."""
    sources = [source for source in program.steps[index].dependencies if not _is_all(program, source)]
    if not sources:
        return "leaves_no_such"
    return "leaves_none_of" if counts.keys() >= set(sources) else "leaves_nothing"
