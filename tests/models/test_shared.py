"""A model in a process of its own: what is said over the socket, and what becomes of callers when it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.scripted_model import ScriptedModel
from nlq_gateway.models.base import Capabilities, Deadline, ModelRequest, Prompt, Reply, Sampling
from nlq_gateway.models.errors import Cancelled, ModelNonsense, ModelRefused, ModelTimeout, ModelUnreachable
from nlq_gateway.models.shared import ModelProcess
from nlq_gateway.models.shared.client import SharedModel
from nlq_gateway.models.shared.serving import serve
from nlq_gateway.settings import ModelSettings
from tests.clock import promptly, until

KEY = b"key"
PROMPT = Prompt("prefix ", "body")


class Waiting(ScriptedModel):
    """Writes when it is let, as long as somebody waits."""

    let = threading.Event()
    cancelled = threading.Event()

    def generate(self, request: ModelRequest, deadline: Deadline) -> Reply:
        if request.prompt.body == "wait":
            while not self.let.wait(0.01):
                try:
                    deadline.check()
                except Cancelled:
                    self.cancelled.set()
                    raise
        return ScriptedModel.generate(self, request, deadline)


def write(request: ModelRequest) -> list[str]:
    if request.prompt.body == "refuse":
        raise ModelRefused("too long", hint="shorter", request_id="r1")
    if request.prompt.body == "fail":
        raise ZeroDivisionError
    if request.prompt.body == "nothing":
        return []
    return [f"{request.prompt.text}!{request.sampling.seed}"] * request.samples


@pytest.fixture
def scripted() -> Waiting:
    Waiting.let, Waiting.cancelled = threading.Event(), threading.Event()
    return Waiting(write, prefer=lambda _, text: -float(len(text)), grammar=True)


@pytest.fixture
def shared(scripted: Waiting, tmp_path: Path) -> Iterator[SharedModel]:
    address = str(tmp_path / "socket")
    threading.Thread(target=serve, args=(scripted, address, KEY), daemon=True).start()
    until(lambda: Path(address).exists())
    model = SharedModel(address, KEY)
    yield model
    model.close()


def test_every_method_gives_what_the_model_gives(shared: SharedModel, scripted: Waiting) -> None:
    shared.prepare(Deadline())
    assert (shared.name, shared.capabilities) == ("scripted", Capabilities(grammar=True, scores=True))
    request = ModelRequest(PROMPT, Sampling(seed=7), samples=2, grammar="root ::= x")
    assert shared.generate(request, Deadline()) == scripted.generate(request, Deadline())
    assert scripted.requests == [request, request]
    assert shared.score(PROMPT, ["a", "bb"], Deadline()) == scripted.score(PROMPT, ["a", "bb"], Deadline())
    assert shared.count_tokens("five letters") == 3


def test_an_error_is_the_model_s_own(shared: SharedModel) -> None:
    with pytest.raises(ModelRefused) as refused:
        shared.generate(ModelRequest(Prompt("", "refuse")), Deadline())
    assert (refused.value.message, refused.value.hint, refused.value.request_id) == (
        "too long",
        "shorter",
        "r1",
    )
    with pytest.raises(ModelNonsense):
        shared.generate(ModelRequest(Prompt("", "nothing")), Deadline())
    with pytest.raises(Exception, match="the model failed: ZeroDivisionError"):
        shared.generate(ModelRequest(Prompt("", "fail")), Deadline())
    assert shared.generate(ModelRequest(PROMPT), Deadline()).generations[0].text == "prefix body!0"


def test_a_deadline_and_its_end_get_through(shared: SharedModel) -> None:
    with promptly(least=0.3), pytest.raises(ModelTimeout):
        shared.generate(ModelRequest(Prompt("", "wait")), Deadline.after(0.3))
    gone = threading.Event()
    threading.Timer(0.2, gone.set).start()
    with pytest.raises(Cancelled):
        shared.generate(ModelRequest(Prompt("", "wait")), Deadline(gone=gone))
    assert Waiting.cancelled.wait(10)


def test_callers_do_not_wait_for_one_another(shared: SharedModel) -> None:
    waiting = threading.Thread(
        target=shared.generate, args=(ModelRequest(Prompt("", "wait")), Deadline.after(30))
    )
    waiting.start()
    assert shared.generate(ModelRequest(PROMPT), Deadline.after(10)).generations
    assert waiting.is_alive()
    Waiting.let.set()
    waiting.join(10)
    assert not waiting.is_alive()


def test_answers_are_not_mixed_up(shared: SharedModel) -> None:
    wrong: list[str] = []

    def ask(number: int) -> None:
        for _ in range(20):
            text = (
                shared.generate(ModelRequest(Prompt("", str(number))), Deadline.after(30)).generations[0].text
            )
            if text != f"{number}!0":
                wrong.append(text)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_whoever_does_not_know_the_key_learns_nothing(shared: SharedModel) -> None:
    with pytest.raises(ModelUnreachable):
        SharedModel(shared._address, b"another").count_tokens("text")
    assert shared.count_tokens("text") == 1


def test_a_process_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ModelUnreachable):
        SharedModel(str(tmp_path / "nothing"), KEY).prepare(Deadline())


@pytest.fixture
def process(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelProcess]:
    monkeypatch.setenv("PYTHONPATH", f"{Path(__file__).parent}{os.pathsep}{os.environ.get('PYTHONPATH', '')}")
    made = ModelProcess(ModelSettings(backend="transformers", name="any"), module="scripted_process")
    yield made
    made.stop()


def pid(process: ModelProcess) -> int:
    assert process._process is not None
    return process._process.pid


def test_a_process_that_dies_is_started_again(process: ModelProcess) -> None:
    process.look_after()
    model = process.model()
    until(lambda: Path(process.address).exists())
    assert oct(Path(process.address).parent.stat().st_mode)[-3:] == "700"
    model.prepare()
    assert (model.name, model.status) == ("scripted any", "ready")
    first = pid(process)
    for ignored in (signal.SIGINT, signal.SIGTERM):
        os.kill(first, ignored)
    assert model.generate(ModelRequest(PROMPT), Deadline.after(10)).generations[0].text == "prefix body"
    os.kill(first, signal.SIGKILL)
    with pytest.raises(ModelUnreachable):
        until(lambda: not model.generate(ModelRequest(PROMPT), Deadline.after(10)).generations)
    assert model.status == "down"

    def is_back() -> bool:
        process.look_after()
        return process._process is not None and pid(process) != first and Path(process.address).exists()

    until(is_back)
    model.prepare()
    assert model.generate(ModelRequest(PROMPT), Deadline.after(10)).generations[0].text == "prefix body"
    assert model.status == "ready"


def test_it_ends_with_whoever_started_it(tmp_path: Path) -> None:
    code = (
        "import sys, time; from nlq_gateway.models.shared import ModelProcess;"
        "from nlq_gateway.settings import ModelSettings;"
        "settings = ModelSettings(backend='transformers', name='x');"
        "p = ModelProcess(settings, module='scripted_process'); p.look_after();"
        "print(p._process.pid, flush=True); time.sleep(60)"
    )
    environment = {
        **os.environ,
        "PYTHONPATH": f"{Path(__file__).parent}{os.pathsep}{os.environ.get('PYTHONPATH', '')}",
    }
    environment["TMPDIR"] = str(tmp_path)
    starter = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env=environment
    )
    assert starter.stdout is not None
    with starter.stdout:
        started = int(starter.stdout.readline())
    assert Path(f"/proc/{started}").exists()
    starter.kill()
    starter.wait()
    until(lambda: not Path(f"/proc/{started}").exists())
