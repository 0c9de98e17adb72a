"""How sure the gateway is of an answer, in [0, 1], with the parts that it comes from."""

from __future__ import annotations

import math
from collections.abc import Sequence

from nlq_gateway.trace import BindingTrace
from nlq_gateway.types import Draft


def confidence(
    draft: Draft, rivals: Sequence[Draft], bindings: Sequence[BindingTrace]
) -> tuple[float, dict[str, float]]:
    """The geometric mean of what is explained, the lead over the next program, and the weakest binding."""
    explained = max(0.0, min(1.0, draft.parts.get("explained", 1.0)))
    gap = draft.score - max((rival.score for rival in rivals), default=draft.score - 1.0)
    lead = 1 / (1 + math.exp(-3 * gap))
    grounding = min((binding.score for binding in bindings if binding.iri), default=1.0)
    parts = {"explained": explained, "lead": lead, "grounding": grounding}
    score = math.prod(parts.values()) ** (1 / len(parts))
    return score, parts
