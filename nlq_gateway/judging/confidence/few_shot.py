"""The features of an answer by a language model's program.

The model may say in the graph's words what the question says in others, so the words of both are not
compared: what counts is what the graph has, what the program finds, and how sure the model was. The weights
are fitted on recorded replies (`python -m training.few_shot`); what these do not say has none.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from compilers.answers import Answer
from nlq_gateway.core.types import Draft
from nlq_gateway.trace import BindingTrace

MEANINGS: Mapping[str, str] = {
    "found": "whether the answer is more than none, or a count of none by names that the graph has",
    "grounded": "how surely the graph has what the program's weakest name stands for",
    "unrepaired": "less for each change that was made to what the model wrote",
    "brief": "less for each step",
    "fluent": "how probable the program's tokens are to the model, in the mean",
    "run": "of sub-questions: how like they are to what they were taken for, by how probable that is",
}


# From this score on a name is taken for the graph's own.
KNOWN = 0.9


def finds(bindings: Sequence[BindingTrace], answer: Answer | None) -> bool:
    """True if an answer is more than none; a count of none by names that the graph has is one."""
    if answer is None or not answer.nothing:
        return True
    return answer.strings == ("0",) and all(binding.score >= KNOWN for binding in bindings)


def features(draft: Draft, bindings: Sequence[BindingTrace], answer: Answer | None) -> dict[str, float]:
    """The value of each of `MEANINGS` in [0, 1]; what is not known is left out."""
    found = {
        "found": float(finds(bindings, answer)),
        "grounded": min((binding.score for binding in bindings), default=1.0),
        "unrepaired": math.exp(-len(draft.repairs) / 2),
        "brief": math.exp(-len(draft.program) / 8),
    }
    if "likelihood" in draft.parts:
        found["fluent"] = math.exp(min(0.0, draft.parts["likelihood"]))
    if "run" in draft.parts:
        found["run"] = draft.parts["run"]
    return found
