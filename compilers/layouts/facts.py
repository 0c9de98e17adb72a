"""Plain RDF in which each fact has a node: the base of the layouts with qualifiers.

Classes, labels and values are those of `direct`. A qualifier is a predicate of the fact's node, its value
a literal or an IRI. A quantity's unit is the one that the qualifier's binding declares.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from compilers import algebra as a
from compilers.grounded import Binding
from compilers.kopl.values import String, Value
from compilers.layouts import base
from compilers.layouts.direct import SCHEMA_CLASSES, Direct
from compilers.layouts.things import by_label, holds_things, is_called, read_label


@dataclass(frozen=True, slots=True)
class Facts(Direct):
    """The operations of `direct`, for facts that have nodes of `node_classes`.

    A fact that two nodes state, and no triple besides, is found twice.
    """

    node_classes: ClassVar[tuple[a.Iri, ...]] = ()

    has_qualifiers: bool = True

    @property
    def schema_classes(self) -> tuple[a.Iri, ...]:
        """The classes whose members are not entities, those of facts among them."""
        own = (a.Iri(self.options.fact_class),) if self.options.fact_class else ()
        return (*SCHEMA_CLASSES, *self.node_classes, *own)

    @property
    def plain(self) -> bool:
        """True if every fact is a plain triple too."""
        return True

    @property
    def mixes_objects(self) -> bool:
        """True without plain triples: all facts are then reached by the layout's own predicates."""
        return not self.plain

    def fact(
        self, node: a.Variable, head: a.Term, predicate: a.Variable | a.Iri, tail: a.Term, step: int
    ) -> base.Patterns:
        """`node` is the node of the fact `head predicate tail`; each layout states it in its own way."""
        raise NotImplementedError

    def node(self, fact: a.Variable) -> a.Node:
        """The node that carries the qualifiers of a fact, once the fact is stated."""
        return fact

    def relation(
        self, head: a.Term, relation: Binding, tail: a.Term, fact: a.Variable | None, step: int
    ) -> base.Patterns:
        """The plain triple, and the fact's node if it is wanted or no triple states the fact."""
        if fact is None and self.plain:
            return self.triple(head, relation, tail, step)
        values, predicate = base.any_predicate(relation, self.names, step)
        return (*values, *self._stated(fact, head, predicate, tail, step))

    def path(self, head: a.Term, relation: Binding, tail: a.Term, step: int) -> base.Patterns:
        """A property path, where facts are plain triples, too."""
        if not self.plain:
            raise base.no_path(f"the layout {self.name}", step)
        return Direct.path(self, head, relation, tail, step)

    def qualifier(
        self, fact: a.Variable, qualifier: Binding, step: int
    ) -> tuple[base.Patterns, base.ValueReference]:
        """A triple about the fact's node."""
        value = self.names.fresh(qualifier.label or "qualifier")
        patterns = self.triple(self.node(fact), qualifier, value, step)
        return patterns, base.ValueReference(value, qualifier, value.name, step)

    def test(self, value: base.ValueReference, comparison: str, target: Value, step: int) -> base.Patterns:
        """`value comparison target` holds; of a thing its label is compared."""
        if isinstance(target, String) and holds_things(value.binding):
            return is_called(self, value.variable, value.stem, comparison, target.text, step)
        return Direct.test(self, value, comparison, target, step)

    def read(self, value: base.ValueReference, step: int) -> base.ValuePatterns:
        """The literal, or the thing with its label."""
        found = Direct.read(self, value, step)
        if not holds_things(value.binding):
            return found
        column, labelled = read_label(self, value.variable, value.stem, step)
        return base.ValuePatterns((*found.patterns, labelled), (*found.columns, column))

    def measure(self, value: base.ValueReference, step: int) -> base.Measure:
        """Order by what the value states; things by their labels."""
        if holds_things(value.binding):
            return by_label(self, value.variable, value.stem, step)
        return Direct.measure(self, value, step)

    def between(self, head: a.Term, relation: a.Variable, tail: a.Term, step: int) -> base.Patterns:
        """The predicate of any fact, but for the schema's own."""
        if self.plain:
            return Direct.between(self, head, relation, tail, step)
        schema = a.Membership(relation, self.schema_predicates, negated=True)
        return (*self._stated(None, head, relation, tail, step), a.Filter(schema, (step,)))

    def _stated(
        self,
        fact: a.Variable | None,
        head: a.Term,
        predicate: a.Variable | a.Iri,
        tail: a.Term,
        step: int,
    ) -> base.Patterns:
        triple = (a.Triple(head, predicate, tail, (step,)),) if self.plain else ()
        return (*triple, *self.fact(fact or self.names.fresh("fact"), head, predicate, tail, step))
