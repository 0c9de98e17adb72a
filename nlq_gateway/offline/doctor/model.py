"""The checks of the language model: it answers, follows constraints, and returns probabilities."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from nlq_gateway.models import ModelError
from nlq_gateway.models.base import Deadline, Model, ModelRequest, Prompt, Sampling
from nlq_gateway.models.opened import OpenedModel
from nlq_gateway.offline.doctor.finding import Finding, Found

_SECONDS = 60.0
_PROMPT = Prompt("You answer with one word.\n", "Is Paris a city?\nAnswer:")
_REQUEST = ModelRequest(_PROMPT, Sampling(max_tokens=16))
_WORDS = ("certainly", "hardly")
_GRAMMAR = "root ::= " + " | ".join(f'"{word}"' for word in _WORDS)
_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"word": {"type": "string", "enum": _WORDS}},
    "required": ["word"],
    "additionalProperties": False,
}
_JSON = [f'{{"word":"{word}"}}' for word in _WORDS]
# By support of grammars: the kind of constraint, the request bound by it, and the allowed texts.
_BOUND: Mapping[bool, tuple[str, ModelRequest, Sequence[str]]] = {
    True: ("grammar", replace(_REQUEST, grammar=_GRAMMAR), _WORDS),
    False: ("JSON Schema", replace(_REQUEST, schema=json.dumps(_SCHEMA)), _JSON),
}


def examine_model(model: OpenedModel | None) -> Iterator[Finding]:
    """Yield the findings of the checks; without a model, a note."""
    if model is None:
        yield Finding("model", "reachable", Found("note", "none is configured; questions need none"), 0.0)
        return
    started = time.perf_counter()
    for name, check in (("reachable", _reachable), ("grammar", _grammar), ("probabilities", _probabilities)):
        try:
            found = check(model)
        except ModelError as error:
            found = Found("error", error.message, error.hint)
        now = time.perf_counter()
        yield Finding("model", name, found, (now - started) * 1000)
        started = now
        if name == "reachable" and found.severity == "error":
            return


def _reachable(model: OpenedModel) -> Found:
    deadline = Deadline.after(_SECONDS)
    model.prepare(deadline)
    started = time.perf_counter()
    reply = model.generate(_REQUEST, deadline)
    seconds = time.perf_counter() - started
    if not reply.generations:
        return Found("error", f"{model.name} writes nothing", "look into the model server's log")
    return Found("ok", f"{model.name} writes {reply.usage.completion_tokens} tokens in {seconds:.1f} s")


def _grammar(model: Model) -> Found:
    """Bound to two unlikely words, by a grammar or else a JSON Schema, it writes one of them."""
    without = "programs are checked and repaired once written; a server that binds by grammars does better"
    can = model.capabilities
    if not (can.grammar or can.schema):
        return Found("warning", "the model cannot be bound by a grammar", without)
    by, bound, words = _BOUND[can.grammar]
    reply = model.generate(bound, Deadline.after(_SECONDS))
    texts = [generation.text.strip() for generation in reply.generations]
    if texts and all(_squeezed(text) in words for text in texts):
        return Found("ok", f"the model keeps to a {by}")
    seen = tuple(text[:100] for text in texts)
    return Found("warning", f"the model takes a {by}, and does not keep to it", without, seen)


def _squeezed(text: str) -> str:
    """Without spaces, which a schema leaves free."""
    return "".join(text.split())


def _probabilities(model: Model) -> Found:
    remedy = "confidence and the strategy `bottom-up` do without; a server with logprobs makes both better"
    reply = model.generate(_REQUEST, Deadline.after(_SECONDS))
    if any(generation.log_probability is None for generation in reply.generations):
        return Found("warning", "the model returns no probabilities of its tokens", remedy)
    if not model.capabilities.scores:
        return Found("note", "the model returns probabilities of its own tokens, not of given texts", remedy)
    return Found("ok", "the model returns probabilities, of given texts too")
