"""Gives every name in a program the IRI that the endpoint really has, with the alternatives kept.

QUACK (SymKGQA, section 3.4) without its model: an exact name first, then the nearest by spelling and
meaning among items of the right kind; what was not exact is reported, never passed over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field, replace

from compilers.grounded import Binding, GroundedProgram
from compilers.iris import iri_in
from compilers.kopl.functions import NAMING_KINDS, SCHEMA_KINDS, Kind, ValueType
from compilers.kopl.program import Program
from compilers.kopl.repair.base import with_input
from nlq_gateway.answering.grounding.compared import ComparedValues
from nlq_gateway.answering.grounding.nodes import through_nodes
from nlq_gateway.answering.grounding.other_names import CLOSE, OtherNames, end_of
from nlq_gateway.core.types import Hit
from nlq_gateway.drafts.drafter.values import StatedProgram
from nlq_gateway.index import Index
from nlq_gateway.index.text import fold, singular
from nlq_gateway.trace import Alternative, BindingTrace, Warning

ALTERNATIVES = 5
_GUESSES = frozenset({"prefix", "fuzzy", "text", "vector"})
# So many classes tell what a thing is.
_CLASSES = 2
# A name that is the graph's own, in whatever case and number, is as sure as this.
_SPELLED = 0.85

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Pin:
    """A reader's own choice for one argument; `step` counts from 0."""

    step: int
    argument: int
    iri: str


@dataclass(frozen=True, slots=True)
class Grounding:
    """A grounded program, what was chosen for each name, and what deserves a warning."""

    grounded: GroundedProgram
    bindings: tuple[BindingTrace, ...]
    warnings: tuple[Warning, ...] = ()


@dataclass(frozen=True, slots=True)
class Grounder:
    """Grounds programs in one index. Stateless."""

    index: Index

    def ground(
        self,
        program: Program,
        *,
        choices: Mapping[Place, tuple[str, ...]] | None = None,
        mentions: Mapping[Place, str] | None = None,
        alternatives: Mapping[Place, Sequence[Hit]] | None = None,
        pins: Sequence[Pin] = (),
        margins: Mapping[Place, float] | None = None,
        near: bool = True,
    ) -> Grounding:
        """Ground a checked program.

        Args:
            program: its arguments are names, or IRIs in angle brackets.
            choices: IRIs that the program's author meant, by (step, argument).
            mentions: the words of the question behind an argument.
            alternatives: what linking found for an argument.
            pins: choices of a reader, which win over everything.
            margins: how sure the author's choices are, where several were weighed.
            near: whether a name that the graph does not have may be taken for the nearest one.
        """
        pinned = {(pin.step, pin.argument): pin.iri for pin in pins}
        work = _ProgramGrounding(self.index, program, near, margins or {})
        if not (choices or mentions):
            program, choices, pinned = work.through_nodes(pinned)
        names = _names(program)
        work.report_idle(pinned.keys() - {place for place, _, _ in names})
        for place, kind, name in names:
            mention = (mentions or {}).get(place, name)
            known = tuple((alternatives or {}).get(place, ()))
            if place in pinned:
                known = known or self.index.look_up([name], (kind,)).get(name, ())
                work.bind(place, kind, name, mention, (pinned[place],), "pinned", known)
            elif place in (choices or {}):
                iris = (choices or {})[place]
                if any(hit.label == name for hit in known):
                    name = next((hit.label for hit in known if iris == (hit.iri,)), name)
                    program = with_input(program, *place, name)
                work.choose(place, kind, name, mention, iris, known)
            else:
                work.resolve(place, kind, name, mention)
        work.measure_nodes()
        compared = ComparedValues(self.index, work.bound, work.warnings)
        program = compared.as_written(compared.by_type(compared.by_year(work.as_stated(program))))
        program = compared.with_units(program, {place: kind for place, kind, _ in names}, choices or {})
        compared.report_idle_units(program)
        grounded = GroundedProgram(program, work.bound, work.unknown)
        return Grounding(grounded, tuple(work.traced), tuple(work.warnings))


def _names(program: Program) -> list[tuple[Place, Kind, str]]:
    return [
        ((index, argument), parameter.kind, step.inputs[argument])
        for index, step in enumerate(program.steps)
        for argument, parameter in enumerate(step.signature.parameters)
        if parameter.kind in NAMING_KINDS
    ]


def _written(name: str) -> str:
    """A name in the singular, without case and blanks."""
    return "".join(map(singular, fold(name).split()))


