"""Whatever a language model writes, a question that has an answer without it keeps that answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from benchmarks.scripted_model import ScriptedModel
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.models.opened import OpenedModel
from nlq_gateway.settings import Settings

Written = Callable[[str], Pipeline]
LAST = "\nStep 2: Relate(directed by, forward)\nStep 3: What()"
TEXTS = {
    "a text that no store takes": f"Step 1: Find(\x00){LAST}",
    "half a letter": f"Step 1: Find(\ud800){LAST}",
    "no IRI": f"Step 1: Find(<http://x/ a> }} DROP ALL #>){LAST}",
    "no IRI either": f'Step 1: Find(<http://x/"> }} ; DELETE {{ ?s ?p ?o }}>){LAST}',
    "brackets": f"Step 1: Find({'(' * 5_000}{')' * 5_000}){LAST}",
    "calls in calls": "expression_1 = " + "COUNT(" * 5_000 + ")" * 5_000,
    "signs": "expression_1 = " + "-" * 5_000 + "1",
    "a long name": f"Step 1: Find({'x ' * 5_000}){LAST}",
    "a long number": f"Step 1: FindAll()\nStep 2: FilterNum(duration, {'9' * 5_000}, >)\nStep 3: Count()",
    "steps": "\n".join(f"Step {number}: FindAll()" for number in range(1, 500)),
    "code as a unit": "Step 1: FindAll()\nStep 2: FilterNum(duration, 5 exit(), >)\nStep 3: Count()",
    "itself": "Step 1: And() <- 1, 1\nStep 2: What()",
    "nothing": "",
}


@pytest.fixture(scope="module")
def written() -> Iterator[Written]:
    """A gateway over the sample graph with a model that writes one text, whatever it is asked."""
    text = [""]
    model = ScriptedModel(lambda request: text * request.samples, prefer=lambda _, option: -len(option))
    gateway = Pipeline(Settings.for_data(["builtin:sample"]), OpenedModel(lambda: model, "scripted"))
    gateway.endpoint(None).prepare()

    def writing(one: str) -> Pipeline:
        text[0] = one
        return gateway

    yield writing
    gateway.close()


@pytest.mark.parametrize("strategy", ["steps", "code", "decompose", "explore"])
@pytest.mark.parametrize("case", TEXTS)
def test_it_is_an_attempt_and_no_more(written: Written, strategy: str, case: str) -> None:
    # Each question is another one, so that no kept reply stands for another.
    question = "Who directed Pulp Fiction" + "?" * (1 + list(TEXTS).index(case))
    trace = written(TEXTS[case]).ask(Ask(question, strategy=strategy))
    assert trace.answer is not None
    assert trace.answer.strings == ("Quentin Tarantino",)
    assert trace.attempts
