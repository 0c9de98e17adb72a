"""The growing programs for a question that a model finds worth keeping (BYOKG, section 3.3).

A model that gives scores keeps the likeliest after the question, behind demonstrations, as in `drafts`;
another one is shown them, and writes the numbers of the best.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from compilers.kopl.program import Program
from nlq_gateway.drafts.generation.known import Example
from nlq_gateway.drafts.generation.scoring.drafts import MOST, fitting
from nlq_gateway.drafts.generation.scoring.prompt import line_of, prune_prompt, score_prompt
from nlq_gateway.models.base import Deadline, Model, ModelRequest, Sampling
from nlq_gateway.models.errors import Cancelled, ModelError

_SAMPLING = Sampling(max_tokens=80, stop=("\nQuestion:",))
_NUMBER = re.compile(r"\b\d{1,3}\b")


@dataclass
class Pruner:
    """Prunes the growing programs of one question; keeps all once the model has failed, which it reports."""

    model: Model
    question: str
    examples: Sequence[Example]
    deadline: Deadline
    failed: Callable[[ModelError], None]
    most: int = MOST
    _given_up: bool = field(default=False, init=False)

    def kept(self, programs: Sequence[Program]) -> frozenset[Program]:
        """The programs to keep; all of them if they are few. Raises Cancelled."""
        if self._given_up or len(programs) <= self.most:
            return frozenset(programs)
        try:
            self.model.prepare(self.deadline)
            best = self._likeliest if self.model.capabilities.scores else self._named
            return frozenset(best(programs)) or frozenset(programs)
        except Cancelled:
            raise
        except ModelError as error:
            self._given_up = True
            self.failed(error)
            return frozenset(programs)

    def _likeliest(self, programs: Sequence[Program]) -> Sequence[Program]:
        near = fitting(self.model, self.question, self.examples)
        texts = [f" {line_of(program)}" for program in programs]
        scores = self.model.score(score_prompt(self.question, near), texts, self.deadline).per_token
        order = sorted(range(len(programs)), key=lambda at: -scores[at])
        return [programs[at] for at in order[: self.most]]

    def _named(self, programs: Sequence[Program]) -> Sequence[Program]:
        prompt = prune_prompt(self.question, programs, self.most)
        reply = self.model.generate(ModelRequest(prompt, _SAMPLING), self.deadline)
        numbers = map(int, _NUMBER.findall(reply.generations[0].text))
        named = dict.fromkeys(number for number in numbers if 0 < number <= len(programs))
        return [programs[number - 1] for number in named][: self.most]
