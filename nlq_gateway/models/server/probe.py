"""Finds out what a server can do, by trying it. What a server cannot do is no error."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import replace
from typing import TypeVar

from nlq_gateway.models.base import Deadline, Generation, Prompt, Sampling
from nlq_gateway.models.errors import ModelMissing, ModelNonsense, ModelRefused, ModelTimeout
from nlq_gateway.models.server.asking import score, write
from nlq_gateway.models.server.bodies import CHAT, COMPLETIONS, GRAMMARS, MODELS
from nlq_gateway.models.server.failures import ServerFailed
from nlq_gateway.models.server.findings import Findings
from nlq_gateway.models.server.messages import Models
from nlq_gateway.models.server.scoring import WAYS
from nlq_gateway.models.server.wire import Wire

T = TypeVar("T")

# The first text may have to wait until the model is loaded.
FIRST_SECONDS = 30.0
EACH_SECONDS = 10.0

# What says that a server does not do something; that it is down or busy says nothing.
_CANNOT = (ModelRefused, ModelMissing, ModelNonsense, ServerFailed)

_PROMPT = Prompt("", "Monday, Tuesday, Wednesday, Thursday, Friday,")
_OTHER = " elephant"
# No model writes this of itself.
_UNLIKELY = "qv7-zebra-03"
_GRAMMAR = f'root ::= "{_UNLIKELY}"'
# Models in half precision do not give quite the same twice.
_TOLERANCE = 0.1


async def probe(wire: Wire, name: str | None) -> Findings:
    """What the server has and can do, asked in a few short requests.

    Raises:
        ModelMissing: it does not have the model of this name, or none.
        ModelError: it cannot be asked.
    """
    wire.refused = frozenset()
    model = await _model(wire, name)
    findings, first = await _path(wire, model)
    findings = replace(findings, log_probabilities=first.log_probability is not None)
    findings = replace(findings, grammar=await _grammar(wire, findings))
    return replace(findings, scoring=await _scoring(wire, findings, first))


async def _model(wire: Wire, name: str | None) -> str:
    """The model to ask: the one of this name, or the first of those that are listed."""
    try:
        names = [one.id for one in (await wire.get(MODELS, Models, Deadline.after(EACH_SECONDS))).data]
    except _CANNOT:
        if name is None:
            raise
        return name
    if name is None and not names:
        raise ModelMissing("the model server lists no model", hint="name one: model.name")
    if name is not None and names and name not in names:
        raise ModelMissing(f"the model server has no model {name}", hint=f"it has: {', '.join(names[:20])}")
    return name or names[0]


async def _path(wire: Wire, model: str) -> tuple[Findings, Generation]:
    """The path that texts come from, and the first text: completions, else chat completions."""
    completions, chat = Findings(model, COMPLETIONS), Findings(model, CHAT)
    try:
        return completions, await _text(wire, completions, FIRST_SECONDS)
    except _CANNOT as error:
        try:
            return chat, await _text(wire, chat, FIRST_SECONDS)
        except (ModelMissing, ModelNonsense):
            # There is no chat either: what the first path said tells more.
            raise error from None


async def _grammar(wire: Wire, findings: Findings) -> str | None:
    """The way to send a grammar that the server follows."""
    for way in GRAMMARS:
        trial = replace(findings, grammar=way)
        found = await _tried(_text(wire, trial, EACH_SECONDS, _GRAMMAR))
        if found and found.text == _UNLIKELY:
            return way
    return None


async def _scoring(wire: Wire, findings: Findings, first: Generation) -> str | None:
    """The way to score continuations that agrees with what the server said of its own text."""
    if findings.path != COMPLETIONS or first.log_probability is None or not first.text:
        return None
    for way in WAYS:
        trial = replace(findings, scoring=way)
        texts = (first.text, _OTHER)
        found = await _tried(score(wire, trial, _PROMPT, texts, Deadline.after(EACH_SECONDS)))
        if found is None:
            continue
        written, other = found.log_probabilities
        if abs(written - first.log_probability) < _TOLERANCE and written + _TOLERANCE > other:
            return way
    return None


async def _text(wire: Wire, findings: Findings, seconds: float, grammar: str | None = None) -> Generation:
    sampling = Sampling(max_tokens=32 if grammar else 1)
    reply = await write(wire, findings, _PROMPT, Deadline.after(seconds), sampling, grammar=grammar)
    return reply.generations[0]


async def _tried(asked: Awaitable[T]) -> T | None:
    try:
        return await asked
    except (*_CANNOT, ModelTimeout):
        return None
