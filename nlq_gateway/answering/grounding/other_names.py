"""What a program may name in the place of a name that the graph lacks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from compilers.grounded import Binding
from compilers.kopl.functions import SCHEMA_KINDS, Kind
from compilers.kopl.program import Program, Step
from compilers.kopl.repair.base import call
from nlq_gateway.answering.grounding.nodes import node_called
from nlq_gateway.core.types import Hit
from nlq_gateway.drafts.drafter.value_nodes import value_nodes_of
from nlq_gateway.index import Index
from nlq_gateway.index.members import step_classes
from nlq_gateway.index.text import fold, humanise, local_name

Place = tuple[int, int]

# A name is near from this score on.
CLOSE = 0.6
# So many names are offered, and so many attributes tell what things have.
_OFFERED, _HAD = 3, 5
# The share of a relation's facts that have an end of a class which names this end.
_SHARED = 0.97
# The functions that take what a name stands for.
_USES = {
    Kind.ENTITY: "an entity: use Find",
    Kind.CONCEPT: "a concept: use FilterConcept",
    Kind.RELATION: "a relation{end}: use Relate",
    Kind.ATTRIBUTE: "an attribute: use QueryAttr",
    Kind.QUALIFIER: "a qualifier: use QFilterStr",
}


@dataclass(frozen=True, slots=True)
class OtherNames:
    """What else the names of a program may be, as far as its names are bound."""

    index: Index
    program: Program
    bound: Mapping[Place, Binding]

    def text(self, place: Place, kind: Kind, name: str, hits: Sequence[Hit]) -> str:
        """What the name is instead, else the names that are near, as a question, else what there is."""
        named = self.index.look_up([name]).get(name, ())
        other = next((hit for hit in named if hit.kind != kind), None)
        if other is not None:
            return f"; {other.label!r} is {self._use(other, kind)}"
        if kind == Kind.ENTITY and (holder := self._holder(name)):
            return f"; {name!r} is a value of {holder!r}: use {call(Step('FilterStr', (holder, name)))}"
        close = (hit.label for hit in hits if hit.score >= CLOSE)
        near = tuple(map(repr, dict.fromkeys((*self._worded(kind, name), *close))))[:_OFFERED]
        if near:
            return f"; did you mean {' or '.join(near)}?"
        had = ", ".join(map(repr, self._had(place))) if kind == Kind.ATTRIBUTE else ""
        return f"; those before it have {had}" if had else ""

    def _use(self, other: Hit, kind: Kind) -> str:
        """What another kind of item is, and the function that takes it."""
        item = self.index.item(other.kind, other.iri)
        end = end_of(self.index, item.ranges, item.count) if item is not None else ""
        use = _USES[other.kind].format(end=end and f" to {end}")
        nodes = value_nodes_of(self.index) if (other.kind, kind) == (Kind.RELATION, Kind.ATTRIBUTE) else {}
        node = node_called(self.index, other.label, nodes)
        return f"{use}({other.label}, forward), then QueryAttr({node.value.label})" if node else use

    def _holder(self, text: str) -> str:
        """The attribute that has a text as a value; "" if none has it."""
        iris = (iri for hit in self.index.texts.equal_to([text]).get(text, ()) for iri in hit.predicates)
        return min((item.label for item in self.index.items(Kind.ATTRIBUTE, iris)), default="")

    def _worded(self, kind: Kind, name: str) -> list[str]:
        """The labels of the schema that have all of a name's words, those of items with this IRI first."""
        words = fold(name)
        found = []
        for item in self.index.schema if kind in SCHEMA_KINDS and words else ():
            label, own = fold(item.label), fold(humanise(local_name(item.iri)))
            if item.kind == kind and (words == own or f" {words} " in f" {label} "):
                found.append((words != own, not label.startswith(words), item.label))
        return [label for *_, label in sorted(found)]

    def _had(self, place: Place) -> list[str]:
        """The attributes that most of the things before a step have, as far as their classes are known."""
        chosen = {at: one.iris[0] for at, one in self.bound.items()}
        before = self.program.steps[place[0]].dependencies[:1]
        classes = step_classes(self.program, chosen, self.index)
        found = [
            (max(count for iri, count in item.domains if iri in classes[one]), item.label)
            for one in before
            for item in self.index.schema
            if item.kind == Kind.ATTRIBUTE and classes[one].intersection(dict(item.domains))
        ]
        return [label for _, label in sorted(found, key=lambda one: (-one[0], one[1]))[:_HAD]]


def end_of(index: Index, concepts: Sequence[tuple[str, int]], total: int) -> str:
    """The most specific concept that (nearly) all facts have at this end, by name."""
    least = _SHARED * max(total, 1)
    shared = {iri for iri, count in concepts if count >= least}
    if not shared and sum(count for _, count in concepts) >= least:
        shared = set.intersection(*({iri, *index.ancestors(iri)} for iri, _ in concepts))
    found = [item for iri in sorted(shared) if (item := index.item(Kind.CONCEPT, iri)) is not None]
    found.sort(key=lambda item: (item.count, len(index.descendants(item.iri))))
    return found[0].label if found else ""
