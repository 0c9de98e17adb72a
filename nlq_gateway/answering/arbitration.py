"""Between an answer without the language model and the model's own: the numbers that decide in `auto`.

They are fitted on recorded replies of a strong model over graphs that the other sources were not trained on
(`make bench ARGS="recorded --arbitration"`).
"""

from __future__ import annotations

from nlq_gateway.answering.selection import ChosenDraft, tells

# From this confidence on the model is not asked.
SURE = 0.925


def needs_no_model(choice: ChosenDraft) -> bool:
    """True if an answer is so sure that the model is not asked."""
    return not choice.refused and tells(choice.outcome) and choice.confidence >= SURE


def outweighs(other: ChosenDraft, written: ChosenDraft) -> bool:
    """True if an answer without the model is given in the place of one that the model's program found.

    Only where the model's own is not sure enough: that the graph's words are said otherwise is no reason.
    """
    return not other.refused and other.is_sure and not written.is_sure
