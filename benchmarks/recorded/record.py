"""Asks a model for its first program of each question, and stores the replies.

The gateway asks as usual: only the first text of each question is stored, for a dialogue all of them,
and the sentence that answers one in another language than English. The prompts contain only questions, linked
names, the schema and the results of looks, for the sentence the answer, too. Recorded replies are
not requested again.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tqdm import tqdm

from benchmarks.recorded.sets import EXPLORE, FOLDER, Graph, Set
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.answering.writing import MOST_CALLS
from nlq_gateway.core.errors import ModelUnavailable
from nlq_gateway.language.detection import ENGLISH
from nlq_gateway.models.base import Deadline, Model, ModelRequest, Reply
from nlq_gateway.models.opened import OpenedModel, configured_model
from nlq_gateway.offline.evaluation import GoldQuestion
from nlq_gateway.settings import ModelSettings

REPLIES = FOLDER / "replies.jsonl"
# The end of a prompt that asks for the answer in words.
RESPONSE = "\nResponse:"
_SECONDS = 6_000.0
_AT_ONCE = 400
# The number of attempts with a silent server, and the seconds between them.
_TRIES, _PAUSE_SECONDS = 20, 15.0


class _Listening:
    """A model whose texts are heard in the thread that asks for them."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._local = threading.local()

    def of_this_thread(self) -> list[tuple[str, str]]:
        """The prompts of this thread, without what all have in common, each with the text written for it."""
        if not hasattr(self._local, "texts"):
            self._local.texts = []
        texts: list[tuple[str, str]] = self._local.texts
        return texts

    def generate(self, request: ModelRequest, deadline: Deadline) -> Reply:
        """Delegate to the model, and note the texts."""
        reply = self._model.generate(request, deadline)
        self.of_this_thread().extend((request.prompt.body, one.text) for one in reply.generations)
        return reply

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)


@dataclass(frozen=True, slots=True)
class Recorded:
    """A model's reply to a question of a set.

    `others` are the later texts of a dialogue, `response` is the answer in words, if any.
    """

    set: str
    graph: str
    id: str
    question: str
    strategy: str
    reply: str
    others: tuple[str, ...] = ()
    response: str = ""


def read_replies(file: Path = REPLIES) -> tuple[Recorded, ...]:
    """All recorded replies."""
    lines = file.read_text("utf-8").splitlines() if file.is_file() else ()
    records = map(json.loads, lines)
    return tuple(Recorded(**{**one, "others": tuple(one.get("others", ()))}) for one in records)


def record(found: Iterable[Set], url: str, file: Path = REPLIES) -> None:
    """Ask the server at an address for missing replies, concurrently, and write them as they come."""
    known = {(one.set, one.id) for one in read_replies(file)}
    model = _Listening(OpenedModel(lambda: _model(url), url))
    asked = [
        (one, graph, [question for question in graph.questions if (one.name, question.id) not in known])
        for one in found
        for graph in one.graphs
    ]
    with ThreadPoolExecutor(_AT_ONCE) as pool, file.open("a", encoding="utf-8") as lines:
        waiting = [
            pool.submit(_ask, model, gateway, one, graph.name, question)
            for one, graph, questions in asked
            if questions and (gateway := _gateway(graph, one.strategy, model))
            for question in questions
        ]
        for future in tqdm(as_completed(waiting), "recorded", len(waiting)):
            if written := future.result():
                lines.write(json.dumps(written, ensure_ascii=False) + "\n")
                lines.flush()
    model.close()


def _model(url: str) -> Model:
    model = configured_model(ModelSettings.model_validate({"backend": "openai", "url": url}))
    assert model is not None
    return model


def _gateway(graph: Graph, strategy: str, model: Model) -> Pipeline:
    """A ready gateway that asks the model once a question, or in a dialogue, and for the answer in words."""
    most = MOST_CALLS if strategy == EXPLORE else calls(graph)
    budget = {"seconds": _SECONDS, "calls": most, "tokens": 10**6}
    settings = graph.settings(strategy=strategy, samples=0, grammar="none", budget=budget)
    gateway = Pipeline(settings, OpenedModel(lambda: model, model.name))
    gateway.endpoint(None).prepare()
    gateway.prepare_prompts(gateway.endpoint(None))
    return gateway


def calls(graph: Graph) -> int:
    """The number of calls of the model that a question of a graph may make."""
    return 1 if all(one.language == ENGLISH for one in graph.questions) else 2


def _ask(
    model: _Listening, gateway: Pipeline, set_: Set, graph: str, question: GoldQuestion
) -> dict[str, Any] | None:
    """Return the model's reply to a question; None without one, or if its server stayed silent.

    A dialogue is recorded as it is replayed: other sources do not affect its end. After a silence the
    question is asked again and resumes, because the gateway caches replies.
    """
    heard = model.of_this_thread()
    heard.clear()
    request = Ask(question.text, language=question.language, only=set_.strategy == EXPLORE)
    for _ in range(_TRIES):
        with suppress(ModelUnavailable):
            gateway.ask(request)
            break
        time.sleep(_PAUSE_SECONDS)
    else:
        return None
    replies = [text for prompt, text in heard if not prompt.endswith(RESPONSE)]
    if not replies or not replies[0].strip():
        return None
    responses = [text for prompt, text in heard if prompt.endswith(RESPONSE)]
    names = {"set": set_.name, "graph": graph, "id": question.id, "question": question.text}
    others = {"others": replies[1:]} if set_.strategy == EXPLORE else {}
    response = {"response": responses[0]} if responses else {}
    return {**names, "strategy": set_.strategy, "reply": replies[0], **others, **response}
