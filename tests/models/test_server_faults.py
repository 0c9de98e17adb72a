"""A model behind a server that misbehaves: the right error, in time, and never a part taken for the whole."""

from __future__ import annotations

import json
import logging
import socket
import threading
import time
import traceback
from collections.abc import Callable, Sequence

import pytest
from protocol_server import Manners, ProtocolServer, Trouble, refusal

from nlq_gateway.models import Deadline, ModelError, ModelRequest, Prompt, Sampling
from nlq_gateway.models.errors import (
    Cancelled,
    ModelBusy,
    ModelMissing,
    ModelNonsense,
    ModelRefused,
    ModelTimeout,
    ModelUnreachable,
)
from nlq_gateway.models.server import ServerModel
from tests.clock import PROMPT_S, promptly

Start = Callable[..., tuple[ProtocolServer, ServerModel]]
PROMPT = Prompt("Answer.\n", "Who?")
WARM = Sampling(temperature=0.3, top_k=30)
PAGE = Trouble(body="<html><body>Log in</body></html>", content_type="text/html")
ERROR = json.dumps({"error": {"message": "out of memory"}})
NO_CHOICES = json.dumps({"id": "x", "choices": []})
FAILING = refusal(500, "out of memory")


@pytest.mark.parametrize("path", ["/completions", "/chat/completions"])
@pytest.mark.parametrize(
    ("trouble", "error"),
    [
        pytest.param(Trouble(after=1, then="drop"), ModelUnreachable, id="reset in the middle"),
        pytest.param(Trouble(after=0, then="drop"), ModelUnreachable, id="reset before the first event"),
        pytest.param(Trouble(after=1, then="end"), ModelUnreachable, id="closed as if all were said"),
        pytest.param(Trouble(after=0, then="end"), ModelNonsense, id="no event at all"),
        pytest.param(Trouble(after=1, then="{no json"), ModelNonsense, id="malformed event"),
        pytest.param(Trouble(after=1, then='{"choices": 7}'), ModelNonsense, id="event of another shape"),
        pytest.param(Trouble(after=1, then='"text"'), ModelNonsense, id="event that is no object"),
        pytest.param(Trouble(after=1, then=ERROR), ModelUnreachable, id="error in the middle"),
        pytest.param(PAGE, ModelNonsense, id="a page instead of events"),
        pytest.param(Trouble(body=NO_CHOICES), ModelNonsense, id="an answer without choices"),
    ],
)
def test_an_answer_that_is_none(start: Start, path: str, trouble: Trouble, error: type[ModelError]) -> None:
    server, model = start(paths=[path])
    model.findings()
    raises(server, model, [trouble], error)


@pytest.mark.parametrize("trouble", [Trouble(wait=30), Trouble(after=1)], ids=["at first", "in the middle"])
def test_silence(start: Start, trouble: Trouble) -> None:
    server, model = start()
    model.findings()
    raises(server, model, [trouble], ModelTimeout, Deadline.after(0.5))


@pytest.mark.parametrize(
    ("troubles", "error"),
    [
        ([refusal(400, "the prompt is too long")], ModelRefused),
        ([refusal(401, "no")], ModelRefused),
        ([refusal(403, "no")], ModelRefused),
        ([refusal(404, "no")], ModelMissing),
        ([refusal(413, "no")], ModelRefused),
        ([refusal(422, "no")], ModelRefused),
        ([FAILING] * 3, ModelUnreachable),
        ([refusal(502, "no")] * 3, ModelUnreachable),
        ([FAILING, refusal(503, "loading"), refusal(503, "loading")], ModelBusy),
        ([refusal(429, "slowly")] * 3, ModelBusy),
        # Longer than there is time, as seconds and as a date.
        ([refusal(429, "slowly", Retry_After="60")], ModelBusy),
        ([refusal(503, "slowly", Retry_After="Wed, 21 Oct 2099 07:28:00 GMT")], ModelBusy),
    ],
)
def test_statuses(start: Start, troubles: Sequence[Trouble], error: type[ModelError]) -> None:
    server, model = start()
    model.findings()
    raises(server, model, troubles, error)


def raises(
    server: ProtocolServer,
    model: ServerModel,
    troubles: Sequence[Trouble],
    error: type[ModelError],
    deadline: Deadline | None = None,
) -> None:
    """The error comes in time, after as many requests as there are troubles; then all is well again."""
    server.troubles = list(troubles)
    with promptly(), pytest.raises(error):
        model.generate(ModelRequest(PROMPT), deadline or Deadline.after(30))
    assert server.troubles == []
    assert model.generate(ModelRequest(PROMPT), Deadline.after(30)).generations[0].text == " well said"


