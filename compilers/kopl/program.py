"""Programs: short lists of typed steps, each fed by earlier ones."""

from __future__ import annotations

from dataclasses import dataclass, replace

from compilers.kopl.functions import TURNED, Function, Kind, function_named

# Functions that follow a relation from one thing to another, without a word for the direction.
_OF_TWO = ("QueryRelation", "QueryRelationQualifier")


@dataclass(frozen=True, slots=True)
class Step:
    """One call. `inputs` are its textual arguments, `dependencies` the indices (from 0) that feed it.

    The field names are those of KQA Pro's JSON. An argument is a name as people write it, or an IRI
    in angle brackets.
    """

    function: str
    inputs: tuple[str, ...] = ()
    dependencies: tuple[int, ...] = ()

    @property
    def signature(self) -> Function:
        """The function table's row; KeyError for a function that is not in it (the checker says so)."""
        found = function_named(self.function)
        if found is None:
            raise KeyError(self.function)
        return found

    def __str__(self) -> str:
        """The call alone, as `Relate(directed by, backward)`."""
        return f"{self.function}({', '.join(self.inputs)})"

    @property
    def turned(self) -> Step | None:
        """The step with its relation followed the other way; None if it follows none."""
        if self.function in _OF_TWO:
            return replace(self, dependencies=self.dependencies[::-1])
        for argument, parameter in enumerate(self.signature.parameters):
            if parameter.kind == Kind.DIRECTION:
                return self.with_input(argument, TURNED[self.inputs[argument]])
        return None

    def with_input(self, argument: int, text: str) -> Step:
        """The step with another text as an argument (from 0)."""
        return replace(self, inputs=(*self.inputs[:argument], text, *self.inputs[argument + 1 :]))


@dataclass(frozen=True, slots=True)
class Program:
    """Steps in an order in which every step follows those that feed it; the last gives the answer."""

    steps: tuple[Step, ...]

    def __len__(self) -> int:
        """The number of steps."""
        return len(self.steps)

    def named(self, kind: Kind) -> tuple[str, ...]:
        """The distinct arguments of a kind, in order; arguments of unknown functions are skipped."""
        found = (
            text
            for step in self.steps
            if (function := function_named(step.function)) is not None
            for parameter, text in zip(function.parameters, step.inputs, strict=False)
            if parameter.kind == kind
        )
        return tuple(dict.fromkeys(found))

    def prefix(self, step: int) -> Program:
        """The program that ends at `step` (index from 0): the step and its ancestors, renumbered."""
        needed = sorted(self.ancestors(step))
        position = {old: new for new, old in enumerate(needed)}
        return Program(
            tuple(
                Step(s.function, s.inputs, tuple(position[d] for d in s.dependencies))
                for s in (self.steps[i] for i in needed)
            )
        )

    def ancestors(self, step: int) -> set[int]:
        """The indices of `step` and of every step that feeds it, directly or not."""
        found = {step}
        for index in range(step, -1, -1):
            if index in found:
                found.update(self.steps[index].dependencies)
        return found
