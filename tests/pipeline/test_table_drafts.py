"""A strategy may draft programs with extensions: which draft is taken, and how sure its answer is."""

from __future__ import annotations

import pytest

from compilers.kopl.notations import read_program
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.answering.sources import Sources
from nlq_gateway.core.types import Draft
from nlq_gateway.judging import together

RIVERS = ("FindAll()", "FilterConcept(river)", "QueryAttr(length)", "Table() <- 2, 3")
PROGRAMS = {
    "a table": (*RIVERS, "SortTable(2, descending)", "LimitTable(2)"),
    "no row": (*RIVERS, "FilterTable(2, 100000 kilometre, >)"),
    "a set": ("FindAll()", "FilterConcept(river)", "SelectTop(length, largest, 2)"),
    "a member": ("FindAll()", "FilterConcept(river)", "Exists()"),
    "no member": ("Find(Nile)", "Relate(capital, forward)", "Exists()"),
    "an average": ("FindAll()", "FilterConcept(river)", "QueryAttr(length)", "Average()"),
    "no average": ("FindAll()", "FilterConcept(river)", "QueryAttr(population)", "Average()"),
    "a sum of nothing": ("FindAll()", "FilterConcept(river)", "QueryAttr(population)", "Sum()"),
    "no rows to count": (*RIVERS, "FilterTable(2, 100000 kilometre, >)", "CountTable()"),
}
NOTHING = ("no row", "no average", "a sum of nothing", "no rows to count")


def drafted(name: str, score: float) -> Draft:
    steps = enumerate(PROGRAMS[name], 1)
    program = read_program("\n".join(f"Step {n}: {step}" for n, step in steps))
    return Draft(program, "test", score, {"explained": 1.0, "cost": 0.0})


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_draft_that_finds_something_is_taken(
    gateway: Pipeline, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    drafts = (drafted(name, 1.0), drafted("a table", 0.25))
    monkeypatch.setattr(Sources, "propose", lambda *_, **__: iter([together(drafts, lambda _: 0.0)]))
    # Wordings are compared with English questions only: here the scores alone order the drafts.
    # A guess would be the likelier draft, though it finds nothing.
    asked = "Are the rivers long?" if PROGRAMS[name][-1] == "Exists()" else "How long are the rivers?"
    trace = gateway.ask(Ask(asked, "sample", "de", guess=name not in NOTHING))
    taken = drafts[name in NOTHING]
    assert trace.program == taken.program
    outcomes = [attempt.outcome for attempt in trace.attempts]
    assert outcomes[: outcomes.index("answered")] == ["empty"] * (name in NOTHING)
    assert trace.status == ("unanswerable" if name in NOTHING else "answered")
    assert 0 < trace.confidence <= 1
    assert [warning.code for warning in trace.warnings] == ["likelier-reading-empty"] * (name in NOTHING)