@pytest.mark.parametrize(
    ("troubles", "least"),
    [
        ([FAILING], 0.2),
        ([FAILING, refusal(503, "loading")], 0.7),
        ([refusal(429, "slowly", Retry_After="0.6")], 0.6),
        ([refusal(408, "late"), refusal(409, "locked")], 0.7),
        ([refusal(429, "slowly", Retry_After="soon")], 0.2),
    ],
)
def test_trouble_that_passes(start: Start, troubles: Sequence[Trouble], least: float) -> None:
    server, model = start()
    model.findings()
    server.troubles = list(troubles)
    with promptly(least=least):
        assert model.generate(ModelRequest(PROMPT), Deadline.after(30)).generations[0].text == " well said"


def test_nothing_is_sent_again_once_a_text_has_begun(start: Start) -> None:
    server, model = start()
    model.findings()
    server.troubles = [Trouble(after=1, then="drop")]
    asked = len(server.requests)
    with pytest.raises(ModelUnreachable):
        model.generate(ModelRequest(PROMPT), Deadline.after(30))
    assert len(server.requests) == asked + 1


@pytest.mark.parametrize("trouble", [Trouble(wait=30), Trouble(after=1)], ids=["waiting", "reading"])
@pytest.mark.parametrize("how", ["deadline", "gone"])
def test_whoever_gives_up_closes_the_connection_at_once(start: Start, trouble: Trouble, how: str) -> None:
    server, model = start()
    model.findings()
    server.troubles = [trouble]
    deadline = Deadline.after(0.3 if how == "deadline" else 60)
    if how == "gone":
        threading.Timer(0.3, deadline.gone.set).start()
    with promptly(), pytest.raises(ModelTimeout if how == "deadline" else Cancelled):
        model.generate(ModelRequest(PROMPT), deadline)
    assert server.left.wait(PROMPT_S)


def test_one_who_gives_up_does_not_disturb_others(start: Start) -> None:
    server, model = start()
    model.findings()
    server.troubles = [Trouble(after=1)]
    deadline = Deadline.after(60)

    def give_up() -> None:
        with pytest.raises(Cancelled):
            model.generate(ModelRequest(PROMPT), deadline)

    other = threading.Thread(target=give_up)
    other.start()
    while server.troubles:
        time.sleep(0.01)
    assert model.generate(ModelRequest(PROMPT), Deadline.after(30)).generations[0].text == " well said"
    deadline.gone.set()
    other.join(PROMPT_S)
    assert not other.is_alive()


@pytest.mark.parametrize("how", ["deadline", "gone"])
def test_nothing_is_asked_when_it_is_too_late(start: Start, how: str) -> None:
    server, model = start()
    deadline = Deadline.after(0 if how == "deadline" else 9)
    if how == "gone":
        deadline.gone.set()
    for ask in (
        lambda: model.generate(ModelRequest(PROMPT), deadline),
        lambda: model.score(PROMPT, ["a"], deadline),
    ):
        with pytest.raises((ModelTimeout, Cancelled)):
            ask()
    assert server.requests == []


def test_a_prompt_that_is_no_text(start: Start) -> None:
    _, model = start()
    with pytest.raises(ModelRefused):
        model.generate(ModelRequest(Prompt("", "\ud800")), Deadline.after(30))


def test_nobody_listens(closed_port: int) -> None:
    model = ServerModel(f"http://127.0.0.1:{closed_port}/v1")
    with promptly(), pytest.raises(ModelUnreachable) as found:
        model.generate(ModelRequest(PROMPT), Deadline.after(30))
    assert found.value.retryable
    assert "127.0.0.1" in found.value.message
    model.close()


def test_a_port_that_accepts_and_never_answers() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        model = ServerModel(f"http://127.0.0.1:{listener.getsockname()[1]}/v1")
        with pytest.raises(ModelTimeout):
            model.generate(ModelRequest(PROMPT), Deadline.after(0.5))
        model.close()


def test_a_server_that_speaks_something_else() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def greet() -> None:
            for _ in range(3):
                connection, _ = listener.accept()
                with connection:
                    connection.sendall(b"220 mail.example ESMTP\r\n")
                    connection.recv(4096)

        thread = threading.Thread(target=greet)
        thread.start()
        model = ServerModel(f"http://127.0.0.1:{listener.getsockname()[1]}/v1", "tiny")
        with pytest.raises(ModelUnreachable):
            model.generate(ModelRequest(PROMPT), Deadline.after(30))
        model.close()
        thread.join()


