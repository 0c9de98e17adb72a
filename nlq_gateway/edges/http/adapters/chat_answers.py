"""An answer as OpenAI's objects: a completion, or the chunks of one.

https://platform.openai.com/docs/api-reference/chat/object and .../chat/streaming.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from nlq_gateway.trace import Trace

Json = dict[str, Any]
DONE = "data: [DONE]\n\n"


@dataclass(frozen=True, slots=True)
class Completion:
    """A message with what goes around it; `model` is the name that was asked, `created` in seconds."""

    trace: Trace
    model: str
    content: str
    created: int

    def whole(self) -> Json:
        """The `chat.completion`."""
        message = {"role": "assistant", "content": self.content, "refusal": None}
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}
        return {**self._head("chat.completion"), "choices": [choice], "usage": self.usage}

    def events(self, *, include_usage: bool) -> Iterator[str]:
        """The same as server-sent events, a line of the message each, and `[DONE]` at the end."""
        unknown = {"usage": None} if include_usage else {}
        for delta in self._deltas():
            yield self._event({"choices": [delta], **unknown})
        if include_usage:
            yield self._event({"choices": [], "usage": self.usage})
        yield DONE

    @property
    def usage(self) -> Json:
        """The tokens of the gateway's own language model; none where it was not asked."""
        used = self.trace.usage
        return {
            "prompt_tokens": used.prompt_tokens,
            "completion_tokens": used.completion_tokens,
            "total_tokens": used.prompt_tokens + used.completion_tokens,
        }

    def _deltas(self) -> Iterator[Json]:
        yield _choice({"role": "assistant", "content": ""})
        for line in self.content.splitlines(keepends=True):
            yield _choice({"content": line})
        yield _choice({}, "stop")

    def _event(self, members: Json) -> str:
        chunk = {**self._head("chat.completion.chunk"), **members}
        return f"data: {json.dumps(chunk, ensure_ascii=False)}\n\n"

    def _head(self, kind: str) -> Json:
        return {
            "id": f"chatcmpl-{self.trace.id}",
            "object": kind,
            "created": self.created,
            "model": self.model,
            "system_fingerprint": self.trace.index_version,
        }


def _choice(delta: Json, finish_reason: str | None = None) -> Json:
    return {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish_reason}
