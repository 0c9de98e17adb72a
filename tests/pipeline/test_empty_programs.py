"""A program that finds nothing is sent to the store once, also where nothing better is found."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.answering import selection as choosing
from nlq_gateway.answering.attempt import Outcome
from tests.pipeline.scripted_gateway import modelled, writing

NOTHING = """
Step 1: Find(Pulp Fiction)
Step 2: Relate(directed by, forward)
Step 3: FilterYear(date of birth, 3000, >)
Step 4: What()
"""


def test_it_runs_once(gateway: Pipeline, monkeypatch: pytest.MonkeyPatch) -> None:
    run: Counter[str] = Counter()
    carry_out = choosing.carry_out

    def counted(*arguments: Any, **options: Any) -> Outcome:
        outcome = carry_out(*arguments, **options)
        run[outcome.query.text] += 1
        return outcome

    monkeypatch.setattr(choosing, "carry_out", counted)
    trace = modelled(gateway, writing(NOTHING)).ask(Ask("Who directed Pulp Fiction?", strategy="steps"))
    assert [one.outcome for one in trace.attempts if one.source == "steps"] == ["empty"]
    assert len(run) == 2
    assert set(run.values()) == {1}
