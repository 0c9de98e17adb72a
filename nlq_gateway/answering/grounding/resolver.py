"""QUACK: makes a program that a model wrote one over the names that the graph has.

The resolver of SymKGQA (section 3.3 and appendix A.3) and of CodeAlignKGQA (section 3.4): the nearest names
of the right kind, of which the model chooses in the question's context. Behind entities that are known, only
what these have is a candidate (PER-KBQA's alignment, section 3.2).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from compilers.kopl.functions import Kind, ValueType
from compilers.kopl.program import Program
from compilers.kopl.repair import Repair, Repaired, TypesOf, repair
from nlq_gateway.answering.grounding.grounder import Place
from nlq_gateway.answering.grounding.kinds import with_right_kinds
from nlq_gateway.answering.grounding.members import FactsAhead
from nlq_gateway.answering.grounding.nodes import through_nodes
from nlq_gateway.answering.grounding.selection import CandidateChooser
from nlq_gateway.answering.grounding.values import with_values_of_graph
from nlq_gateway.answering.grounding.walk import Walk
from nlq_gateway.core.types import Links
from nlq_gateway.drafts.drafter.values import StatedProgram
from nlq_gateway.index import Index
from nlq_gateway.models import Deadline, Model

_NO_DEADLINE = Deadline()


@dataclass(frozen=True, slots=True)
class Resolved:
    """A program over the graph's names, and the changes that it went through, in order.

    `choices` has the IRIs that are meant by (step, argument), for grounding; what is not in it has one
    meaning only. `margins` says by (step, argument) how sure the choice of a name is, in [0, 1]: 1 for the
    graph's own, 0 for one that nothing was found for.
    """

    program: Program
    choices: Mapping[Place, tuple[str, ...]] = field(default_factory=dict)
    repairs: tuple[Repair, ...] = ()
    margins: Mapping[Place, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Resolver:
    """Resolves programs over one index. Stateless: safe to share between threads."""

    index: Index

    def resolve(
        self,
        program: Program,
        links: Links,
        model: Model | None = None,
        deadline: Deadline = _NO_DEADLINE,
        around: FactsAhead | None = None,
    ) -> Resolved:
        """The program over the graph's names.

        Args:
            program: a sound one.
            links: what linking found in the question; names that it found keep its IRIs.
            model: what chooses; without one, and where it fails, the nearest name is taken.
            deadline: until when the model may choose.
            around: the store, which tells what the members of a set have.

        Raises:
            Cancelled: the client has left. Other errors of the model are none here; what `around`
                raises is raised.
        """
        led, through = through_nodes(StatedProgram(program.steps, {}, {}, {}), self.index)
        nodes = Repaired(Program(led.steps), through)
        kinds = with_right_kinds(nodes.program, self.index)
        types = types_in(self.index)
        sound = repair(kinds.program, types)
        chooser = CandidateChooser(links.question.text, model, deadline)
        walk = Walk(self.index, links, chooser, around, sound.program)
        walk.go()
        typed = repair(walk.program, types)
        if len(typed.program) != len(walk.program):
            # Choices are by place: repairs that move steps are left to the check of the program.
            typed = Repaired(walk.program)
        stated = with_values_of_graph(typed.program, walk.choices, self.index)
        parts = (nodes, kinds, sound, Repaired(walk.program, tuple(walk.repairs)), typed, stated)
        repairs = tuple(one for part in parts for one in part.repairs)
        return Resolved(stated.program, walk.choices, repairs, walk.margins)


def types_in(index: Index) -> TypesOf:
    """The value types of what bears a name in the index, none where nothing does."""

    def types(kind: Kind, name: str) -> tuple[ValueType, ...]:
        items = index.named(kind, name)
        return tuple(dict.fromkeys(one for item in items for one in item.value_types))

    return types
