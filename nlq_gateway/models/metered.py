"""The model of one question: within a budget, with its cost so far, and with replies that are kept."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar, cast

from cachetools import LRUCache

from nlq_gateway.core.words import readable
from nlq_gateway.models.base import (
    Capabilities,
    Deadline,
    Generation,
    Model,
    ModelRequest,
    Prompt,
    Reply,
    Scores,
)
from nlq_gateway.models.errors import BudgetSpent, ModelError
from nlq_gateway.trace import ModelCall

Kept = TypeVar("Kept")
Answer = TypeVar("Answer", Reply, Scores)
# Replies that are kept.
ENTRIES = 2_000
# At most, on average: some servers write more tokens than requested.
_LETTERS_OF_A_TOKEN = 20


@dataclass(frozen=True, slots=True)
class QuestionBudget:
    """The limits of one question: seconds, calls, and tokens read and written."""

    seconds: float = 30.0
    calls: int = 12
    tokens: int = 60_000


@dataclass(slots=True)
class QuestionCost:
    """The cost of a question so far; shared by all callers of the model for it.

    `cut_in_thought` counts texts that were truncated before the model began to answer.
    """

    calls: list[ModelCall] = field(default_factory=list)
    cut_in_thought: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, call: ModelCall) -> None:
        """Count a call."""
        with self.lock:
            self.calls.append(call)

    def tokens(self) -> int:
        """Read and written."""
        return sum(one.prompt_tokens + one.completion_tokens for one in self.calls if not one.cached)

    def number(self) -> int:
        """Calls that were made."""
        return sum(not one.cached for one in self.calls)


class RememberedReplies:
    """The last replies of one model: the same prompt, drawn in the same way, is asked once.

    Prompts and grammars have some 100 kB together, so only a digest of them is kept with a reply. Safe to
    share between threads; failures are not kept.
    """

    def __init__(self) -> None:
        self._kept: LRUCache[bytes, object] = LRUCache(ENTRIES)
        self._lock = threading.Lock()

    def get(self, key: object, make: Callable[[], Kept]) -> tuple[Kept, bool]:
        """Return the cached or newly made value of a key, and True if cached. Keys compare by `repr`."""
        digest = hashlib.sha256(repr(key).encode()).digest()
        with self._lock:
            if digest in self._kept:
                return cast(Kept, self._kept[digest]), True
        made = make()
        with self._lock:
            self._kept[digest] = made
        return made, False


@dataclass(frozen=True, slots=True)
class Metered:
    """A model with a budget. Raises BudgetSpent instead of a call that goes beyond it.

    `purpose` names what the calls are for, in the trace.
    """

    model: Model
    budget: QuestionBudget
    remembered: RememberedReplies = field(default_factory=RememberedReplies)
    spent: QuestionCost = field(default_factory=QuestionCost)
    purpose: str = "write"

    def about(self, purpose: str) -> Metered:
        """The same, for another purpose."""
        return replace(self, purpose=purpose)

    @property
    def name(self) -> str:
        """The model's."""
        return self.model.name

    @property
    def capabilities(self) -> Capabilities:
        """The model's."""
        return self.model.capabilities

    def generate(self, request: ModelRequest, deadline: Deadline) -> Reply:
        """Generate within the budget; texts are printable, and no longer than requested."""

        def make() -> Reply:
            self._require(request.prompt, request.sampling.max_tokens * request.samples)
            reply = self.model.generate(request, deadline)
            longest = request.sampling.max_tokens * _LETTERS_OF_A_TOKEN
            return replace(reply, generations=tuple(_readable(one, longest) for one in reply.generations))

        reply = self._asked((self.name, request), make)
        self.spent.cut_in_thought += sum(one.cut_in_thought for one in reply.generations)
        return reply

    def score(self, prompt: Prompt, continuations: Sequence[str], deadline: Deadline) -> Scores:
        """Score within the budget."""

        def make() -> Scores:
            self._require(prompt, sum(map(self.count_tokens, continuations)))
            return self.model.score(prompt, continuations, deadline)

        return self._asked((self.name, prompt, tuple(continuations)), make)

    def left(self, prompt: Prompt, most: int) -> int:
        """The number of calls with this prompt, each of at most `most` tokens, left in the budget."""
        tokens = self.budget.tokens - self.spent.tokens()
        each = self.count_tokens(prompt.text) + most
        return max(0, min(self.budget.calls - self.spent.number(), tokens // each))

    def count_tokens(self, text: str) -> int:
        """Delegate to the model."""
        return self.model.count_tokens(text)

    def prepare(self, deadline: Deadline) -> None:
        """Delegate to the model."""
        self.model.prepare(deadline)

    def close(self) -> None:
        """Do nothing: the model serves other questions."""

    def _require(self, prompt: Prompt, others: int) -> None:
        """Raise BudgetSpent where a call with so many tokens besides the prompt's goes beyond the budget."""
        if self.spent.number() >= self.budget.calls:
            raise BudgetSpent(f"the question has used its {self.budget.calls} calls of the model")
        if self.spent.tokens() + self.count_tokens(prompt.text) + others > self.budget.tokens:
            raise BudgetSpent(f"another call would use more than the question's {self.budget.tokens} tokens")

    def _asked(self, key: Hashable, make: Callable[[], Answer]) -> Answer:
        begun = time.perf_counter()

        def took() -> float:
            return (time.perf_counter() - begun) * 1000

        try:
            answer, kept = self.remembered.get(key, make)
        except BudgetSpent:
            raise
        except ModelError as error:
            self.spent.add(ModelCall(self.purpose, 0, 0, took(), False, error.request_id, error.message))
            raise
        used = answer.usage
        read, written = used.prompt_tokens, used.completion_tokens
        sent = answer.sent if isinstance(answer, Reply) else None
        self.spent.add(ModelCall(self.purpose, read, written, took(), kept, answer.request_id, sent=sent))
        return answer


def _readable(generation: Generation, longest: int) -> Generation:
    """The text with blanks for what no store and no trace takes, cut where it is longer than that."""
    text = "\n".join(map(readable, generation.text[:longest].split("\n")))
    return replace(generation, text=text, finished=generation.finished and len(generation.text) <= longest)
