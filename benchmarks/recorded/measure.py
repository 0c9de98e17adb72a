"""Results of recorded programs: unchanged, after repair, alone, and beside the other sources.

`only`: the model's program alone; `steps`: its program first; `auto`: the one that the gateway rates higher.
lost: questions right with `only` and wrong with `auto`; withheld: those of them without any answer.
spoken: answers in the question's language, for questions in other languages than English.
faults: texts that are no sound program as written, and after repair by types alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace

from benchmarks.recorded.record import Recorded, calls
from benchmarks.recorded.replay import replaying
from benchmarks.recorded.sets import EXPLORE, STRATEGY, Graph, Set
from compilers.kopl.check import check
from compilers.kopl.repair import repair
from nlq_gateway.answering import Pipeline
from nlq_gateway.drafts.generation.reading import read
from nlq_gateway.language.detection import ENGLISH, language_of
from nlq_gateway.models.opened import OpenedModel
from nlq_gateway.offline.evaluation import GoldQuestion, Measurement, Measurer

# The options of each column: the strategy, and True to use it alone.
WAYS = {"only": (STRATEGY, True), "steps": (STRATEGY, False), "auto": ("auto", False)}
# The options for a dialogue: its first text alone, and all of it.
LOOKS = {"only": (STRATEGY, True), "explored": (EXPLORE, True)}
_ALL_WAYS = {**WAYS, **LOOKS, "bottom-up": ("bottom-up", False)}


@dataclass(frozen=True, slots=True)
class Outcome:
    """One recorded question: was its first text a program, and how right is its answer by each strategy.

    `scores` are exactness and F1; `answered` is True if an answer was given, with this `confidence`;
    `spoken` is True if the answer to a question in another language than English is in that language;
    `parts` are the features of the model's own program (nlq_gateway/judging/confidence/few_shot.py), `calls`
    the number of requests to the model for a program.
    """

    set: str
    id: str
    sound: bool
    repaired: bool
    scores: dict[str, tuple[float, float]]
    answered: dict[str, bool]
    confidence: dict[str, float | None]
    spoken: dict[str, bool]
    parts: dict[str, float]
    calls: int = 1


def outcomes(found: Iterable[Set], recorded: Sequence[Recorded], ways: Sequence[str]) -> Iterator[Outcome]:
    """Yield the results of the recorded questions of these sets; a process for each graph, two at once."""
    with ProcessPoolExecutor(2) as pool:
        jobs = [
            pool.submit(_of_graph, one.name, graph, _of(recorded, one, graph), _ways(one, ways))
            for one in found
            for graph in one.graphs
        ]
        for job in jobs:
            yield from job.result()


def _ways(one: Set, ways: Sequence[str]) -> tuple[str, ...]:
    return tuple(LOOKS if one.strategy == EXPLORE else ways)


def _of(recorded: Iterable[Recorded], one: Set, graph: Graph) -> tuple[Recorded, ...]:
    return tuple(reply for reply in recorded if (reply.set, reply.graph) == (one.name, graph.name))


def _of_graph(name: str, graph: Graph, recorded: Sequence[Recorded], ways: Sequence[str]) -> list[Outcome]:
    replies = {one.id: one for one in recorded}
    asked = [question for question in graph.questions if question.id in replies]
    if not asked:
        return []
    measured: dict[str, list[Measurement]] = {}
    gateway = _gateway(graph, recorded)
    asked = [_in_its_language(one, gateway) for one in asked]
    for way in ways:
        strategy, only = _ALL_WAYS[way]
        measured[way] = list(map(Measurer(gateway, strategy, only=only).measure, asked))
    gateway.close()
    return [
        _outcome(name, replies[question.id], {way: found[at] for way, found in measured.items()})
        for at, question in enumerate(asked)
        if all(found[at].score is not None for found in measured.values())
    ]


def _in_its_language(question: GoldQuestion, gateway: Pipeline) -> GoldQuestion:
    """The question with the gold answers in its own language, if it has a gold program."""
    if question.language == "en" or question.program is None:
        return question
    answer = gateway.run(question.program, language=question.language, probes=False).answer
    return replace(question, answers=tuple(answer.strings) if answer else question.answers)


def _gateway(graph: Graph, recorded: Sequence[Recorded]) -> Pipeline:
    most = max(calls(graph), *(1 + len(one.others) for one in recorded))
    budget = {"seconds": 60, "calls": most, "tokens": 10**6}
    settings = graph.settings(writer=STRATEGY, samples=0, budget=budget)
    model = replaying(recorded)
    gateway = Pipeline(settings, OpenedModel(lambda: model, model.name))
    gateway.endpoint(None).prepare()
    return gateway


def _outcome(name: str, reply: Recorded, measured: dict[str, Measurement]) -> Outcome:
    scores = {way: (one.score.exact, one.score.f1) for way, one in measured.items() if one.score}
    answered = {way: one.score is not None and one.score.answered > 0 for way, one in measured.items()}
    confidence = {way: one.confidence for way, one in measured.items()}
    spoken = {
        way: language_of(one.text) == one.question.language
        for way, one in measured.items()
        if one.question.language != ENGLISH
    }
    parts = dict(measured["only"].confidence_parts)
    asked = 1 + len(reply.others)
    return Outcome(name, reply.id, *_soundness(reply), scores, answered, confidence, spoken, parts, asked)


def _soundness(reply: Recorded) -> tuple[bool, bool]:
    """True if a text is a sound program as written, and True if it is one once repaired by types."""
    reading = read(reply.reply, STRATEGY)
    if reading.program is None:
        return False, False
    programs = (reading.program, repair(reading.program).program)
    as_written, repaired = (not any(one.severity == "error" for one in check(each)) for each in programs)
    return as_written and not reading.issues, repaired
