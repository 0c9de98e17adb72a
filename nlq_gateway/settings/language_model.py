"""The keys about the language model, and about how it is used for a question."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import ConfigDict, Field, model_validator

from nlq_gateway.settings.faults import Fault
from nlq_gateway.settings.section import Section, keys_by
from nlq_gateway.settings.values import EndpointUrl, Secret

Backend = Literal["none", "openai", "transformers"]
Writer = Literal["steps", "code", "decompose"]
Strategy = Literal["auto", "bottom-up", "steps", "code", "decompose"]

# By back end: the keys that it needs, and those that it may have.
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

    @model_validator(mode="after")
    def _keys_of_the_backend(self) -> Self:
        needed, possible = _KEYS[self.backend]
        given = {name for name in ("url", "name", "key", "device") if getattr(self, name) is not None}
        if missing := sorted(needed - given):
            raise ValueError(f"backend {self.backend!r} needs `{missing[0]}`")
        if extra := sorted(given - needed - possible):
            raise Fault(f"backend {self.backend!r} takes no `{extra[0]}`", extra[0])
        return self


class BudgetSettings(Section):
    """What one question may cost: when it is spent, the best answer so far is given."""

    seconds: float = Field(default=30, gt=0, description="seconds until the model is not asked any more")
    calls: int = Field(default=12, gt=0, description="calls of the model")
    tokens: int = Field(default=60_000, gt=0, description="tokens to and from the model")


class PipelineSettings(Section):
    """How questions become programs."""

    strategy: Strategy = Field(default="auto", description="the strategy for requests that name none")
    writer: Writer = Field(
        default="code", description="how the model writes programs where the strategy is auto"
    )
    samples: int = Field(
        default=2, ge=0, description="programs sampled from the model when the first one fails"
    )
    runs: int = Field(
        default=1,
        gt=0,
        description="programs that the model writes at least; how far they agree counts",
    )
    refine: bool = Field(
        default=False, description="whether the model sees executed steps and may amend the program"
    )
    grammar: Literal["names", "types", "none"] = Field(
        default="names",
        description="what binds a model that follows grammars: the graph's names and types, types, or none",
    )
    response: Literal["template", "model"] = Field(
        default="template", description="who puts the answer into words"
    )
    budget: BudgetSettings = Field(default=BudgetSettings(), description="what one question may cost")
