"""One gateway, many threads."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.settings import Settings

# What is made on first use is met in the first round.
THREADS, ROUNDS = 4, 2 if "NLQ_EXAMPLES" in os.environ else 1
QUESTIONS = [
    *(
        "Who directed Her?",
        "Who directed 1984?",
        "Who wrote It?",
        "Who directed It?",
        "Which film is the longest?",
    ),
    *("Which films star Amy Adams?", "When was Up released?", "How long is Psycho?", "Who directed Amelie?"),
    "How many films did Alfred Hitchcock direct?",
]


def _lasting(document: dict[str, Any]) -> dict[str, Any]:
    """The parts that two answers to one question share: all but the identifier and times."""
    steps = [{key: part for key, part in step.items() if key != "ms"} for step in document["steps"]]
    return {**document, "id": "", "timings_ms": {}, "steps": steps}


def test_threads_get_the_answers_that_one_gets(gateway: Pipeline, settings: Settings, cache: Path) -> None:
    """A gateway of its own, so that the threads meet what is made on first use."""
    assert (cache / "endpoints" / "cinema").is_dir()
    expected = [_lasting(gateway.ask(Ask(question, "cinema")).as_json()) for question in QUESTIONS]
    fresh = Pipeline(settings.only("cinema"))
    fresh.endpoint(None).prepare()

    def work(number: int) -> list[tuple[int, dict[str, Any]]]:
        order = [(number + step) % len(QUESTIONS) for step in range(ROUNDS * len(QUESTIONS))]
        return [(at, _lasting(fresh.ask(Ask(QUESTIONS[at])).as_json())) for at in order]

    with ThreadPoolExecutor(THREADS) as pool:
        found = [pair for pairs in pool.map(work, range(THREADS)) for pair in pairs]
    fresh.close()
    assert len(found) == THREADS * ROUNDS * len(QUESTIONS)
    assert [at for at, document in found if document != expected[at]] == []
