"""A server of the OpenAI protocol over real sockets, with a made-up model; it misbehaves as told."""

from __future__ import annotations

import json
import math
import re
import select
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl

from tests.ports import free_port

_TOKEN = re.compile(r" ?\w{1,4}|\W")
# The first word that a JSON Schema of one word allows.
_ONE_WORD = re.compile(r'"word": \{"type": "string", "enum": \["([^"]+)"')
_QUOTED = re.compile(r'"([^"]*)"')
_GRAMMARS: Mapping[str, Callable[[Any], str]] = {
    "structured_outputs": lambda value: value["grammar"],
    "grammar": lambda value: value,
    "ebnf": lambda value: value,
    "guided_grammar": lambda value: value,
}


def tokens(text: str) -> list[str]:
    """A token has up to four letters, with the space before them."""
    return _TOKEN.findall(text)


def log_probability(token: str) -> float:
    """The made-up model's opinion of a token, in any place."""
    return -0.1 * len(token.strip())


@dataclass(frozen=True)
class Asked:
    """A request."""

    path: str
    body: dict[str, Any]
    headers: Mapping[str, str]  # names in lower case
    query: Mapping[str, str] = field(default_factory=dict)

    @property
    def prompt(self) -> str:
        """The text that the model reads."""
        said = self.body.get("messages")
        return self.body["prompt"] if said is None else "".join(one["content"] or "" for one in said)


@dataclass(frozen=True)
class Trouble:
    """The fault of one request.

    `wait` are seconds before the first byte, `each` those before each event. `body` is sent instead of an
    answer. After so many events of a stream, `then` happens: "stall" is silence, "drop" a connection that is
    reset, "end" one that is closed as if all were said; anything else is sent as an event, as it is, and is
    the `last` one where that is set.
    """

    wait: float = 0.0
    each: float = 0.0
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str | None = None
    content_type: str = "application/json"
    after: int | None = None
    then: str = "stall"
    last: bool = False


def refusal(status: int, message: str, **headers: str) -> Trouble:
    """An error as servers send it."""
    fields = {name.replace("_", "-"): value for name, value in headers.items()}
    return Trouble(status=status, headers=fields, body=json.dumps({"error": {"message": message}}))


@dataclass(frozen=True)
class Manners:
    """The server's features. `grammar` and `scores` name the ways that it knows, "" for none."""

    write: Callable[[Asked], str] = lambda _: " well said"
    models: Sequence[str] = ("tiny",)
    lists_models: bool = True
    paths: Sequence[str] = ("/completions", "/chat/completions")
    key: str = ""
    refuses: Sequence[str] = ()
    grammar: str = ""
    scores: str = ""
    log_probabilities: bool = True
    several: bool = True
    stops: bool = True
    usage: bool = True
    request_ids: bool = True
    # What a model writes that a grammar binds, "" for the first text that the grammar has in quotes.
    bound: str = ""
    # Where the thoughts stand: "content" between marks, "field" beside it, "hidden" nowhere; "" is none.
    thoughts: str = ""
    # The way to bind by a JSON Schema that it knows: a parameter's name.
    schema: str = ""
    # The tools that the model calls, each with its arguments, where it is offered some; no call is a text.
    calls: Callable[[Asked], Sequence[tuple[str, Mapping[str, str]]]] | None = None
    query: Mapping[str, str] = field(default_factory=dict)
    header: tuple[str, str] = ("", "")
    root: str = "/v1"


