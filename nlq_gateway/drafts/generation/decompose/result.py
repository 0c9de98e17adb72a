"""The result for a question: its sub-questions with their chains, and the program composed of these."""

from __future__ import annotations

from dataclasses import dataclass, field

from nlq_gateway.drafts.generation.decompose.sketch import Choices
from nlq_gateway.drafts.generation.known import Written


@dataclass(frozen=True, slots=True)
class ChainCandidate:
    """A candidate chain of a sub-question: the filled template, its steps, and their scores.

    `similarity` is the cosine of the masked sub-question and template (Keqing, equation 2), `probability` the
    model's.
    """

    words: str
    chain: str
    similarity: float
    probability: float


@dataclass(frozen=True, slots=True)
class Solved:
    """A sub-question with the chains it was matched to, the most similar first.

    `chosen` is the position of the chosen chain, None if the model found that none fits.
    """

    number: int
    text: str
    candidates: tuple[ChainCandidate, ...]
    chosen: int | None

    @property
    def candidate(self) -> ChainCandidate | None:
        """The chosen chain, or None."""
        return None if self.chosen is None else self.candidates[self.chosen]

    @property
    def words(self) -> str:
        """The words of the chosen chain, else its own."""
        return self.candidate.words if self.candidate else self.text

    @property
    def sureness(self) -> float:
        """The similarity times the probability of the chosen chain, 0 without one."""
        return max(0.0, self.candidate.similarity * self.candidate.probability) if self.candidate else 0.0


@dataclass(frozen=True, slots=True)
class Decomposed:
    """A decomposition: its sub-questions as far as they were solved, and the program composed of them.

    `choices` are the IRIs of the program's names, by (step, argument). `confidence` is that of one run
    (Keqing, equation 5), 0 without a program.
    """

    subquestions: tuple[Solved, ...]
    written: Written
    choices: Choices = field(default_factory=dict)
    confidence: float = 0.0
