"""The cost of one question: calls and tokens are counted, kept replies are free, and the budget holds."""

from __future__ import annotations

import threading
import tracemalloc
from dataclasses import replace

import pytest

from benchmarks.scripted_model import ScriptedModel
from nlq_gateway.models import Deadline, ModelError, ModelRequest, Prompt, Sampling
from nlq_gateway.models.errors import BudgetSpent, Cancelled, ModelTimeout, ModelUnreachable
from nlq_gateway.models.metered import Metered, QuestionBudget, RememberedReplies

PROMPT = Prompt("Translate.\n", "one ->")
ENOUGH = Deadline()


def prompt(number: int) -> Prompt:
    return replace(PROMPT, body=f"{number} ->")


def metered(model: ScriptedModel, **budget: int) -> Metered:
    return Metered(model, replace(QuestionBudget(), **budget))


def failing(_: ModelRequest) -> list[str]:
    raise ModelUnreachable("the server is gone", request_id="r-7")


def test_calls_and_tokens_are_counted_by_purpose() -> None:
    model = metered(ScriptedModel.replaying("uno", "due"))
    model.generate(ModelRequest(prompt(1)), ENOUGH)
    model.about("choose").generate(ModelRequest(prompt(2)), ENOUGH)
    assert [call.purpose for call in model.spent.calls] == ["write", "choose"]
    assert model.spent.number() == 2
    read = sum(model.count_tokens(prompt(number).text) for number in (1, 2))
    assert model.spent.tokens() == read + 2


def test_the_same_prompt_is_asked_once() -> None:
    scripted = ScriptedModel.replaying("uno", "due")
    model = metered(scripted, calls=1)
    first = model.generate(ModelRequest(PROMPT), ENOUGH)
    assert model.generate(ModelRequest(PROMPT), ENOUGH) == first
    assert len(scripted.requests) == 1
    assert [call.cached for call in model.spent.calls] == [False, True]
    assert model.spent.number() == 1


@pytest.mark.parametrize(
    ("sampling", "samples", "grammar"),
    [(Sampling(seed=1), 1, None), (Sampling(), 2, None), (Sampling(), 1, 'root ::= "a"')],
)
def test_what_is_drawn_otherwise_is_asked_again(
    sampling: Sampling, samples: int, grammar: str | None
) -> None:
    scripted = ScriptedModel.replaying("uno")
    model = metered(scripted)
    model.generate(ModelRequest(PROMPT), ENOUGH)
    model.generate(ModelRequest(PROMPT, sampling, samples=samples, grammar=grammar), ENOUGH)
    assert len(scripted.requests) == 2


def test_long_prompts_do_not_stay_in_memory() -> None:
    kept = RememberedReplies()
    tracemalloc.start()
    for number in range(50):
        assert kept.get((f"{number}" * 100_000, 1), lambda: "uno") == ("uno", False)
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert size < 1_000_000
    assert kept.get(("7" * 100_000, 1), lambda: "due") == ("uno", True)
    assert kept.get(("7" * 100_000, 2), lambda: "due") == ("due", False)


def test_no_call_goes_beyond_the_budget() -> None:
    model = metered(ScriptedModel.replaying("uno"), calls=2)
    model.generate(ModelRequest(prompt(1)), ENOUGH)
    model.generate(ModelRequest(prompt(2)), ENOUGH)
    with pytest.raises(BudgetSpent, match="2 calls"):
        model.generate(ModelRequest(prompt(3)), ENOUGH)
    assert model.spent.number() == 2


def test_a_call_that_could_use_too_many_tokens_is_not_made() -> None:
    scripted = ScriptedModel.replaying("uno")
    with pytest.raises(BudgetSpent, match="50 tokens"):
        metered(scripted, tokens=50).generate(ModelRequest(PROMPT, Sampling(max_tokens=50)), ENOUGH)
    assert not scripted.requests
    metered(scripted, tokens=50).generate(ModelRequest(PROMPT, Sampling(max_tokens=20)), ENOUGH)
    assert len(scripted.requests) == 1


def test_what_is_scored_counts_before_it_is_sent() -> None:
    scoring = ScriptedModel(lambda _: ["uno"], prefer=lambda _, text: -len(text))
    model = metered(scoring, tokens=50)
    with pytest.raises(BudgetSpent, match="50 tokens"):
        model.score(PROMPT, ["a text of many letters"] * 10, ENOUGH)
    assert len(model.score(PROMPT, ["uno", "due"], ENOUGH).tokens) == 2


def test_a_failure_counts_and_is_not_kept() -> None:
    model = metered(ScriptedModel(failing), calls=2)
    for _ in range(2):
        with pytest.raises(ModelUnreachable):
            model.generate(ModelRequest(PROMPT), ENOUGH)
    with pytest.raises(BudgetSpent):
        model.generate(ModelRequest(PROMPT), ENOUGH)
    assert [(call.failure, call.request_id) for call in model.spent.calls] == 2 * [
        ("the server is gone", "r-7")
    ]


def test_a_deadline_that_has_passed_and_a_caller_who_has_gone_end_it() -> None:
    model = metered(ScriptedModel.replaying("uno"))
    with pytest.raises(ModelTimeout):
        model.generate(ModelRequest(PROMPT), Deadline.after(0))
    gone = threading.Event()
    gone.set()
    with pytest.raises(Cancelled):
        model.generate(ModelRequest(PROMPT), replace(ENOUGH, gone=gone))


def test_many_threads_share_one_count() -> None:
    model = metered(ScriptedModel(lambda _: ["uno"]), calls=40)
    threads = [
        threading.Thread(target=lambda number=number: model.generate(ModelRequest(prompt(number)), ENOUGH))
        for number in range(40)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert model.spent.number() == 40


def test_every_error_of_models_says_that_the_model_is_not_there() -> None:
    assert {kind.code for kind in ModelError.__subclasses__()} == {"model-unavailable"}
