"""Configured options of requests to a server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Api = Literal["auto", "chat", "completions"]
Effort = Literal["none", "low", "medium", "high"]
# Members that no configuration overrides: the response could not be read, or would answer another prompt.
_KEPT = frozenset({"messages", "prompt", "stream", "stream_options", "n"})


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """Additions to every request, and its limits.

    `max_tokens` bound a text including its reasoning; `seconds` bound the silence of a server. `headers`
    may be secret, and are never shown. `extra_body` overrides the gateway's own members, except for the
    prompt and the stream.
    """

    api: Api = "auto"
    max_tokens: int = 4_096
    reasoning: Effort = "none"
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    query: Mapping[str, str] = field(default_factory=dict)
    extra_body: Mapping[str, object] = field(default_factory=dict)
    seconds: float = 120.0

    @property
    def extra(self) -> dict[str, object]:
        """The members that `extra_body` may set."""
        return {name: value for name, value in self.extra_body.items() if name not in _KEPT}


AS_IT_COMES = ServerOptions()
