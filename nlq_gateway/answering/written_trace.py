"""A model's texts, as a trace shows them."""

from __future__ import annotations

from collections.abc import Iterator

from nlq_gateway.drafts.generation.decompose import Decomposed
from nlq_gateway.drafts.generation.known import Fact, Written
from nlq_gateway.drafts.generation.writer import in_steps
from nlq_gateway.trace import Attempt, SubQuestion

LONGEST_ATTEMPT = 2_000


def unsound_attempt(written: Written, strategy: str) -> Attempt:
    """The texts that are no program, each with the reason."""
    why = "; ".join(issue.message for issue in written.issues) or "no program over this graph"
    return Attempt(in_steps(written)[:LONGEST_ATTEMPT], strategy, 0.0, why, written.how, written.repairs)


def fact_line(fact: Fact) -> str:
    """A fact on a line: `Fargo: directed by (forward)`."""
    way = fact.direction or fact.kind
    qualifier = f", qualifier {fact.qualifier}" if fact.qualifier else ""
    return f"{fact.about}: {fact.label} ({way}{qualifier})"


def sub_questions_of(found: Decomposed) -> Iterator[SubQuestion]:
    """The sub-questions, as far as they were solved, with what they were taken for."""
    for solved in found.subquestions:
        taken = solved.candidate
        others = tuple(one.words for one in solved.candidates if one is not taken)
        if taken is None:
            yield SubQuestion(solved.text, "", "", 0.0, 0.0, others)
        else:
            yield SubQuestion(
                solved.text, taken.words, taken.chain, taken.similarity, taken.probability, others
            )
