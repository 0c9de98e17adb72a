"""A gateway whose language model is a server that tests can trouble."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

from protocol_server import Asked, Manners, ProtocolServer

from benchmarks.scripted_model import ScriptedModel
from nlq_gateway.answering import Pipeline
from nlq_gateway.models.opened import OpenedModel
from nlq_gateway.models.server import ServerModel
from nlq_gateway.settings import Settings

_numbers = count(1)

# What a question may take of the model.
SECONDS = 2.0
# The default strategy answers it, but is not sure enough to leave the model alone.
QUESTION = "Which actor took home the Best Actor Oscar in 1994?"
ANSWER = "Tom Hanks"
# A right program, as each strategy goes on from its prompt.
STEPS = """ Find(Academy Award for Best Actor)
Step 2: Relate(award received, backward)
Step 3: QFilterYear(point in time, 1994, =)
Step 4: FilterConcept(actor)
Step 5: What()"""
CODE = """ Find('Academy Award for Best Actor')
expression_2 = Relate(expression_1, 'award received', 'backward')
expression_3 = QFilterYear(expression_2, 'point in time', '1994', '=')
expression_4 = FilterConcept(expression_3, 'actor')
expression_5 = What(expression_4)"""
LINES = "#1: which actor received [Academy Award for Best Actor] in 1994?"


def well_said(asked: Asked) -> str:
    """The correct text of a model."""
    by_end = {"Step 1:": STEPS, "expression_1 =": CODE, "The number of the right one: ": "1"}
    return next((text for end, text in by_end.items() if asked.prompt.endswith(end)), LINES)


def manners(**others: object) -> Manners:
    """Those of a server that can do all there is; each has a model of its own: replies are kept by model."""
    wanted = {"write": well_said, "models": [f"model-{next(_numbers)}"], "scores": "echo", **others}
    return Manners(**wanted)  # type: ignore[arg-type]


@contextmanager
def using(gateway: Pipeline, model: OpenedModel, **pipeline: object) -> Iterator[None]:
    """The gateway has this model, and uses it so; what it tells models of its first endpoint is made.

    That is made with a model that is there, as this one may not be.
    """
    before = gateway.model, gateway.settings
    there = OpenedModel(lambda: ScriptedModel.replaying(""), "there")
    changed = {**dict(gateway.settings), "pipeline": {"budget": {"seconds": SECONDS}, **pipeline}}
    gateway.model, gateway.settings = there, Settings.model_validate(changed)
    try:
        gateway.prepare_prompts(gateway.endpoint(None))
        gateway.model = model
        yield
    finally:
        model.close()
        there.close()
        gateway.model, gateway.settings = before


@contextmanager
def asking(gateway: Pipeline, url: str, name: str | None = None, **pipeline: object) -> Iterator[OpenedModel]:
    """The gateway asks the model behind an address."""
    model = OpenedModel(lambda: ServerModel(url, name, connect_seconds=1.0), url)
    with using(gateway, model, **pipeline):
        yield model


@contextmanager
def serving(gateway: Pipeline, *, ready: bool = True, **others: object) -> Iterator[ProtocolServer]:
    """A server with such manners, which the gateway asks, and mostly has asked before."""
    server = ProtocolServer(manners(**others))
    try:
        with asking(gateway, server.url) as model:
            if ready:
                model.prepare()
            yield server
    finally:
        server.close()
