"""When a request comes to nothing its caller learns why at once, and the others are answered."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tiny_model import make_tiny_model

from nlq_gateway.models import Deadline, ModelError, ModelRequest, Prompt, Reply, Sampling, Scores
from nlq_gateway.models.errors import Cancelled, ModelBusy, ModelMissing, ModelTimeout
from nlq_gateway.models.local import LocalModel
from tests.clock import promptly, until

pytestmark = pytest.mark.models

PROMPT = Prompt("Answer with a program.\n", "Which films?\n")
LONG = Sampling(max_tokens=2000, stop=("\x00never",))
SHORT = Sampling(max_tokens=5)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import torch

    torch.set_num_threads(1)
    return make_tiny_model(tmp_path_factory.mktemp("tiny"))


@contextmanager
def watched(folder: Path, before: Callable[[int], None], **options: Any) -> Iterator[LocalModel]:
    """A model that calls `before` with the number of rows before each forward pass."""
    from nlq_gateway.models.local.loading import load

    loaded = load(str(folder), "cpu")
    loaded.model.register_forward_pre_hook(
        lambda _module, _args, named: before(named["input_ids"].shape[0]), with_kwargs=True
    )
    model = LocalModel(loaded, **options)
    try:
        yield model
    finally:
        model.close()


@contextmanager
def held(folder: Path, **options: Any) -> Iterator[tuple[LocalModel, threading.Event]]:
    """A model that stands still before each forward pass until the event is set."""
    gate = threading.Event()
    with watched(folder, lambda _: gate.wait(30) and None, **options) as model:
        try:
            yield model, gate
        finally:
            gate.set()


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(16) as pool:
        yield pool


def ask(model: LocalModel, sampling: Sampling = SHORT, deadline: Deadline | None = None) -> Reply:
    return model.generate(ModelRequest(PROMPT, sampling), deadline or Deadline.after(60))


def rate(model: LocalModel, deadline: Deadline | None = None) -> Scores:
    return model.score(PROMPT, ["a", "b"], deadline or Deadline.after(60))


@pytest.mark.parametrize("call", [ask, rate])
def test_a_caller_leaves_at_its_deadline_while_the_model_is_busy(
    folder: Path, call: Callable[..., Any]
) -> None:
    with held(folder) as (model, gate):
        with promptly(least=0.2), pytest.raises(ModelTimeout):
            call(model, deadline=Deadline.after(0.2))
        gate.set()
        assert ask(model).generations[0].tokens == 5


def test_a_caller_that_is_gone_before_it_begins(folder: Path) -> None:
    deadline = Deadline.after(60)
    deadline.gone.set()
    passes: list[int] = []
    with watched(folder, passes.append) as model:
        with pytest.raises(Cancelled):
            ask(model, deadline=deadline)
        with pytest.raises(ModelTimeout):
            model.score(PROMPT, ["a"], Deadline.after(0))
    assert not passes


def test_a_request_that_is_cancelled_leaves_the_batch_and_the_others_stay(
    folder: Path, pool: ThreadPoolExecutor
) -> None:
    passes: list[int] = []

    def slowly(rows: int) -> None:
        passes.append(rows)
        time.sleep(0.005)

    with watched(folder, slowly) as model:
        wanted = ask(model, Sampling(max_tokens=60)).generations[0]
        deadlines = [Deadline.after(60) for _ in range(3)]
        gone = [pool.submit(ask, model, LONG, deadline) for deadline in deadlines]
        until(lambda: passes[-1] == 3)
        stays = pool.submit(ask, model, Sampling(max_tokens=60))
        until(lambda: passes[-1] == 4)
        for deadline in deadlines:
            deadline.gone.set()
        for one in gone:
            with promptly(8), pytest.raises(Cancelled):
                one.result()
        assert stays.result().generations[0].text == wanted.text
        assert passes[-1] == 1


def test_a_deadline_in_the_middle(folder: Path) -> None:
    passes: list[int] = []

    def slowly(rows: int) -> None:
        passes.append(rows)
        time.sleep(0.01)

    with watched(folder, slowly) as model:
        with promptly(), pytest.raises(ModelTimeout):
            ask(model, LONG, Deadline.after(1))
        assert len(passes) > 5
        time.sleep(0.1)
        after = len(passes)
        time.sleep(0.1)
        assert len(passes) == after


def test_a_full_queue_is_busy_and_takes_the_place_of_those_that_left(
    folder: Path, pool: ThreadPoolExecutor
) -> None:
    reached = threading.Event()
    gate = threading.Event()

    def stop(_: int) -> None:
        reached.set()
        gate.wait(30)

    with watched(folder, stop, rows=2, waiting=3) as model:
        try:
            first = pool.submit(ask, model)
            assert reached.wait(20)
            deadlines = [Deadline.after(60) for _ in range(3)]
            queued = [pool.submit(ask, model, SHORT, deadline) for deadline in deadlines]
            until(lambda: len(model._worker._waiting._jobs) == 3)
            with pytest.raises(ModelBusy) as raised:
                ask(model)
            assert raised.value.retryable
            assert raised.value.hint
            deadlines[1].gone.set()
            replaced = pool.submit(ask, model)
            with pytest.raises(Cancelled):
                queued[1].result()
        finally:
            gate.set()
        for one in (first, queued[0], queued[2], replaced):
            assert one.result().generations[0].tokens == 5


@pytest.mark.parametrize("at", [0, 1, 4])
def test_an_exception_reaches_the_callers_and_the_thread_lives_on(folder: Path, at: int) -> None:
    passes: list[int] = []

    def fail(rows: int) -> None:
        passes.append(rows)
        if len(passes) == at + 1:
            raise ValueError("wires crossed")

    with watched(folder, fail) as model:
        with pytest.raises(ModelError, match="ValueError: wires crossed") as raised:
            ask(model)
        assert isinstance(raised.value.__cause__, ValueError)
        assert ask(model).generations[0].tokens == 5
        assert model.score(PROMPT, ["a"], Deadline.after(60)).tokens == (1,)


def test_a_failure_of_scoring_is_no_matter_of_what_is_written(folder: Path, pool: ThreadPoolExecutor) -> None:
    passes: list[int] = []

    def fail(rows: int) -> None:
        passes.append(rows)
        time.sleep(0.002)
        if rows == 7:
            raise ValueError("wires crossed")

    with watched(folder, fail) as model:
        writing = pool.submit(ask, model, Sampling(max_tokens=200))
        until(lambda: len(passes) > 5)
        with pytest.raises(ModelError, match="wires crossed"):
            model.score(PROMPT, list("abcdefg"), Deadline.after(60))
        assert writing.result().generations[0].tokens == 200


def test_out_of_memory_halves_the_batch_and_begins_again(folder: Path, pool: ThreadPoolExecutor) -> None:
    import torch

    passes: list[int] = []

    def narrow(rows: int) -> None:
        passes.append(rows)
        time.sleep(0.002)
        if rows > 4:
            raise torch.OutOfMemoryError("no room")

    with watched(folder, narrow, rows=8) as model:
        wanted = ask(model, Sampling(max_tokens=40)).generations[0].text
        asked = [pool.submit(ask, model, Sampling(max_tokens=40)) for _ in range(10)]
        assert {one.result().generations[0].text for one in asked} == {wanted}
        assert max(passes[passes.index(next(rows for rows in passes if rows > 4)) + 1 :]) <= 4


def test_out_of_memory_twice_is_an_error(folder: Path) -> None:
    import torch

    full = True

    def never(_: int) -> None:
        if full:
            raise torch.OutOfMemoryError("no room")

    with watched(folder, never) as model:
        with pytest.raises(ModelError, match="OutOfMemoryError: no room") as raised:
            ask(model)
        assert raised.value.hint
        with pytest.raises(ModelError, match="OutOfMemoryError: no room"):
            model.score(PROMPT, ["a"], Deadline.after(60))
        full = False
        assert ask(model).generations[0].tokens == 5


def test_a_model_that_is_closed_lets_nobody_wait(folder: Path, pool: ThreadPoolExecutor) -> None:
    threads = threading.active_count()
    with watched(folder, lambda _: time.sleep(0.01), rows=1) as model:
        asked = [pool.submit(ask, model, LONG) for _ in range(3)]
        time.sleep(0.1)
        model.close()
        for one in asked:
            with pytest.raises(ModelError, match="closed"):
                one.result()
        with pytest.raises(ModelError, match="closed"):
            ask(model)
    assert threading.active_count() <= threads + 3


def test_requests_wait_for_their_turn_when_there_are_more_than_rows(
    folder: Path, pool: ThreadPoolExecutor
) -> None:
    passes: list[int] = []
    with watched(folder, passes.append, rows=3) as model:
        several = Sampling(temperature=1.0, max_tokens=10, seed=3)
        asked = [
            pool.submit(model.generate, ModelRequest(PROMPT, several, number), Deadline.after(60))
            for number in (2, 2, 5, 1, 1, 2)
        ]
        found = [one.result() for one in asked]
    assert [len(one.generations) for one in found] == [2, 2, 5, 1, 1, 2]
    # More samples than rows are written alone.
    assert max(passes) == 5
    assert found[0].generations == found[1].generations or all(
        one.text == other.text for one, other in zip(found[0].generations, found[1].generations, strict=True)
    )


@pytest.mark.parametrize("name", ["/nowhere/model", "./nowhere", "~/nowhere-at-all"])
def test_a_folder_that_is_not_there_is_missing(name: str) -> None:
    with pytest.raises(ModelMissing, match="there is no model folder") as raised:
        LocalModel.open(name)
    assert raised.value.hint
    assert not raised.value.retryable


def test_a_folder_without_a_model_is_missing(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match="cannot be loaded"):
        LocalModel.open(str(tmp_path), "cpu")


def test_a_damaged_model_is_missing(tmp_path: Path) -> None:
    folder = make_tiny_model(tmp_path)
    (folder / "model.safetensors").write_bytes(b"not weights")
    with pytest.raises(ModelMissing, match="cannot be loaded"):
        LocalModel.open(str(folder), "cpu")


def test_a_model_that_never_ends_is_missing(tmp_path: Path) -> None:
    folder = make_tiny_model(tmp_path)
    for name, key in (
        ("generation_config", "eos_token_id"),
        ("config", "eos_token_id"),
        ("tokenizer_config", "eos_token"),
    ):
        told = json.loads((folder / f"{name}.json").read_text())
        (folder / f"{name}.json").write_text(json.dumps({**told, key: None}))
    with pytest.raises(ModelMissing, match="no token that ends a text"):
        LocalModel.open(str(folder), "cpu")


def test_a_model_with_other_than_attention_is_missing(folder: Path, tmp_path: Path) -> None:
    from transformers import AutoTokenizer, MambaConfig, MambaForCausalLM

    AutoTokenizer.from_pretrained(folder).save_pretrained(tmp_path)
    MambaForCausalLM(
        MambaConfig(vocab_size=400, hidden_size=16, num_hidden_layers=1, state_size=4)
    ).save_pretrained(tmp_path)
    with pytest.raises(ModelMissing, match="layers that are not attention") as raised:
        LocalModel.open(str(tmp_path), "cpu")
    assert "server" in raised.value.hint
