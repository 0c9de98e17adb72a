"""Asks a server whose abilities are known for texts and scores. Every function raises ModelError."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nlq_gateway.models.base import Deadline, ModelRequest, Prompt, Reply, Scores
from nlq_gateway.models.server.bodies import CHAT, COMPLETIONS, Body, binds, writing
from nlq_gateway.models.server.findings import Findings
from nlq_gateway.models.server.reading import StreamReader
from nlq_gateway.models.server.scoring import WAYS, scores, scoring
from nlq_gateway.models.server.wire import Wire
from nlq_gateway.trace import Sent


async def write(wire: Wire, findings: Findings, request: ModelRequest, deadline: Deadline) -> Reply:
    """Return `samples` texts; a greedy text is written once and repeated.

    If a server returns fewer texts than requested, the others are requested one by one.
    """
    sampling, samples = request.sampling, request.samples
    count = samples if sampling.temperature else 1
    reply = await _once(wire, findings, replace(request, samples=count), deadline)
    while len(reply.generations) < count:
        other = replace(sampling, seed=sampling.seed + len(reply.generations))
        more = await _once(wire, findings, replace(request, sampling=other, samples=1), deadline)
        reply = replace(
            reply, generations=reply.generations + more.generations, usage=reply.usage + more.usage
        )
    repeated = reply.generations * (samples if count < samples else 1)
    return replace(reply, generations=repeated[:samples])


async def score(
    wire: Wire, findings: Findings, prompt: Prompt, continuations: Sequence[str], deadline: Deadline
) -> Scores:
    """Return the log-probability of each continuation, by the detected method, in one request."""
    assert findings.scoring is not None, "asked for scores, which the server does not give"
    way = WAYS[findings.scoring]
    body = scoring(findings.model, way, prompt.text, continuations)
    answer = await wire.post(COMPLETIONS, body, deadline)
    return scores(way, answer, len(continuations))


async def _once(wire: Wire, findings: Findings, request: ModelRequest, deadline: Deadline) -> Reply:
    prompt = request.prompt
    reader = StreamReader(request.samples, request.sampling.stop, calling=bool(prompt.tools))
    body = writing(findings, wire.options, request)
    await wire.read(findings.path, body, reader, deadline)
    return replace(reader.reply(prompt.text), sent=_sent(wire, findings, body, binds(findings, request)))


def _sent(wire: Wire, findings: Findings, body: Body, bound: str) -> Sent:
    most, effort = body["max_tokens"], body.get("reasoning_effort", "")
    return Sent(
        "chat" if findings.path == CHAT else "completions",
        bound,
        most if isinstance(most, int) else 0,
        str(effort),
        tuple(sorted(wire.refused & body.keys())),
    )
