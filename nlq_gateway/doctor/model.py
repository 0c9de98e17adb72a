"""The checks of the language model: whether it answers, keeps to a grammar, and tells probabilities."""

from __future__ import annotations

import time
from collections.abc import Iterator

from nlq_gateway.doctor.finding import Finding, Found
from nlq_gateway.models import ModelError
from nlq_gateway.models.base import Deadline, Model, Prompt, Sampling
from nlq_gateway.models.opened import OpenedModel

_SECONDS = 60.0
_PROMPT = Prompt("You answer with one word.\n", "Is Paris a city?\nAnswer:")
_FEW = Sampling(max_tokens=8)
_WORDS = ("certainly", "hardly")
_GRAMMAR = "root ::= " + " | ".join(f'"{word}"' for word in _WORDS)


def examine_model(model: OpenedModel | None) -> Iterator[Finding]:
    """What the checks find; of no model, that there is none."""
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
    reply = model.generate(_PROMPT, deadline, sampling=_FEW)
    seconds = time.perf_counter() - started
    if not reply.generations:
        return Found("error", f"{model.name} writes nothing", "look into the model server's log")
    return Found("ok", f"{model.name} writes {reply.usage.completion_tokens} tokens in {seconds:.1f} s")


def _grammar(model: Model) -> Found:
    """Under a grammar of two words that nobody would choose, one of them is written."""
    without = "programs are checked and repaired once written; a server that binds by grammars does better"
    if not model.capabilities.grammar:
        return Found("warning", "the model cannot be bound by a grammar", without)
    reply = model.generate(_PROMPT, Deadline.after(_SECONDS), sampling=_FEW, grammar=_GRAMMAR)
    texts = [generation.text.strip() for generation in reply.generations]
    if texts and all(text in _WORDS for text in texts):
        return Found("ok", "the model keeps to a grammar")
    seen = tuple(text[:100] for text in texts)
    return Found("warning", "the model takes a grammar, and does not keep to it", without, seen)


def _probabilities(model: Model) -> Found:
    remedy = "confidence and the strategy `bottom-up` do without; a server with logprobs makes both better"
    reply = model.generate(_PROMPT, Deadline.after(_SECONDS), sampling=_FEW)
    if any(generation.log_probability is None for generation in reply.generations):
        return Found("warning", "the model tells no probability of what it writes", remedy)
    if not model.capabilities.scores:
        return Found("note", "the model tells probabilities of what it writes, not of what is given", remedy)
    return Found("ok", "the model tells probabilities, of given texts too")
