"""Language models of any back end behind one small interface.

base.py        the interface: generate, score, count tokens, until a deadline
calls.py       tool calls as lines of text
errors.py      the error tree
templates.py   prompts from templates, and texts as one line of a prompt
choice.py      choice among options by the model's probabilities
opened.py      the configured model, opened at its first use
metered.py     the model of one question, with its budget and cost, and a cache of replies
local/         a model in this process
shared/        a model in its own process, for several client processes
server/        a model on an OpenAI-compatible server
"""

from __future__ import annotations

from nlq_gateway.models.base import (
    GREEDY,
    Capabilities,
    Deadline,
    Generation,
    Model,
    ModelRequest,
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
    "ModelRequest",
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
