"""The keys about the language model, and about how it is used for a question."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Literal, Self

from pydantic import ConfigDict, Field, model_validator

from nlq_gateway.settings.faults import Fault
from nlq_gateway.settings.section import Section, keys_by
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

    model_config = ConfigDict(json_schema_extra=keys_by("backend", "none", _KEYS))

    backend: Backend = Field(
        default="none", description="none, openai (any compatible server) or transformers"
    )
    url: EndpointUrl | None = Field(
        default=None, description="the server's address, for openai, such as http://gpu:8000/v1"
    )
    name: str | None = Field(
        default=None, description="the model's name (for openai by default the server's first), or its folder"
    )
    key: Secret | None = Field(default=None, description="the server's key, for openai, as ${NAME}")
    device: str | None = Field(
        default=None, description="cpu, cuda or cuda:N, for transformers; cuda by default where there is one"
    )

    api: Literal["auto", "chat", "completions"] = Field(
        default="auto", description="how a server is asked; auto: by chat where it has one"
    )
    max_tokens: int = Field(
        default=4_096,
        gt=0,
        description="tokens that a server's model writes at most, its thoughts among them",
    )
    reasoning: Literal["none", "low", "medium", "high"] = Field(
        default="none", description="how much a server's model is asked to think; none says nothing of it"
    )
    headers: dict[HeaderName, HeaderValue] = Field(
        default={}, description="headers of every request to a server; what is secret as ${NAME}"
    )
    query: dict[str, str] = Field(
        default={}, description="parameters of a server's address, such as Azure's api-version"
    )
    extra_body: dict[str, Any] = Field(
        default={}, description="more members of every request to a server, which win over the gateway's own"
    )
    timeout: Duration = Field(
        default=timedelta(seconds=120), description="how long a server may say nothing: 120s, 5m or never"
    )

    def __hash__(self) -> int:
        """Of the settings as text, as headers and the like are dictionaries: settings tell models apart."""
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
    """What one question may cost: when it is spent, the best answer so far is given."""

    seconds: float = Field(default=30, gt=0, description="seconds until the model is not asked any more")
    calls: int = Field(default=12, gt=0, description="calls of the model")
    tokens: int = Field(default=60_000, gt=0, description="tokens to and from the model")


class PipelineSettings(Section):
    """How questions become programs."""

    strategy: Strategy = Field(default="auto", description="the strategy for requests that name none")
    only: bool = Field(
        default=False,
        description="whether the strategy answers alone: nothing else drafts, votes, or keeps back",
    )
    caution: Caution = Field(
        default="normal",
        description="how sure an answer has to be that is given: docs/confidence.md says what each costs",
    )
    writer: Writer = Field(
        default="steps", description="how the model writes programs where the strategy is auto"
    )
    card: int = Field(
        default=3_000,
        ge=0,
        description="tokens of schema in a prompt: all where it fits, else what is near to the question",
    )
    samples: int = Field(
        default=2, ge=0, description="programs sampled from the model when the first one fails"
    )
    runs: int = Field(
        default=1,
        gt=0,
        description="programs that the model writes at least; how far they agree counts",
    )
    prune: bool = Field(
        default=False,
        description="whether the model prunes what the reasoner grows, at each of its steps",
    )
    refine: bool = Field(
        default=False, description="whether the model sees executed steps and may amend the program"
    )
    grammar: Literal["names", "types", "none"] = Field(
        default="names",
        description="what binds a model that follows grammars: the graph's names and types, types, or none",
    )
    response: Literal["auto", "template", "model"] = Field(
        default="auto",
        description="who puts the answer into words; auto: the model in other languages than English",
    )
    budget: BudgetSettings = Field(default=BudgetSettings(), description="what one question may cost")