class ProtocolServer:
    """Listens on a free port of loopback until `close`.

    The next of `troubles` befalls each request for text, `always` all of them. `requests` holds what came;
    `left` is set once a client has closed its connection before the answer was complete.
    """

    def __init__(self, manners: Manners = Manners(), port: int | None = None) -> None:
        self.manners = manners
        self.troubles: list[Trouble] = []
        self.always: Trouble | None = None
        self.requests: list[Asked] = []
        self.left = threading.Event()
        self.stopping = threading.Event()
        self._connections: set[socket.socket] = set()
        self._http = _Server(("127.0.0.1", port or free_port()), self)
        self.port: int = self._http.server_address[1]
        self._thread = threading.Thread(target=lambda: self._http.serve_forever(0.02))
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def behave(self, **manners: Any) -> None:
        """Change what the server does from here on."""
        self.manners = replace(self.manners, **manners)

    def asked(self, path: str) -> list[Asked]:
        """The requests that came to a path."""
        return [one for one in self.requests if one.path == path]

    def trouble(self) -> Trouble | None:
        return self.troubles.pop(0) if self.troubles else self.always

    def opened(self, connection: socket.socket) -> None:
        self._connections.add(connection)

    def ended(self, connection: socket.socket) -> None:
        self._connections.discard(connection)

    def close(self) -> None:
        """Stop at once, in the middle of whatever is being said."""
        if self.stopping.is_set():
            return
        self.stopping.set()
        self._http.shutdown()
        for connection in list(self._connections):
            _reset(connection)
        self._http.server_close()
        self._thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = False
    request_queue_size = 128

    def __init__(self, address: tuple[str, int], owner: ProtocolServer) -> None:
        self.owner = owner
        super().__init__(address, _Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of clients that leave."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def setup(self) -> None:
        super().setup()
        self.server.owner.opened(self.connection)

    def finish(self) -> None:
        self.server.owner.ended(self.connection)
        try:
            super().finish()
        except OSError:
            self.server.owner.left.set()

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""

    def do_GET(self) -> None:
        manners = self._noted({}).manners
        if self._unauthorised():
            return
        if self.path == f"{manners.root}/models" and manners.lists_models:
            data = [{"id": name, "object": "model"} for name in manners.models]
            self._json(200, {"object": "list", "data": data})
        else:
            self._json(404, {"error": {"message": "Not Found"}})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        owner = self._noted(body)
        manners, asked = owner.manners, owner.requests[-1]
        trouble = owner.trouble() or Trouble()
        if self._left_within(trouble.wait) or self._unauthorised():
            return
        if trouble.body is not None:
            self._send(trouble.status, trouble.body, trouble.content_type, trouble.headers)
        elif (refused := _refused(asked, manners)) is not None:
            self._json(*refused)
        elif isinstance(body.get("prompt"), list):
            self._scored(body, manners)
        else:
            self._stream(_events(asked, manners), trouble)

    def _noted(self, body: dict[str, Any]) -> ProtocolServer:
        owner = self.server.owner
        headers = {name.lower(): value for name, value in self.headers.items()}
        path, _, query = self.path.partition("?")
        path = path.removeprefix(owner.manners.root)
        owner.requests.append(Asked(path, body, headers, dict(parse_qsl(query))))
        return owner

    def _unauthorised(self) -> bool:
        key = self.server.owner.manners.key
        given = self.headers.get("Authorization", "")
        if key and given != f"Bearer {key}":
            self._json(401, {"error": {"message": f"Incorrect API key provided: {given}"}})
            return True
        return False

    def _json(self, status: int, value: object) -> None:
        self._send(status, json.dumps(value), "application/json", {})

    def _send(self, status: int, body: str, content_type: str, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if self.server.owner.manners.request_ids:
            self.send_header("x-request-id", "request-7")
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body.encode())))
        self.end_headers()
        self.wfile.write(body.encode())

    def _stream(self, events: Iterator[object], trouble: Trouble) -> None:
        try:
            self._say(events, trouble)
        except OSError:
            self.server.owner.left.set()
            self.close_connection = True

    def _say(self, events: Iterator[object], trouble: Trouble) -> None:
        chunked = trouble.then != "end"
        self.send_response(200)
        if self.server.owner.manners.request_ids:
            self.send_header("x-request-id", "request-7")
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.send_header(*(("Transfer-Encoding", "chunked") if chunked else ("Connection", "close")))
        self.end_headers()
        for at, event in enumerate(events):
            if self._left_within(trouble.each):
                return
            if at == trouble.after and self._troubled(trouble):
                if trouble.last:
                    break
                return
            self._event(json.dumps(event), chunked)
        self._event("[DONE]", chunked)
        if chunked:
            self.wfile.write(b"0\r\n\r\n")

    def _troubled(self, trouble: Trouble) -> bool:
        """Do what the trouble is; whether the answer ends with it."""
        if trouble.then == "stall":
            self._left_within(math.inf)
        elif trouble.then == "drop":
            _reset(self.connection)
        elif trouble.then != "end":
            self._event(trouble.then, chunked=True)
            return trouble.last
        self.close_connection = True
        return True

    def _left_within(self, seconds: float) -> bool:
        """Wait so long; whether the client has left before, or the server is stopped."""
        owner, end = self.server.owner, time.monotonic() + seconds
        while not owner.stopping.is_set() and time.monotonic() < end:
            readable, _, _ = select.select([self.connection], [], [], 0.02)
            if readable and not self.connection.recv(1, socket.MSG_PEEK):
                owner.left.set()
                return True
        return owner.stopping.is_set()

    def _event(self, data: str, chunked: bool) -> None:
        sent = f"data: {data}\n\n".encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(sent), sent) if chunked else sent)

    def _scored(self, body: dict[str, Any], manners: Manners) -> None:
        """The prompts come back, with log-probabilities where that is asked for in the way that is known."""
        shape = _SHAPES[manners.scores if manners.scores in body else ""]
        choices = [
            {"index": at, "text": "", "finish_reason": "length", **shape(tokens(text), body["max_tokens"])}
            for at, text in enumerate(body["prompt"])
        ]
        self._json(200, {"id": "scored", "choices": choices[::-1], "usage": {"prompt_tokens": 99}})


def _echoed(read: Sequence[str], written: int) -> dict[str, Any]:
    all_tokens = [*read, *[" more"] * written]
    values = [None, *(log_probability(token) for token in all_tokens[1:])]
    return {"logprobs": {"tokens": all_tokens, "token_logprobs": values}}


def _prompt_log_probabilities(read: Sequence[str], _: int) -> dict[str, Any]:
    likelier = {"likelier": {"logprob": -0.01}}
    found = [{f"id of {token}": {"logprob": log_probability(token)}, **likelier} for token in read[1:]]
    return {"prompt_logprobs": [None, *found]}


