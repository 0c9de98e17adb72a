"""Grounds the ideas of one unit: programs with entities and values that give answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from compilers.answers import UNNAMED, Answer
from compilers.kopl.functions import Kind, Type
from compilers.kopl.program import Program
from nlq_gateway.index import Index
from nlq_gateway.language.wording import Wording
from nlq_gateway.offline.exploration.asking import StoreAsker, TooDear
from nlq_gateway.offline.exploration.narrowings import NARROWINGS
from nlq_gateway.offline.exploration.schema import Idea, SchemaItems
from nlq_gateway.offline.exploration.sketch import Place, ProgramSketch
from nlq_gateway.offline.exploration.starts import STARTS
from nlq_gateway.offline.exploration.walker import FORMS
from nlq_gateway.offline.exploration.work import Site, Work

WANTED = 2
MOST_ANSWERS = 100
SHOWN = 5
# Programs that the ideas of one slot may put to the store.
ALLOWANCE = 24
_COUNTS = ("Count", "CountValues", "CountTable")


@dataclass(frozen=True, slots=True)
class FoundProgram:
    """A program that gives answers.

    `choices` has the IRIs of arguments whose names are ambiguous; `count` is the number of answers, or rows
    of a table, `answers` the first few, `questions` are English wordings.
    """

    program: Program
    choices: tuple[tuple[Place, tuple[str, ...]], ...]
    count: int
    answers: tuple[str, ...]
    questions: tuple[str, ...]


def ground(
    slots: tuple[tuple[Idea, ...], ...], asker: StoreAsker, schema: SchemaItems, wording: Wording, seed: str
) -> Iterator[tuple[FoundProgram, ...]]:
    """The programs of each slot: of its first idea with results; `seed` chooses entities and values.

    Raises:
        GivesUp: the store does not answer any more, or a budget is spent.
    """
    for position, ideas in enumerate(slots):
        asker.allowance = ALLOWANCE
        work = Work(asker, schema, wording, Random(f"{seed}/{position}"))
        tried = (tuple(_programs(work, idea)) for idea in ideas)
        yield next(filter(None, tried), ())


def _programs(work: Work, idea: Idea) -> Iterator[FoundProgram]:
    """At most as many as are wanted of one idea."""
    programs: set[Program] = set()
    try:
        for site in STARTS[idea.start.form](work, idea):
            for sketch in _closed(work, site):
                found = _tried(work, sketch) if sketch.program not in programs else None
                if found is not None:
                    programs.add(sketch.program)
                    yield found
            if len(programs) >= WANTED:
                return
    except TooDear:
        return


def _closed(work: Work, site: Site) -> Iterator[ProgramSketch]:
    """The complete programs over one set, narrowed first where the idea says so."""
    part, closing = site.idea.narrowing, site.idea.closing
    for sketch in (site.sketch,) if part is None else NARROWINGS[part.form].build(work, site, part):
        yield from FORMS[closing.form].build(work, replace(site, sketch=sketch), closing)


def _tried(work: Work, sketch: ProgramSketch) -> FoundProgram | None:
    """The program with its answers, if they are worth a question."""
    answer = work.asker.answer(sketch)
    if answer is None or not _is_telling(sketch, answer):
        return None
    strings = answer.strings
    ordered = any(step.function == "SortTable" for step in sketch.steps)
    shown = strings if ordered else tuple(sorted(strings))
    choices = tuple(
        (place, iris)
        for place, iris in sketch.choices.items()
        if not _is_clear(work.asker.index, sketch, place)
    )
    questions = work.wording.questions(sketch.program, sketch.choices)
    return FoundProgram(sketch.program, choices, len(strings), shown[:SHOWN], questions)


def _is_telling(sketch: ProgramSketch, answer: Answer) -> bool:
    """True if the answer has some members but not too many, and is yes or no if a verdict was asked."""
    strings, cells = answer.strings, [cell for row in answer.rows for cell in row]
    if not 0 < len(strings) <= MOST_ANSWERS or not all(map(_says, strings)):
        return False
    if answer.output == Type.VERDICT:
        return strings[0] in ("yes", "no")
    if len(set(strings)) < len(strings) or not all(_says(str(cell or "")) for cell in cells):
        return False
    return sketch.steps[-1].function not in _COUNTS or float(strings[0]) > 1


def _says(text: str) -> bool:
    """True if a text is neither empty nor that of an unnamed thing."""
    return text.strip() not in ("", UNNAMED)


def _is_clear(index: Index, sketch: ProgramSketch, place: Place) -> bool:
    """True if the name alone identifies its item."""
    step, argument = place
    name = sketch.steps[step].inputs[argument]
    kind = sketch.steps[step].signature.parameters[argument].kind
    if kind == Kind.ENTITY:
        known = tuple(item.iri for item in index.entities_named(name))
    else:
        items = index.named(kind, name)
        known = tuple(item.iri for item in items if item.label == name) or tuple(i.iri for i in items[:1])
    return known == sketch.choices[place]