@dataclass(slots=True)
class _ProgramGrounding:
    index: Index
    program: Program
    near: bool
    margins: Mapping[Place, float]
    bound: dict[Place, Binding] = field(default_factory=dict)
    unknown: dict[Place, str] = field(default_factory=dict)
    traced: list[BindingTrace] = field(default_factory=list)
    warnings: list[Warning] = field(default_factory=list)

    def through_nodes(
        self, pinned: Mapping[Place, str]
    ) -> tuple[Program, Mapping[Place, tuple[str, ...]], dict[Place, str]]:
        """The program through the nodes that hold values, what it chooses for that, and the pins' places."""
        written = StatedProgram(self.program.steps, {}, pinned, {})
        written, repairs = through_nodes(written, self.index, {at for at, _ in pinned})
        for one in sorted(repairs, key=lambda one: one.step):
            self._warn("value-in-node", f"step {one.step + 1}: {one.why}; took {one.after}")
        self.program = Program(written.steps)
        return self.program, written.choices, dict(written.mentions)

    def report_idle(self, places: Set[Place]) -> None:
        """Warn of pins on arguments that are not there, or name nothing."""
        for step, argument in sorted(places):
            self._warn("pin-ignored", f"step {step + 1} has no name as argument {argument}")

    def resolve(self, place: Place, kind: Kind, name: str, mention: str) -> None:
        """Bind a name by look-up; one that nothing bears stays a bare name, with a warning."""
        if written := iri_in(name):
            self.bind(place, kind, name, mention, (written,), "given", ())
            return
        exact = self._exact(kind, name)
        if exact:
            others = () if kind == Kind.ENTITY else self._others(kind, name, exact)
            self.bind(place, kind, name, mention, exact, "exact", others)
            return
        hits = self._nearest(kind, name)
        taken = self._taken(kind, name, hits)
        if taken is not None:
            step = place[0] + 1
            self._warn("name-replaced", f"step {step}: no {kind} {name!r} here; took {taken.label!r}")
            iris = self._exact(kind, taken.label) if kind in SCHEMA_KINDS else (taken.iri,)
            self.bind(place, kind, name, mention, iris, taken.how, hits)
            return
        offer = OtherNames(self.index, self.program, self.bound).text(place, kind, name, hits)
        told = f"no {kind} {name!r} in this graph{offer}"
        self._warn("unknown-name", f"step {place[0] + 1}: {told}")
        # A class that a sample did not show is found by its label.
        if kind != Kind.CONCEPT or "concepts" not in self.index.manifest.sampled:
            self.unknown[place] = told
        alternatives = tuple(self._alternative(kind, hit.iri, hit.label, hit.score) for hit in hits)
        self.traced.append(BindingTrace(*place, mention, kind, "", name, 0.0, "unknown", "", alternatives))

    def choose(
        self,
        place: Place,
        kind: Kind,
        name: str,
        mention: str,
        iris: tuple[str, ...],
        known: Sequence[Hit],
    ) -> None:
        """Bind what the author meant; a name that was not spelled as in the graph is reported."""
        how = next((hit.how for hit in known if hit.label == name), "linked" if known else "schema")
        doubted = self.margins.get(place, 1.0) < _SPELLED and mention != name
        if how in _GUESSES or doubted:
            self._warn("name-replaced", f"step {place[0] + 1}: no {kind} {mention!r} here; took {name!r}")
        self.bind(place, kind, name, mention, iris, how, known)

    def bind(
        self,
        place: Place,
        kind: Kind,
        name: str,
        mention: str,
        iris: tuple[str, ...],
        how: str,
        known: Sequence[Hit],
    ) -> None:
        """Bind an argument and put the choice on record."""
        label = self._label(kind, iris[0]) or name.strip("<>")
        self.bound[place] = self._binding(kind, iris, label)
        score = next((hit.score for hit in known if hit.iri == iris[0]), 1.0)
        score = min(score, self.margins.get(place, 1.0))
        found = [(iri, self._label(kind, iri) or iri, 1.0) for iri in iris[1:]]
        found += [(hit.iri, hit.label, hit.score) for hit in known if hit.iri not in iris[:1]]
        shown = tuple(self._alternative(kind, *one) for one in found[:ALTERNATIVES])
        about = self._about(kind, iris[0])
        self.traced.append(BindingTrace(*place, mention, kind, iris[0], label, score, how, about, shown))

    def measure_nodes(self) -> None:
        """Give numbers in nodes the unit that all nodes of the relation to them state."""
        for (at, argument), bound in tuple(self.bound.items()):
            is_bare = ValueType.QUANTITY in bound.value_types and not bound.units
            led = self.bound.get((self._led_by(at), 0)) if is_bare else None
            if led is not None and led.units:
                self.bound[at, argument] = replace(bound, units=led.units)

    def _led_by(self, at: int) -> int:
        """The step that leads to the things of which a step asks, -1 if they are not led to."""
        steps = self.program.steps
        before = next(iter(steps[at].dependencies), -1)
        while before >= 0 and steps[before].function.startswith(("Filter", "Select")):
            before = next(iter(steps[before].dependencies), -1)
        leads = before >= 0 and steps[before].function == "Relate" and steps[before].inputs[1] == "forward"
        return before if leads else -1

    def as_stated(self, program: Program) -> Program:
        """The program with the relation that the graph states in the place of its inverse without facts."""
        steps = list(program.steps)
        for at, step in enumerate(steps):
            bound = self.bound.get((at, 0))
            item = self.index.item(Kind.RELATION, bound.iris[0]) if bound and bound.iris else None
            stated = self.index.item(Kind.RELATION, item.stated_as) if item and item.stated_as else None
            turned = step.turned if stated else None
            if stated is None or turned is None:
                continue
            steps[at] = replace(turned, inputs=(stated.label, *turned.inputs[1:]))
            self.bound[at, 0] = self._binding(Kind.RELATION, (stated.iri,), stated.label)
            number = next(n for n, one in enumerate(self.traced) if (one.step, one.argument) == (at, 0))
            known = self.traced[number]
            self.traced[number] = replace(known, iri=stated.iri, label=stated.label, how="inverse")
        return Program(tuple(steps))

    def _alternative(self, kind: Kind, iri: str, label: str, score: float) -> Alternative:
        return Alternative(iri, label, score, self._about(kind, iri))

    def _about(self, kind: Kind, iri: str) -> str:
        """A text that tells an item from others of its name: its classes, its description, or its bearers."""
        if kind == Kind.ENTITY:
            entity = self.index.entity(iri)
            classes = entity.concepts if entity is not None else ()
        else:
            item = self.index.item(kind, iri)
            if item is None or item.description or item.kind != Kind.CONCEPT:
                return (
                    "" if item is None else item.description or end_of(self.index, item.domains, item.count)
                )
            classes = item.parents
        labels = (self._label(Kind.CONCEPT, one) for one in classes[:_CLASSES])
        return ", ".join(filter(None, labels))

    def _binding(self, kind: Kind, iris: tuple[str, ...], label: str) -> Binding:
        if kind == Kind.ENTITY:
            known = self.index.entities(iris).values()
            return Binding(iris, label, size=max((entity.degree for entity in known), default=0))
        items = [item for iri in iris if (item := self.index.item(kind, iri)) is not None]
        below = tuple(dict.fromkeys(sub for iri in iris for sub in self.index.descendants(iri)))
        return Binding(
            iris,
            label,
            subconcepts=below if kind == Kind.CONCEPT else (),
            value_types=tuple(dict.fromkeys(t for item in items for t in item.value_types)),
            units=tuple(dict.fromkeys(unit for item in items for unit in item.units)),
            subject=end_of(self.index, items[0].domains, items[0].count) if items else "",
            object=end_of(self.index, items[0].ranges, items[0].count) if items else "",
            inverses=tuple(dict.fromkeys(inverse for item in items for inverse in item.completed_by)),
            size=sum(item.count for item in items) if kind == Kind.CONCEPT else 0,
        )

    def _exact(self, kind: Kind, name: str) -> tuple[str, ...]:
        if kind == Kind.ENTITY:
            entities = tuple(item.iri for item in self.index.entities_named(name))
            concepts = (
                tuple(item.iri for item in self.index.named(Kind.CONCEPT, name)) if not entities else ()
            )
            return entities or concepts
        items = self.index.named(kind, name)
        labelled = tuple(item.iri for item in items if item.label == name)
        return labelled or tuple(item.iri for item in items[:1])

    def _others(self, kind: Kind, name: str, exact: tuple[str, ...]) -> tuple[Hit, ...]:
        return tuple(hit for hit in self._nearest(kind, name) if hit.iri not in exact)

    def _nearest(self, kind: Kind, name: str) -> tuple[Hit, ...]:
        spelled = self.index.search(name, (kind,), ALTERNATIVES)
        meant = self.index.nearest(kind, [name], ALTERNATIVES)[0] if kind in SCHEMA_KINDS else ()
        best: dict[str, Hit] = {}
        for hit in sorted((*spelled, *meant), key=lambda hit: -hit.score):
            best.setdefault(hit.iri, hit)
        return tuple(best.values())[:ALTERNATIVES]

    def _taken(self, kind: Kind, name: str, hits: Sequence[Hit]) -> Hit | None:
        """The nearest where that is wanted, else one of the schema that differs in number, case or blanks."""
        if self.near:
            return next((hit for hit in hits[:1] if hit.score >= CLOSE), None)
        same = (hit for hit in hits if kind in SCHEMA_KINDS and _written(hit.label) == _written(name))
        return next(same, None)

    def _label(self, kind: Kind, iri: str) -> str:
        if kind == Kind.ENTITY:
            entity = self.index.entity(iri)
            return entity.label if entity is not None else ""
        item = self.index.item(kind, iri)
        return item.label if item is not None else ""

    def _warn(self, code: str, message: str) -> None:
        self.warnings.append(Warning(code, message))
