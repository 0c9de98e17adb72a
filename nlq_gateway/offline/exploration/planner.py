"""The ideas to try next: least covered ones, after everything in the schema once.

After the random walks of BYOKG (section 3.1), which choose blindly. A plan depends on the seed and on the
results of earlier ideas, never on time or on the process that grounds them.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from nlq_gateway.offline.exploration.agenda import agenda
from nlq_gateway.offline.exploration.schema import Idea, SchemaItems
from nlq_gateway.offline.exploration.walker import Walker

# Ideas in order of preference: a later one is tried if those before find nothing.
Slot = tuple[Idea, ...]

UNIT = 8
# Slots of a unit that see to the schema, while there is something of it left.
FROM_AGENDA = 5
VISITS = 3
_TRIES = 80


@dataclass
class Planner:
    """Hands out ideas, unit by unit, and learns what became of them."""

    schema: SchemaItems
    seed: int
    _units: int = 0
    _seen: Counter[object] = field(default_factory=Counter)
    _made: Counter[Idea] = field(default_factory=Counter)
    _found: set[str] = field(default_factory=set)
    _waiting: dict[int, tuple[Slot, ...]] = field(default_factory=dict)
    _agenda: deque[Slot] = field(init=False)

    def __post_init__(self) -> None:
        self._agenda = deque(agenda(self.schema))
        self._walker = Walker(self.schema, self._seen, self._found)

    def plan(self) -> tuple[Slot, ...]:
        """The ideas of the next unit; fewer than usual, or none, where nothing is left to try."""
        rng = Random(f"{self.seed}/plan/{self._units}")
        slots: list[Slot] = []
        while self._agenda and len(slots) < FROM_AGENDA:
            slots.append(self._agenda.popleft())
            self._note(slots[-1][0])
        while len(slots) < UNIT and (drawn := self._drawn(rng)) is not None:
            slots.append((drawn,))
            self._note(drawn)
        self._waiting[self._units] = tuple(slots)
        self._units += 1
        return tuple(slots)

    def learn(self, unit: int, found: Sequence[int]) -> None:
        """Take note of how many programs each slot of a unit gave."""
        for slot, programs in zip(self._waiting.pop(unit), found, strict=False):
            if programs and len(slot) == 1:
                self._found.update(part.form for part in slot[0].parts)

    def _drawn(self, rng: Random) -> Idea | None:
        """A walk that was not taken often."""
        walks = (self._walker.walk(rng) for _ in range(_TRIES))
        return next((idea for idea in walks if idea is not None and self._made[idea] < VISITS), None)

    def _note(self, idea: Idea) -> None:
        self._made[idea] += 1
        self._seen.update(idea.all_moves)
        self._seen.update(zip(idea.moves, idea.moves[1:], strict=False))
        for part in idea.parts:
            self._seen.update((part.form, *part.attributes, part.concept, part.qualifier))
