"""The keys about the language model, and about how it is used for a question."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Literal, Self

from pydantic import ConfigDict, Field, model_validator

from nlq_gateway.settings.section import Fault, Section, keys_by
from nlq_gateway.settings.values import Duration, EndpointUrl, HeaderName, HeaderValue, Secret

Backend = Literal["none", "openai", "transformers"]
Caution = Literal["low", "normal", "high"]
Writer = Literal["steps", "code", "decompose", "explore"]
Strategy = Literal["auto", "bottom-up", "steps", "code", "decompose", "explore"]

# By back end: the keys that it needs, and those that it may have.
# With defaults, which every back end may state.
_OF_SERVERS = ("api", "max_tokens", "reasoning", "headers", "query", "extra_body", "timeout")
_KEYS: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "none": (frozenset(), frozenset()),
    "openai": (frozenset({"url"}), frozenset({"name", "key"})),
    "transformers": (frozenset({"name"}), frozenset({"device"})),
}


class ModelSettings(Section):
    """The language model, if there is one."""

    model_config = ConfigDict(json_schema_extra=keys_by("backend", _KEYS))

    backend: Backend = Field(
        default="none", description="none, openai (any compatible server) or transformers"
    )
    url: EndpointUrl | None = Field(
        default=None, description="the server's address, for openai, such as http://gpu:8000/v1"
    )
    name: str | None = Field(
        default=None, description="the model's name (default for openai: the server's first), or its folder"
    )
    key: Secret | None = Field(default=None, description="the server's key, for openai, as ${NAME}")
    device: str | None = Field(
        default=None, description="cpu, cuda or cuda:N, for transformers; default: cuda if available"
    )

    api: Literal["auto", "chat", "completions"] = Field(
        default="auto", description="the server's API; auto: chat if the server has it"
    )
    max_tokens: int = Field(
        default=4_096,
        gt=0,
        description="maximum tokens of a server's reply, including reasoning",
    )
    reasoning: Literal["none", "low", "medium", "high"] = Field(
        default="none", description="reasoning effort for a server's model; none sends no value"
    )
    headers: dict[HeaderName, HeaderValue] = Field(
        default={}, description="headers of every request to a server; secrets as ${NAME}"
    )
    query: dict[str, str] = Field(
        default={}, description="parameters of a server's address, such as Azure's api-version"
    )
    extra_body: dict[str, Any] = Field(
        default={}, description="more members of every request to a server; they override the gateway's own"
    )
    timeout: Duration = Field(
        default=timedelta(seconds=120), description="maximum silence of a server: 120s, 5m or never"
    )

    def __hash__(self) -> int:
        """Hash the settings as text, because headers and the like are dictionaries that cannot be hashed."""
        return hash(self.model_dump_json())

    @model_validator(mode="after")
    def _keys_of_the_backend(self) -> Self:
        needed, possible = _KEYS[self.backend]
        given = {name for name in ("url", "name", "key", "device") if getattr(self, name) is not None}
        if missing := sorted(needed - given):
            raise ValueError(f"backend {self.backend!r} needs `{missing[0]}`")
        fields = type(self).model_fields
        if self.backend != "openai":
            given |= {name for name in _OF_SERVERS if getattr(self, name) != fields[name].default}
        if extra := sorted(given - needed - possible):
            raise Fault(f"backend {self.backend!r} takes no `{extra[0]}`", extra[0])
        if self.url is not None and set("?#") & set(str(self.url)):
            raise Fault("parameters do not stand in the address: write them under `query`", "url")
        return self


class BudgetSettings(Section):
    """The limits of one question: when one is reached, the best answer so far is given."""

    seconds: float = Field(
        default=30, gt=0, description="seconds after which the model is not called any more"
    )
    calls: int = Field(default=12, gt=0, description="calls of the model")
    tokens: int = Field(default=60_000, gt=0, description="tokens to and from the model")


class PipelineSettings(Section):
    """The strategies and limits by which questions become programs."""

    strategy: Strategy = Field(default="auto", description="the strategy of requests without one")
    only: bool = Field(
        default=False,
        description="true: the strategy answers alone; no other source drafts, votes, or withholds",
    )
    caution: Caution = Field(
        default="normal",
        description="the confidence that an answer needs; docs/confidence.md has the thresholds",
    )
    writer: Writer = Field(default="steps", description="the strategy of the model's programs under auto")
    card: int = Field(
        default=3_000,
        ge=0,
        description="tokens of schema in a prompt: all of it if it fits, else the part near the question",
    )
    samples: int = Field(
        default=2, ge=0, description="programs sampled from the model when the first one fails"
    )
    runs: int = Field(
        default=1,
        gt=0,
        description="minimum number of the model's programs; their agreement affects confidence",
    )
    prune: bool = Field(
        default=False,
        description="true: the model prunes the reasoner's programs after each step",
    )
    refine: bool = Field(
        default=False, description="true: the model sees step results and may revise the program"
    )
    grammar: Literal["names", "types", "none"] = Field(
        default="names",
        description="the grammar for models that follow one: the graph's names and types, types, or none",
    )
    response: Literal["auto", "template", "model"] = Field(
        default="auto",
        description="the wording of answers; auto: by the model except in English",
    )
    budget: BudgetSettings = Field(default=BudgetSettings(), description="the limits of one question")
