"""Language models, whatever runs them, behind one small interface.

base.py        the interface: generate, score, count tokens, until a deadline
calls.py       calls of tools as lines of text
errors.py      what can go wrong
templates.py   prompts from templates, and texts as one line of a prompt
choice.py      one of several options, by what the model finds probable
opened.py      the configured model, opened when it is first needed
metered.py     a model as one question has it, with what it has cost so far
remembered.py  replies that are kept
scripted.py    a model for tests, which says what it is told to
local/         a model in this process
shared/        a model in a process of its own, for several others
server/        a model behind the interface of OpenAI
"""

from __future__ import annotations

from nlq_gateway.models.base import (
    GREEDY,
    Capabilities,
    Deadline,
    Generation,
    Model,
    Prompt,
    Reply,
    Sampling,
    Scores,
    Tool,
    Turn,
    Usage,
)
from nlq_gateway.models.calls import Called, calls_in
from nlq_gateway.models.choice import choose
from nlq_gateway.models.errors import ModelError

__all__ = [
    "GREEDY",
    "Called",
    "Capabilities",
    "Deadline",
    "Generation",
    "Model",
    "ModelError",
    "Prompt",
    "Reply",
    "Sampling",
    "Scores",
    "Tool",
    "Turn",
    "Usage",
    "calls_in",
    "choose",
]
