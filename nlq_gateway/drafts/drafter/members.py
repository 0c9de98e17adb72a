"""What is known of the members that the steps of an unfinished program find.

A beginning that asks for facts that its members never have leads nowhere; the search leaves it at once, and
has room for others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from compilers.kopl.program import Step
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.drafts.drafter.naming import Characters, MentionLookup
from nlq_gateway.index.members import ANYTHING, LEADING, OF_SETS, Classes, ImpossibleStepError, StepReader


@dataclass(frozen=True, slots=True)
class Members:
    """Reads the steps of one question's programs."""

    reader: StepReader
    naming: MentionLookup

    def named(self, place: Characters) -> Classes:
        """The classes of all bearers of the name at a stretch of the question; unknown without a link."""
        found = [self.reader.named(iri) for iri in self.naming.linked_iris(place)]
        return frozenset[str]().union(*found) if all(found) else ANYTHING

    def found(
        self, steps: Sequence[Step], item: SchemaItem | None, known: Sequence[Classes]
    ) -> Classes | None:
        """The classes of the members that the last step finds, whose first argument is `item`.

        None for a relation without its direction.

        Raises:
            ImpossibleStepError: see StepReader.
        """
        step = steps[-1]
        before = [known[one] for one in step.dependencies]
        if not before or (item is None and step.function not in OF_SETS):
            return ANYTHING
        if step.function in LEADING and len(step.inputs) == 1:
            directions = step.signature.parameters[1].choices
            turned = (replace(step, inputs=(*step.inputs, direction)) for direction in directions)
            if not any(self._leads_on(one, item, before) for one in turned):
                raise ImpossibleStepError
            return None
        # A verdict may be that the named thing is of no such class.
        is_asked = step.function == "FilterConcept" and steps[step.dependencies[0]].function == "Find"
        return self.reader.after(step, item.iri if item else None, before, is_asked=is_asked)

    def _leads_on(self, step: Step, item: SchemaItem | None, before: Sequence[Classes]) -> bool:
        try:
            self.reader.after(step, item.iri if item else None, before)
        except ImpossibleStepError:
            return False
        return True