def test_the_circuit_opens_after_failures_and_closes_after_a_trial(start: Start) -> None:
    server, model = start()
    model.findings()
    server.always = FAILING
    for _ in range(3):
        with pytest.raises(ModelUnreachable):
            model.generate(ModelRequest(PROMPT), Deadline.after(30))
    asked = len(server.requests)
    with pytest.raises(ModelBusy, match="3 times in a row") as found:
        model.generate(ModelRequest(PROMPT), Deadline.after(30))
    assert "out of memory" in found.value.hint
    assert len(server.requests) == asked


def test_a_server_that_was_down_is_probed_again(start: Start) -> None:
    server, model = start(models=["old"], refuses=["top_k"])
    assert not model.capabilities.grammar
    model.generate(ModelRequest(PROMPT, WARM), Deadline.after(30))
    server.close()
    with pytest.raises(ModelUnreachable):
        model.generate(ModelRequest(PROMPT), Deadline.after(30))
    again = ProtocolServer(Manners(models=["new"], grammar="grammar"), server.port)
    try:
        assert (
            model.generate(ModelRequest(PROMPT, WARM), Deadline.after(30)).generations[0].text == " well said"
        )
        assert again.requests[-1].body["top_k"] == 30
        assert model.name.startswith("new at")
        assert model.capabilities.grammar
    finally:
        again.close()


def test_a_server_that_goes_down_in_the_middle_of_a_text(start: Start) -> None:
    server, model = start()
    model.findings()
    server.troubles = [Trouble(after=1)]
    threading.Timer(0.3, server.close).start()
    with pytest.raises(ModelUnreachable):
        model.generate(ModelRequest(PROMPT), Deadline.after(30))


def test_a_server_whose_chats_fail_is_asked_for_completions(start: Start) -> None:
    server, model = start()
    server.troubles = [FAILING] * 3
    assert model.findings().path == "/completions"


def test_a_probe_that_fails_is_made_again(start: Start) -> None:
    server, model = start()
    server.troubles = [refusal(401, "not yet"), refusal(401, "not yet")]
    with pytest.raises(ModelRefused):
        model.capabilities  # noqa: B018
    assert model.generate(ModelRequest(PROMPT), Deadline.after(30)).generations[0].text == " well said"


def test_whoever_gives_up_waiting_for_the_probe_leaves_it_to_others(start: Start) -> None:
    server, model = start()
    server.troubles = [Trouble(wait=0.6)]
    with pytest.raises(ModelTimeout):
        model.generate(ModelRequest(PROMPT), Deadline.after(0.2))
    assert model.findings().model == "tiny"
    assert len(server.asked("/models")) == 1


def test_the_id_of_the_request_is_in_the_error(start: Start) -> None:
    server, model = start()
    for trouble in (refusal(400, "no"), Trouble(after=1, then="drop"), Trouble(after=1, then="{")):
        model.findings()
        server.troubles = [trouble]
        with pytest.raises(ModelError) as found:
            model.generate(ModelRequest(PROMPT), Deadline.after(30))
        assert found.value.request_id == "request-7"


KEY = "sk-very-secret-0123456789"


@pytest.mark.parametrize("given", [KEY, ""], ids=["a wrong key", "no key"])
def test_the_key_is_in_no_error_and_no_log(
    start: Start, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-another-server")
    caplog.set_level(logging.DEBUG)
    server, model = start(key=given)
    server.behave(key="the right one")
    with pytest.raises(ModelRefused) as found:
        model.generate(ModelRequest(PROMPT), Deadline.after(30))
    said = "".join(traceback.format_exception(found.value)) + found.value.hint + repr(model) + caplog.text
    assert "Incorrect API key provided" in found.value.message
    assert found.value.hint == "check model.key"
    sent = {asked.headers.get("authorization") for asked in server.requests}
    assert sent == {f"Bearer {given}" if given else None}
    assert KEY not in said
    assert "sk-of-another-server" not in said


def test_the_right_key(start: Start) -> None:
    server, model = start(key=KEY)
    server.behave(key=KEY)
    assert (
        model.generate(ModelRequest(PROMPT, Sampling()), Deadline.after(30)).generations[0].text
        == " well said"
    )
