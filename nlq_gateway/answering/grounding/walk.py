"""One pass over the steps of a program, in which every name and direction is resolved."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from compilers.iris import iri_in
from compilers.kopl.functions import TURNED, Kind
from compilers.kopl.notations.calls import write_sources
from compilers.kopl.program import Program, Step
from compilers.kopl.repair import Repair
from compilers.kopl.repair.base import arguments, with_input, with_step, without_step
from nlq_gateway.answering.grounding.grounder import Place
from nlq_gateway.answering.grounding.items import iris_at, up_to
from nlq_gateway.answering.grounding.members import (
    Facts,
    FactsAhead,
    concepts_before,
    facts_ahead,
    had_by,
    leads,
    qualifiers_of,
    ways_on,
)
from nlq_gateway.answering.grounding.names import (
    GroundingCandidate,
    candidates,
    described,
    linked,
    near_mentions,
    together,
)
from nlq_gateway.answering.grounding.selection import CandidateChooser, Picked
from nlq_gateway.core.types import Links, SchemaItem
from nlq_gateway.index import Index

# The nearest of the few attributes that the members have may be less similar.
_ALIGNED = 0.3
_CLOSE = 0.6


@dataclass(slots=True)
class Walk:
    """The program at hand, with what has been found for the steps that are done."""

    index: Index
    links: Links
    chooser: CandidateChooser
    around: FactsAhead | None
    program: Program
    choices: dict[Place, tuple[str, ...]] = field(default_factory=dict)
    margins: dict[Place, float] = field(default_factory=dict)
    repairs: list[Repair] = field(default_factory=list)
    _facts: dict[int, Facts | None] = field(default_factory=dict)
    _unknown: set[int] = field(default_factory=set)

    def go(self) -> None:
        """Resolve step after step; what is behind a step that is left out moves up."""
        at = 0
        while at < len(self.program):
            size = len(self.program)
            self._resolve(at)
            at += len(self.program) == size

    def _resolve(self, at: int) -> None:
        for argument, parameter, text in arguments(self.program.steps[at]):
            resolve = _OF_KIND.get(parameter.kind)
            if resolve is not None and not iri_in(text):
                resolve(self, (at, argument), text)

    def entity(self, place: Place, name: str) -> None:
        """The one that linking found by this name, else all that bear it, else the nearest."""
        iris = linked(self.links, Kind.ENTITY, name)
        if iris or self.index.entities_named(name) or self.index.named(Kind.CONCEPT, name):
            self._keep(place, iris)
            return
        found = candidates(self.index, Kind.ENTITY, name)
        near = together(near_mentions(self.links, Kind.ENTITY, name), found)
        picked = self._pick(Kind.ENTITY, name, near)
        self._replace(place, Kind.ENTITY, name, picked)

    def concept(self, place: Place, name: str) -> None:
        """Ground a concept as an entity; an unlinked one is left out if something else narrows the set.

        A concept that the graph has may be left out, too, if no entity found before belongs to it.
        """
        iris = linked(self.links, Kind.CONCEPT, name)
        has = bool(iris or self.index.named(Kind.CONCEPT, name))
        if has:
            self._keep(place, iris)
            if not self._excludes_all(place[0]):
                return
        why = f"nothing of what is found before is a {name}" if has else f"the graph has no concept {name!r}"
        found = candidates(self.index, Kind.CONCEPT, name)
        near = together(near_mentions(self.links, Kind.CONCEPT, name), found)
        picked = self._pick(Kind.CONCEPT, name, near, sure=not has, reason=why)
        if picked.candidate is None and self._is_narrowed(place[0]):
            self._leave_out(place, f"{why}: {picked.why}")
        else:
            self._replace(place, Kind.CONCEPT, name, picked, why)

    def relation(self, place: Place, name: str) -> None:
        """One of those that the members of the set before have, either way, where that is known."""
        facts = self._ahead(place[0])
        self._schema(place, Kind.RELATION, name, None if facts is None else {iri for iri, _ in facts})
        if len(self.program.steps[place[0]].dependencies) == 2:
            self._turn_inputs(place)

    def attribute(self, place: Place, name: str) -> None:
        """One of those that the members of the set before have, where that is known."""
        facts = self._ahead(place[0])
        had = None if facts is None else {iri for iri, direction in facts if direction == "forward"}
        self._schema(place, Kind.ATTRIBUTE, name, had)

    def qualifier(self, place: Place, name: str) -> None:
        """One of those that the facts of the relation or attribute before have."""
        had = qualifiers_of(self.index, self.program, self.choices, place)
        self._schema(place, Kind.QUALIFIER, name, had or None)

    def direction(self, place: Place, direction: str) -> None:
        """The other one, where the relation leads nowhere by this one and somewhere by that."""
        at, argument = place
        ways = ways_on(self.index, self.program, self.choices, at, self._ahead(at))
        other = TURNED.get(direction, "")
        if direction not in ways and other in ways:
            self.program = with_input(self.program, at, argument, other)
            name = self.program.steps[at].inputs[0]
            why = f"{name!r} leads nowhere {direction} from what is found before, and somewhere {other}"
            self.repairs.append(Repair(at, argument, direction, other, why))

    def _schema(self, place: Place, kind: Kind, name: str, had: Iterable[str] | None) -> None:
        if had is None and kind != Kind.QUALIFIER:
            concepts = concepts_before(self.index, self.program, self.choices, place[0])
            had = had_by(self.index, kind, concepts)
        allowed = {iri for iri in had or () if self.index.item(kind, iri) is not None}
        exact = self.index.named(kind, name)
        if exact:
            self._keep(place, _meant(exact, name, allowed))
            return
        found = candidates(self.index, kind, name, allowed or None)
        picked = self._pick(kind, name, found, least=_ALIGNED if allowed else _CLOSE)
        self._replace(place, kind, name, picked)

    def _pick(
        self,
        kind: Kind,
        name: str,
        found: Sequence[GroundingCandidate],
        *,
        least: float = _CLOSE,
        sure: bool = True,
        reason: str = "",
    ) -> Picked:
        """The choice among the candidates; a model gets more of them than their names."""
        shown = found if self.chooser.model is None else described(self.index, kind, found)
        return self.chooser.pick(kind, name, shown, least=least, sure=sure, reason=reason)

    def _keep(self, place: Place, iris: tuple[str, ...]) -> None:
        self.margins[place] = 1.0
        if iris:
            self.choices[place] = iris

    def _replace(self, place: Place, kind: Kind, name: str, picked: Picked, why: str = "") -> None:
        self.margins[place] = picked.margin
        if picked.candidate is None:
            self._unknown.add(place[0])
            return
        self.choices[place] = picked.candidate.iris
        after = picked.candidate.label
        if after != name:
            self.program = with_input(self.program, *place, after)
            because = f"{why or f'the graph has no {kind} {name!r}'}: {picked.why}"
            self.repairs.append(Repair(*place, name, after, because))

    def _leave_out(self, place: Place, why: str) -> None:
        at = place[0]
        self.choices.pop(place, None)
        self.margins.pop(place, None)
        self.repairs.append(Repair(at, None, str(self.program.steps[at]), "", why))
        self.program = without_step(self.program, at)
        self._facts.pop(at, None)

    def _is_narrowed(self, at: int) -> bool:
        """True if a step is fed by less than everything."""
        return any(
            self.program.steps[one].function != "FindAll" for one in self.program.steps[at].dependencies
        )

    def _excludes_all(self, at: int) -> bool:
        """True if members are known before a FilterConcept and none is left behind it; asked for a model."""
        if self.chooser.model is None or self.around is None or not self._ahead(at):
            return False
        return self.around.ahead(*up_to(self.program, self.choices, at)) == frozenset()

    def _turn_inputs(self, place: Place) -> None:
        """The inputs of a relation's qualifier in the other order, where only that relates them."""
        at = place[0]
        facts = self._ahead(at)
        relations = iris_at(self.index, self.program, self.choices, place)
        if not facts or leads(facts, relations, "forward") or not leads(facts, relations, "backward"):
            return
        step = self.program.steps[at]
        turned = Step(step.function, step.inputs, step.dependencies[::-1])
        before, after = (f"{one} <- {write_sources(one.dependencies)}" for one in (step, turned))
        self.program = with_step(self.program, at, turned)
        why = f"{step.inputs[0]!r} leads from the second to the first"
        self.repairs.append(Repair(at, None, before, after, why))

    def _ahead(self, at: int) -> Facts | None:
        """The facts of the members of the set that feeds a step first; None where that is not known."""
        if at not in self._facts:
            known = self._unknown.isdisjoint(self.program.ancestors(at))
            asked = self.around if known else None
            self._facts[at] = facts_ahead(asked, self.program, self.choices, at)
        return self._facts[at]


def _meant(exact: tuple[SchemaItem, ...], name: str, allowed: set[str]) -> tuple[str, ...]:
    """The items of a name that the members have, else those with the name as their label."""
    had = tuple(item.iri for item in exact if item.iri in allowed)
    labelled = tuple(item.iri for item in exact if item.label == name)
    both = tuple(iri for iri in labelled if iri in had)
    return both or had or labelled or (exact[0].iri,)


_OF_KIND: Mapping[Kind, Callable[[Walk, Place, str], None]] = {
    Kind.ENTITY: Walk.entity,
    Kind.CONCEPT: Walk.concept,
    Kind.RELATION: Walk.relation,
    Kind.ATTRIBUTE: Walk.attribute,
    Kind.QUALIFIER: Walk.qualifier,
    Kind.DIRECTION: Walk.direction,
}
