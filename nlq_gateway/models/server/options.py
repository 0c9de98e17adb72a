"""How a server is to be asked, as it is configured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Api = Literal["auto", "chat", "completions"]
Effort = Literal["none", "low", "medium", "high"]
# What no configuration replaces: without them an answer could not be read, or would be to something else.
_KEPT = frozenset({"messages", "prompt", "stream", "stream_options", "n"})


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """What goes along with every request, and what bounds it.

    `max_tokens` bound a text with the thoughts before it, `seconds` are how long a server may say nothing.
    `headers` may be secret, and are never shown. `extra_body` wins over what the gateway sends itself, but
    for the prompt and the stream.
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
        """What `extra_body` may set."""
        return {name: value for name, value in self.extra_body.items() if name not in _KEPT}


AS_IT_COMES = ServerOptions()
