"""A program under construction, chain by chain, with the IRIs of its names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from compilers.kopl.functions import Type
from compilers.kopl.program import Program, Step
from nlq_gateway.core.types import Hit

Place = tuple[int, int]
Choices = Mapping[Place, tuple[str, ...]]
SETS = (Type.ENTITIES, Type.FACTS)


@dataclass(frozen=True, slots=True)
class ChainEnd:
    """The last step of a sub-question.

    `facts` is the step with the facts of qualifiers, and `narrowed` the concept of a filter after that.
    """

    step: int
    facts: int | None = None
    narrowed: Hit | None = None


@dataclass(frozen=True, slots=True)
class ChainSketch:
    """The steps so far, and the IRIs by (step, argument)."""

    steps: tuple[Step, ...] = ()
    choices: Choices = field(default_factory=dict)

    def __len__(self) -> int:
        """The number of steps."""
        return len(self.steps)

    def adding(
        self,
        function: str,
        inputs: tuple[str, ...] = (),
        feeds: tuple[int, ...] = (),
        iris: Mapping[int, tuple[str, ...]] | None = None,
    ) -> ChainSketch:
        """The sketch with one more step; `iris` are those of its arguments, by position."""
        chosen = {(len(self.steps), argument): found for argument, found in (iris or {}).items() if found}
        return ChainSketch((*self.steps, Step(function, inputs, feeds)), {**self.choices, **chosen})

    def output(self, step: int) -> Type:
        """The output type of a step."""
        return self.steps[step].signature.output

    def accepts(self, function: str, feeds: tuple[int, ...]) -> bool:
        """True if steps of these outputs may feed the function."""
        wanted = Step(function).signature
        return wanted.takes(len(feeds)) and all(
            wanted.accepts(position, self.output(step)) for position, step in enumerate(feeds)
        )

    def source(self, facts: int) -> tuple[str, ...]:
        """The IRIs of the relation or attribute of the facts in a step's output."""
        while self.steps[facts].function.startswith("QFilter"):
            facts = self.steps[facts].dependencies[0]
        return self.choices.get((facts, 0), ())

    def until(self, step: int) -> tuple[Program, Choices]:
        """The program that ends at a step, with the IRIs of its names."""
        whole = Program(self.steps)
        position = {old: new for new, old in enumerate(sorted(whole.ancestors(step)))}
        choices = {(position[at], n): iris for (at, n), iris in self.choices.items() if at in position}
        return whole.prefix(step), choices
