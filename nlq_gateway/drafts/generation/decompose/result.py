"""What became of a question: its sub-questions with their chains, and the program that these make."""

from __future__ import annotations

from dataclasses import dataclass, field

from nlq_gateway.drafts.generation.decompose.sketch import Choices
from nlq_gateway.drafts.generation.known import Written


@dataclass(frozen=True, slots=True)
class ChainCandidate:
    """A chain that a sub-question may mean: the filled template, its steps, and how sure both are.

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

    `chosen` is the position of the one that was taken, None where the model found that none fits.
    """

    number: int
    text: str
    candidates: tuple[ChainCandidate, ...]
    chosen: int | None

    @property
    def candidate(self) -> ChainCandidate | None:
        """The one that was taken."""
        return None if self.chosen is None else self.candidates[self.chosen]

    @property
    def words(self) -> str:
        """What it was taken to mean."""
        return self.candidate.words if self.candidate else self.text

    @property
    def sureness(self) -> float:
        """The similarity times the probability of what was taken, 0 where nothing was."""
        return max(0.0, self.candidate.similarity * self.candidate.probability) if self.candidate else 0.0


@dataclass(frozen=True, slots=True)
class Decomposed:
    """A decomposition: its sub-questions as far as they were solved, and the program that they make.

    `choices` are the IRIs that the program's names stand for, by (step, argument). `confidence` is that of
    one run (Keqing, equation 5), 0 where there is no program.
    """

    subquestions: tuple[Solved, ...]
    written: Written
    choices: Choices = field(default_factory=dict)
    confidence: float = 0.0
