"""How sure the gateway is of an answer, in [0, 1], with the parts that it comes from."""

from __future__ import annotations

import math
from collections.abc import Sequence

from nlq_gateway.trace import BindingTrace
from nlq_gateway.types import Draft


def confidence(
    draft: Draft, rivals: Sequence[Draft], bindings: Sequence[BindingTrace]
) -> tuple[float, dict[str, float]]:
    """The geometric mean of four parts.

    explained: the share of the question's words that the program accounts for; support: less for every
    step that no word speaks for; lead: how far ahead of the next program; grounding: the weakest binding.
    """
    explained = max(0.0, min(1.0, draft.parts.get("explained", 1.0)))
    gap = draft.score - max((rival.score for rival in rivals), default=draft.score - 1.0)
    lead = 1 / (1 + math.exp(-3 * gap))
    grounding = min((binding.score for binding in bindings if binding.iri), default=1.0)
    support = math.exp(-max(0.0, draft.parts.get("cost", 0.0)) / 2)
    parts = {"explained": explained, "support": support, "lead": lead, "grounding": grounding}
    score = math.prod(parts.values()) ** (1 / len(parts))
    return score, parts