# How the log-probabilities of what was read are sent, by the parameter that asks for them.
_SHAPES: Mapping[str, Callable[[Sequence[str], int], dict[str, Any]]] = {
    "echo": _echoed,
    "prompt_logprobs": _prompt_log_probabilities,
    "": lambda *_: {},
}


def _refused(asked: Asked, manners: Manners) -> tuple[int, object] | None:
    """The status and body of a refusal."""
    if asked.query != manners.query:
        return 404, {"error": {"message": "Resource not found"}}
    name, value = manners.header
    if asked.headers.get(name, "") != value or (name and "authorization" in asked.headers):
        return 401, {"error": {"message": f"Access denied due to invalid subscription key {value}"}}
    if asked.path not in manners.paths:
        return 404, {"error": {"message": "Not Found"}}
    if asked.body["model"] not in manners.models:
        return 404, {"error": {"message": f"The model {asked.body['model']} does not exist"}}
    named = next((name for name in manners.refuses if name in asked.body), None)
    if named == "max_tokens":
        return 400, {"error": {"message": _NOT_MAX_TOKENS, "param": named}}
    if named is not None:
        return 400, {"error": {"message": f"Unsupported parameter: '{named}'", "param": named}}
    if manners.thoughts == "hidden" and _most(asked.body) <= len(tokens(THOUGHT)):
        return 400, {"error": {"message": _STILL_THINKING}}
    return None


_NOT_MAX_TOKENS = (
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use"
    " 'max_completion_tokens' instead."
)
_STILL_THINKING = "Could not finish the message because max_tokens or model output limit was reached."
THOUGHT = "The user asks. Step 1: Find(Nobody)\nQuestion: none. Let me think again about what leads where."


def _most(body: Mapping[str, Any]) -> int:
    return int(body.get("max_completion_tokens", body.get("max_tokens", 1000)))


def _events(asked: Asked, manners: Manners) -> Iterator[object]:
    body = asked.body
    for index in range(body.get("n", 1) if manners.several else 1):
        for choice in _pieces(asked, manners):
            yield {"id": "completion-1", "choices": [{"index": index, **choice}], "usage": None}
    if manners.usage and body.get("stream_options"):
        yield {"id": "completion-1", "choices": [], "usage": {"prompt_tokens": 30, "completion_tokens": 20}}


def _called(calls: Sequence[tuple[str, Mapping[str, str]]]) -> Iterator[dict[str, Any]]:
    """The pieces of calls, the arguments token by token."""
    for index, (name, arguments) in enumerate(calls):
        begun = {"index": index, "id": f"call_{index}", "function": {"name": name, "arguments": ""}}
        yield {"delta": {"tool_calls": [begun]}}
        for token in tokens(json.dumps(arguments)):
            yield {"delta": {"tool_calls": [{"index": index, "function": {"arguments": token}}]}}
    yield {"delta": {}, "finish_reason": "tool_calls"}


def _pieces(asked: Asked, manners: Manners) -> Iterator[dict[str, Any]]:
    if manners.calls and "tools" in asked.body and (calls := manners.calls(asked)):
        yield from _called(calls)
        return
    text, body, chat = _written(asked, manners), asked.body, "messages" in asked.body
    if manners.thoughts == "content":
        text = f"<think>{THOUGHT}</think>{text}"
    if manners.stops:
        text = min((text.partition(stop)[0] for stop in body.get("stop", ())), key=len, default=text)
    most = _most(body)
    if manners.thoughts == "field":
        for token in tokens(THOUGHT)[:most]:
            yield {"delta": {"reasoning_content": token}}
        most = max(0, most - len(tokens(THOUGHT)))
    for token in tokens(text)[:most]:
        said = {"content": token}
        if manners.schema == "tools" and "tools" in body:
            said = {"tool_calls": [{"index": 0, "function": {"arguments": token}}]}
        piece: dict[str, Any] = {"delta": said} if chat else {"text": token}
        if manners.log_probabilities and body.get("logprobs"):
            one = {"token": token, "logprob": log_probability(token)}
            both = {"tokens": [token], "token_logprobs": [one["logprob"]]}
            piece["logprobs"] = {"content": [one]} if chat else both
        yield piece
    end: dict[str, Any] = {"delta": {}} if chat else {"text": ""}
    yield {**end, "finish_reason": "length" if len(tokens(text)) > most else "stop"}


def _written(asked: Asked, manners: Manners) -> str:
    """The first text that the grammar has in quotes, where there is one that is known."""
    word = _ONE_WORD.search(json.dumps(asked.body.get(manners.schema)))
    if word:
        return json.dumps({"word": word[1]})
    sent = asked.body.get(manners.grammar)
    quoted = _QUOTED.search(_GRAMMARS[manners.grammar](sent)) if sent else None
    if quoted and manners.bound and "zebra" not in quoted[1]:
        return manners.bound
    return quoted[1] if quoted else manners.write(asked)


def _reset(connection: socket.socket) -> None:
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        return
