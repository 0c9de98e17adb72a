"""Adapts the judge's weights to one endpoint, and keeps them only if this helps.

The questions are those of the exploration's corpus and confirmed ones, asked with the other questions as
demonstrations. Cross-validation chooses how near weights stay to the shipped ones. They are kept if more
held-out questions are gained than lost, by more than chance, and none of the built-in graph's questions
is lost.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from random import Random

from compilers.errors import CompilerError
from compilers.kopl.functions import Type
from connectors.errors import EndpointTimeout
from nlq_gateway.answering import Pipeline
from nlq_gateway.answering.attempt import Ask, carry_out
from nlq_gateway.core.errors import ConfigurationError
from nlq_gateway.core.types import Demonstration, Draft
from nlq_gateway.drafts.demonstrations import Collection, Read, read_demonstrations
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.judging import BEFORE, JudgeWeights, Tuned, digest, shipped
from nlq_gateway.offline.evaluation import read_questions
from nlq_gateway.offline.evaluation.measure import predicted
from nlq_gateway.offline.evaluation.questions import Gold
from nlq_gateway.offline.tuning.collect import MILLISECONDS, Collector
from nlq_gateway.offline.tuning.fit import LabelledCandidates, fitted
from nlq_gateway.question.linking import Linker
from nlq_gateway.settings import SAMPLE, Settings
from nlq_gateway.trace import Recorder

FOLDS = 5
HALVES = 2
PENALTIES = (10.0, 30.0, 100.0, 300.0)
CONFIRMED = 3.0  # how often a confirmed question counts
FEW = 20
SEED = 0

Progress = Callable[[int, int], object]


@dataclass(frozen=True, slots=True)
class Trial:
    """Weights learned with one penalty: how many held-out questions they gain and lose."""

    weights: JudgeWeights
    right: int
    gained: int
    lost: int

    @property
    def helps(self) -> bool:
        """True if the gain exceeds chance."""
        return self.gained - self.lost > math.sqrt(self.gained + self.lost)


@dataclass(frozen=True, slots=True)
class TuningResult:
    """The result of tuning; `tuned` is None if nothing is kept, for the `reason`."""

    questions: int
    before: int
    after: int
    tuned: Tuned | None = None
    reason: str = ""


def tune(
    pipeline: Pipeline,
    corpus: Path,
    confirmed: Sequence[Demonstration] = (),
    most: int = 300,
    progress: Progress = max,
) -> TuningResult:
    """Learn from at most so many questions of a corpus, and all that were confirmed.

    Raises:
        ConfigurationError: there is no corpus, or hardly a question in it.
        EndpointError: the store failed.
    """
    explored = _drawn(corpus, most)
    if len(explored) + len(confirmed) < FEW:
        hint = "explore more of the graph first"
        raise ConfigurationError(f"{corpus} has fewer than {FEW} questions", hint=hint)
    choices = list(_choices(pipeline.endpoint(None), pipeline, explored, confirmed, progress))
    return judged(choices, _sample(), len(confirmed))


def judged(
    choices: Sequence[LabelledCandidates], sample: Sequence[LabelledCandidates], confirmed: int = 0
) -> TuningResult:
    """Learn from choices, and decide if the result is kept; `sample` are those of the built-in graph."""
    trials = [trial for one in PENALTIES if _keeps(sample, (trial := _trial(choices, one)).weights)]
    return _verdict(choices, sample, confirmed, trials)


def _verdict(
    choices: Sequence[LabelledCandidates],
    sample: Sequence[LabelledCandidates],
    confirmed: int,
    trials: Sequence[Trial],
) -> TuningResult:
    before = sum(one.is_right(shipped()) for one in choices)
    if not trials:
        return TuningResult(
            len(choices), before, before, reason="questions of the built-in graph would be lost"
        )
    best = max(trials, key=lambda one: one.right)
    if not best.helps:
        reason = f"held-out questions gained: {best.gained}, lost: {best.lost}"
        return TuningResult(len(choices), before, best.right, reason=reason)
    tuned = Tuned(
        when=datetime.now(UTC).isoformat(timespec="seconds"),
        questions=len(choices),
        confirmed=confirmed,
        held_out={"before": before, "after": best.right},
        sample={
            "questions": len(sample),
            "before": sum(one.is_right(shipped()) for one in sample),
            "after": sum(one.is_right(best.weights) for one in sample),
        },
        changed={
            name: {"shipped": shipped()[name], "tuned": best.weights[name]}
            for name in BEFORE
            if round(best.weights[name] - shipped()[name], 4)
        },
        base=digest(shipped()),
    )
    return TuningResult(len(choices), before, best.right, tuned)


def _trial(choices: Sequence[LabelledCandidates], penalty: float) -> Trial:
    """Fit weights on all questions; their gain is estimated by cross-validation."""
    gained = lost = right = 0
    for fold in range(FOLDS):
        others = [one for at, one in enumerate(choices) if at % FOLDS != fold]
        weights = fitted(others, shipped(), penalty)
        for one in choices[fold::FOLDS]:
            before, after = one.is_right(shipped()), one.is_right(weights)
            right, gained, lost = right + after, gained + (after > before), lost + (after < before)
    return Trial(fitted(choices, shipped(), penalty), right, gained, lost)


def _keeps(sample: Sequence[LabelledCandidates], weights: JudgeWeights) -> bool:
    """True if every question that the shipped weights answer stays answered."""
    return all(one.is_right(weights) for one in sample if one.is_right(shipped()))


def _drawn(corpus: Path, most: int) -> list[Demonstration]:
    """A question each of at most so many of the corpus's programs, drawn by chance."""
    if not corpus.is_file():
        raise ConfigurationError(f"there is no corpus {corpus}", hint="run nlq explore without --tune first")
    found = {one.program: one for one in reversed(read_demonstrations(str(corpus)).demonstrations)}
    order = Random(SEED)
    return order.sample(list(found.values()), min(most, len(found)))


