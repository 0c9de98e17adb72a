"""The whole configuration, and its changes by commands."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError, ValidationInfo, field_validator

from nlq_gateway.core.errors import ConfigurationError
from nlq_gateway.settings.endpoint import EndpointSettings
from nlq_gateway.settings.explain import refusal
from nlq_gateway.settings.language_model import ModelSettings, PipelineSettings
from nlq_gateway.settings.section import Fault, Section
from nlq_gateway.settings.server import ServerSettings
from nlq_gateway.settings.values import data_id, store_id


class Settings(Section):
    """The whole configuration; the first endpoint answers when a request names no dataset."""

    endpoints: tuple[EndpointSettings, ...] = Field(min_length=1, description="the graphs, the default first")
    model: ModelSettings = Field(default=ModelSettings(), description="the language model")
    pipeline: PipelineSettings = Field(
        default=PipelineSettings(), description="strategies and limits for questions"
    )
    server: ServerSettings = Field(default=ServerSettings(), description="the gateway's own HTTP interface")

    @field_validator("pipeline")
    @classmethod
    def _strategy_has_its_model(cls, pipeline: PipelineSettings, info: ValidationInfo) -> PipelineSettings:
        model = info.data.get("model", ModelSettings())
        if model.backend == "none" and pipeline.strategy not in ("auto", "bottom-up"):
            raise Fault(f"the strategy {pipeline.strategy!r} needs a `model`", "strategy")
        return pipeline

    @field_validator("endpoints")
    @classmethod
    def _distinct_names(cls, endpoints: tuple[EndpointSettings, ...]) -> tuple[EndpointSettings, ...]:
        known: set[str] = set()
        for position, endpoint in enumerate(endpoints):
            names = {endpoint.id: "id", **dict.fromkeys(endpoint.aliases, "aliases")}
            if shared := next((name for name in names if name in known), None):
                raise Fault(
                    f"several endpoints have the id or alias {shared!r}: choose another",
                    position,
                    names[shared],
                )
            known.update(names)
        return endpoints

    @field_validator("server")
    @classmethod
    def _clients_of_known_datasets(cls, server: ServerSettings, info: ValidationInfo) -> ServerSettings:
        known = {endpoint.id for endpoint in info.data.get("endpoints", ())}
        for position, client in enumerate(server.auth.clients or ()):
            for place, dataset in enumerate(client.datasets or ()):
                if known and dataset not in known:
                    message = f"there is no endpoint {dataset!r}: the ids are {', '.join(sorted(known))}"
                    raise Fault(message, "auth", "clients", position, "datasets", place)
        return server

    def shared_by(self, workers: int) -> Settings:
        """The settings of one of several worker processes: its share of each store's limits.

        Each asks one query at a time at least, so more workers than `concurrency` ask more together.
        """
        return self.model_copy(
            update={"endpoints": tuple(endpoint.shared_by(workers) for endpoint in self.endpoints)}
        )

    def only(self, endpoint_id: str) -> Settings:
        """The same settings with one endpoint alone; KeyError for an id or alias that none has."""
        chosen = [e for e in self.endpoints if endpoint_id in (e.id, *e.aliases)]
        if not chosen:
            raise KeyError(endpoint_id)
        return self.model_copy(update={"endpoints": tuple(chosen)})

    def with_source(
        self,
        *,
        layout: str | None = None,
        dialect: str | None = None,
        examples: str | None = None,
        model: str | None = None,
    ) -> Settings:
        """The same settings with these values for every endpoint; None leaves them.

        `model` is the address of an OpenAI-compatible server, or the name or folder of a model to load.

        Raises:
            ConfigurationError: for a value that a file could not have either.
        """
        changes = {name: value for name, value in (("layout", layout), ("dialect", dialect)) if value}
        index = {"examples": examples} if examples else {}
        try:
            changed = tuple(
                EndpointSettings.model_validate(
                    {
                        **dict(endpoint),
                        # In brackets, without which `bif:contains` is read as a name with a prefix.
                        **endpoint.model_dump(mode="json", include={"functions"}),
                        **changes,
                        "index": {**dict(endpoint.index), **index},
                    }
                )
                for endpoint in self.endpoints
            )
        except ValidationError as error:
            raise refusal(error, EndpointSettings) from None
        try:
            language_model = self.model if model is None else _model_at(model)
        except ValidationError as error:
            raise refusal(error, ModelSettings) from None
        return self.model_copy(update={"endpoints": changed, "model": language_model})

    @classmethod
    def for_data(cls, files: Sequence[str | Path]) -> Settings:
        """The settings of a gateway over data files alone, with one endpoint named after the first.

        Raises:
            ConfigurationError: for a file that is not there.
        """
        if not files:
            raise ConfigurationError("no data files are given", hint="give RDF files or builtin:sample")
        return cls._for_one({"id": data_id(str(files[0])), "data": [str(file) for file in files]})

    @classmethod
    def for_store(cls, url: str) -> Settings:
        """The settings of a gateway over one store, with an endpoint named after its address.

        Raises:
            ConfigurationError: for what is no address of a store.
        """
        return cls._for_one({"id": store_id(url), "url": url})

    @classmethod
    def _for_one(cls, endpoint: dict[str, Any]) -> Settings:
        try:
            return cls(endpoints=(EndpointSettings.model_validate(endpoint),))
        except ValidationError as error:
            # People give files, not a key.
            raise refusal(error, EndpointSettings, unnamed="data") from None


def _model_at(place: str) -> ModelSettings:
    if place.startswith(("http://", "https://")):
        return ModelSettings.model_validate({"backend": "openai", "url": place})
    return ModelSettings(backend="transformers", name=place)
