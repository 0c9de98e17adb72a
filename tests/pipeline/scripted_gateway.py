"""Gateways whose language model is scripted, over the endpoints of one that is ready."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.scripted_model import ScriptedModel, of_options
from nlq_gateway.answering import Pipeline
from nlq_gateway.models import ModelRequest, Prompt
from nlq_gateway.models.opened import OpenedModel
from nlq_gateway.settings import PipelineSettings

# How the gateway asks for one of several options, where the model gives no scores.
BY_NUMBER = "\nThe number of the right one: "


def steps(*calls: str) -> str:
    """The program of these calls, as numbered steps."""
    return "\n".join(f"Step {number}: {call}" for number, call in enumerate(calls, 1))


def modelled(gateway: Pipeline, model: ScriptedModel, **pipeline: Any) -> Pipeline:
    """A gateway with this model and these keys of `pipeline`, over the same endpoints."""
    keys = PipelineSettings.model_validate(pipeline)
    made = Pipeline(
        gateway.settings.model_copy(update={"pipeline": keys}), OpenedModel(lambda: model, model.name)
    )
    made.endpoints = gateway.endpoints
    return made


def writing(*texts: str, prefer: Sequence[str] = ()) -> ScriptedModel:
    """A model that writes these texts, one a request, the last one again and again.

    Of options it finds those of `prefer` probable, one a choice, the last one again and again; without any
    it names none of them.
    """
    left, asked = list(texts), list[Prompt]()

    def script(request: ModelRequest) -> Sequence[str]:
        if request.prompt.body.endswith(BY_NUMBER):
            return ["none"]
        return [left.pop(0) if len(left) > 1 else left[0]]

    def preference(prompt: Prompt, text: str) -> float:
        if prompt not in asked:
            asked.append(prompt)
        meant = prefer[min(asked.index(prompt), len(prefer) - 1)]
        return 0.0 if text == meant else -9.0 * len(text)

    return ScriptedModel(script, of_options(preference) if prefer else None)


def asked_to_write(model: ScriptedModel) -> list[ModelRequest]:
    """The requests for texts, not those for one of several options."""
    return [one for one in model.requests if not one.prompt.body.endswith(BY_NUMBER)]
