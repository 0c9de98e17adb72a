"""A model with the recorded replies to a question, for any other text in the prompt."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from benchmarks.recorded.record import RESPONSE, Recorded
from benchmarks.scripted_model import ScriptedModel
from nlq_gateway.models import ModelRequest
from nlq_gateway.models.choice import CUE
from nlq_gateway.models.templates import one_line

_ASKED = re.compile(r"^Question: (?P<text>.*)$", re.MULTILINE)


def replaying(recorded: Iterable[Recorded]) -> ScriptedModel:
    """The model that wrote these: it follows no grammar, gives no scores, and names no option."""
    replies = {one_line(one.question): one for one in recorded}

    def script(request: ModelRequest) -> Sequence[str]:
        body = request.prompt.body
        asked = [found["text"] for found in _ASKED.finditer(body)]
        one = replies.get(asked[-1]) if asked and not body.endswith(CUE) else None
        if one is None:
            return []
        if body.endswith(RESPONSE):
            return [one.response] if one.response else []
        # The text of a dialogue after this number of turns.
        text = (one.reply, *one.others)[len(request.prompt.turns) :][:1]
        return list(text) * request.samples

    return ScriptedModel(script, name="recorded")
