"""Why a step finds nothing, as far as the index tells it without a query."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from compilers.grounded import Binding, GroundedProgram
from compilers.kopl.functions import Kind
from compilers.kopl.program import Step
from compilers.kopl.rules import shortened
from compilers.naming import set_name
from compilers.probes import known_entity
from nlq_gateway.index import Index
from nlq_gateway.index.members import Classes, ImpossibleStepError, StepReader, step_classes
from nlq_gateway.language.sentences import Say, joined

_MOST = 6


def why_nothing(grounded: GroundedProgram, index: Index, say: Say) -> dict[int, str]:
    """The sentences that say why steps of a program without result find nothing, by step."""
    reasons = _Reasons(grounded, index, say)
    told = {
        at: tell(reasons, at, bound)
        for at, step in enumerate(grounded.program.steps)
        if (tell := _REASONS.get(step.function)) and (bound := grounded.binding(at, 0))
    }
    return {at: text for at, text in told.items() if text}


@dataclass(frozen=True, slots=True)
class _Reasons:
    grounded: GroundedProgram
    index: Index
    say: Say

    def other_values(self, at: int, bound: Binding) -> str:
        """The values of an attribute of which the index has all, and few, where the step's text is none."""
        items, step = self.index.items(Kind.ATTRIBUTE, bound.iris), self.grounded.program.steps[at]
        found = self.index.partitions(iri for item in items for iri, _ in item.domains)
        uses = [one for one in found if one.kind == Kind.ATTRIBUTE and one.iri in bound.iris]
        values = tuple(dict.fromkeys(value for one in uses for value in one.values))
        if not 0 < len(values) <= _MOST or step.inputs[1] in values or not all(one.complete for one in uses):
            return ""
        either = joined([self._quoted(shortened(value)) for value in values], self.say, "either")
        return self.say("few_values", attribute=step.inputs[0], values=either)

    def turned(self, at: int, bound: Binding) -> str:
        """The other direction of a relation that leads from none of the classes of its step's input."""
        step = self.grounded.program.steps[at]
        (source,) = step.dependencies
        before, turned = self.grounded.prefix(source), step.turned
        choices = {place: one.iris[0] for place, one in before.bindings.items()}
        classes = step_classes(before.program, choices, self.index)[-1]
        if turned is None or self._leads(step, bound, classes) or not self._leads(turned, bound, classes):
            return ""
        thing = set_name(self.grounded, source)
        return self.say(f"leads_{turned.inputs[1]}", relation=self._quoted(bound.label), thing=thing)

    def _leads(self, step: Step, bound: Binding, classes: Classes) -> bool:
        """True if a relation may lead on from a member of these classes."""
        try:
            StepReader(self.index, strict=True).after(step, bound.iris[0], [classes])
        except ImpossibleStepError:
            return False
        return True

    def unstated(self, at: int, bound: Binding) -> str:
        """The attribute of one thing that is all that a program asks for."""
        thing = known_entity(self.grounded, self.grounded.program.steps[at].dependencies[0])
        if thing is None or at < len(self.grounded.program) - 1:
            return ""
        return self.say("unstated", attribute=self._quoted(bound.label), thing=thing)

    def _quoted(self, words: str) -> str:
        return self.say("quoted", words=words)


_REASONS: Mapping[str, Callable[[_Reasons, int, Binding], str]] = {
    "FilterStr": _Reasons.other_values,
    "QueryAttr": _Reasons.unstated,
    "Relate": _Reasons.turned,
}