def _choices(
    endpoint: Endpoint,
    pipeline: Pipeline,
    explored: Sequence[Demonstration],
    confirmed: Sequence[Demonstration],
    progress: Progress,
) -> Iterator[LabelledCandidates]:
    """The candidates for each question, whose demonstrations are those of the other half."""
    collector = Collector(pipeline)
    every = [*explored, *confirmed]
    folder = endpoint.folder / "demonstrations"
    for half in range(HALVES):
        others = Read(tuple(one for at, one in enumerate(every) if at % HALVES != half))
        known = Collection(endpoint.id, (others,), endpoint.index, Linker(endpoint.index).link, folder)
        for at in range(half, len(every), HALVES):
            progress(at // HALVES + half * len(every) // HALVES, len(every))
            gold = _gold(endpoint, every[at])
            if gold:
                weight = CONFIRMED if every[at].source == "confirmed" else 1.0
                listed = collector.collect(every[at].question, gold, demonstrations=known)
                yield listed.choice(weight=weight)
    progress(len(every), len(every))


def _gold(endpoint: Endpoint, right: Demonstration) -> Gold:
    """The answers of the right program, in the form of a question file; () if it has none here."""
    request = Ask(right.question, timeout_ms=MILLISECONDS)
    try:
        draft = Draft(right.program, "given", 1.0, choices=dict(right.choices))
        outcome = carry_out(endpoint, request, draft, {}, Recorder(), near=False)
    except (CompilerError, EndpointTimeout):
        return ()
    rows = tuple(tuple(ways[0] for ways in row) for row in predicted(outcome.answer))
    table = outcome.answer is not None and outcome.answer.output == Type.ROWS
    return rows if table else tuple(row[0] for row in rows)


def _sample() -> tuple[LabelledCandidates, ...]:
    """The candidates for the built-in graph's questions."""
    pipeline = Pipeline(Settings.for_data([SAMPLE]))
    pipeline.endpoint(None).prepare()
    collector = Collector(pipeline)
    questions = read_questions(str(resources.files("nlq_gateway.sample") / "questions.jsonl"))
    found = tuple(
        collector.collect(one.text, one.answers, one.language).choice() for one in questions if one.answers
    )
    pipeline.close()
    return found
