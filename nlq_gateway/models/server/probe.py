"""Detects a server's features by trying them. A missing feature is no error."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable
from dataclasses import replace
from typing import TypeVar

from nlq_gateway.models.base import Deadline, Generation, ModelRequest, Prompt, Sampling, Tool
from nlq_gateway.models.calls import Called, calls_in
from nlq_gateway.models.errors import ModelMissing, ModelNonsense, ModelRefused, ModelTimeout
from nlq_gateway.models.server.asking import score, write
from nlq_gateway.models.server.bodies import CHAT, COMPLETIONS, GRAMMARS, MODELS, SCHEMAS
from nlq_gateway.models.server.failures import ServerFailed
from nlq_gateway.models.server.findings import Findings
from nlq_gateway.models.server.messages import Models
from nlq_gateway.models.server.options import Api
from nlq_gateway.models.server.scoring import WAYS
from nlq_gateway.models.server.wire import Wire

T = TypeVar("T")

# The first text may have to wait until the model is loaded.
FIRST_SECONDS = 30.0
EACH_SECONDS = 10.0

# Errors that show a missing feature; an outage or a busy server does not.
_CANNOT = (ModelRefused, ModelMissing, ModelNonsense, ServerFailed)

_PROMPT = Prompt("", "Monday, Tuesday, Wednesday, Thursday, Friday,")
_OTHER = " elephant"
# No model writes this of itself.
_UNLIKELY = "qv7-zebra-03"
_GRAMMAR = f'root ::= "{_UNLIKELY}"'
_SCHEMA = {
    "type": "object",
    "properties": {"word": {"type": "string", "enum": [_UNLIKELY]}},
    "required": ["word"],
    "additionalProperties": False,
}
_TOOL = Tool("note", "Keeps a word.", "word", "the word to keep")
_CALLING = Prompt("", f"Keep the word {_UNLIKELY} by calling the tool.", tools=(_TOOL,))
# By the configured way to ask: the paths to try. Most models are trained for chat, and servers know how.
_PATHS: dict[Api, tuple[str, ...]] = {
    "auto": (CHAT, COMPLETIONS),
    "chat": (CHAT,),
    "completions": (COMPLETIONS,),
}
# Models in half precision do not give quite the same twice.
_TOLERANCE = 0.1
# Tokens of a text that is only tried: chats of some clouds give no fewer.
_FEW, _ENOUGH = 16, 32
# A call has its tool's and its argument's name, too.
_CALL = 64
# Servers' messages that a model was still reasoning at the token limit.
_STILL_THINKING = re.compile(r"max_(?:completion_)?tokens.*(?:reached|higher)|output limit", re.IGNORECASE)


async def probe(wire: Wire, name: str | None) -> Findings:
    """Return the server's features, detected by a few short requests.

    Raises:
        ModelMissing: it does not have the model of this name, or has none.
        ModelError: it cannot be reached.
    """
    wire.refused = frozenset()
    findings = await _path(wire, await _model(wire, name))
    findings = replace(findings, grammar=await _grammar(wire, findings))
    if findings.grammar is None:
        findings = replace(findings, schema=await _schema(wire, findings))
    findings = replace(findings, tools=await _tools(wire, findings))
    return replace(findings, scoring=await _scoring(wire, findings))


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


async def _path(wire: Wire, model: str) -> Findings:
    """The first path that a text comes from, with what that text says of the model."""
    paths = _PATHS[wire.options.api]
    told: Exception | None = None
    for path in paths:
        try:
            return await _first(wire, Findings(model, path))
        except (ModelMissing, ModelNonsense) as error:
            # The error of the previous path is more informative than "no such path".
            told = told or error
        except _CANNOT as error:
            told = error
    assert told is not None
    raise told


async def _first(wire: Wire, findings: Findings) -> Findings:
    """The findings with whether the model thinks, and whether probabilities come along."""
    try:
        first = await _text(wire, findings, FIRST_SECONDS, most=_FEW)
    except ModelRefused as error:
        if not _STILL_THINKING.search(error.message):
            raise
        findings = replace(findings, thinks=True)
        first = await _text(wire, findings, FIRST_SECONDS)
    return replace(
        findings,
        thinks=findings.thinks or first.thought,
        log_probabilities=first.log_probability is not None,
    )


async def _grammar(wire: Wire, findings: Findings) -> str | None:
    """The way to send a grammar that the server follows."""
    for way in GRAMMARS:
        trial = replace(findings, grammar=way)
        found = await _tried(_text(wire, trial, EACH_SECONDS, grammar=_GRAMMAR))
        if found and found.text.strip() == _UNLIKELY:
            return way
    return None


async def _schema(wire: Wire, findings: Findings) -> str | None:
    """The way to send a JSON Schema that the server follows."""
    for way in SCHEMAS if findings.path == CHAT else ():
        trial = replace(findings, schema=way)
        found = await _tried(_text(wire, trial, EACH_SECONDS, schema=json.dumps(_SCHEMA)))
        if found and _UNLIKELY in found.text and found.text.strip().startswith("{"):
            return way
    return None


async def _tools(wire: Wire, findings: Findings) -> bool:
    """True if the model calls a tool on request."""
    if findings.path != CHAT:
        return False
    found = await _tried(_text(wire, findings, EACH_SECONDS, most=_CALL, prompt=_CALLING))
    return found is not None and calls_in(found.text) == (Called(_TOOL.name, _UNLIKELY),)


async def _scoring(wire: Wire, findings: Findings) -> str | None:
    """The way to score continuations that agrees with what the server said of its own text."""
    if wire.options.api == "chat" or findings.thinks:
        return None
    findings = replace(findings, path=COMPLETIONS)
    first = await _tried(_text(wire, findings, EACH_SECONDS, most=1))
    if first is None or first.log_probability is None or not first.text:
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


async def _text(
    wire: Wire,
    findings: Findings,
    seconds: float,
    *,
    most: int = _ENOUGH,
    prompt: Prompt = _PROMPT,
    grammar: str | None = None,
    schema: str | None = None,
) -> Generation:
    """A text of the trial's prompt; thoughts have all the time that a first text has."""
    deadline = Deadline.after(FIRST_SECONDS if findings.thinks else seconds)
    request = ModelRequest(prompt, Sampling(max_tokens=most), grammar=grammar, schema=schema)
    return (await write(wire, findings, request, deadline)).generations[0]


async def _tried(asked: Awaitable[T]) -> T | None:
    try:
        return await asked
    except (*_CANNOT, ModelTimeout):
        return None
