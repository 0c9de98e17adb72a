"""Wikibase's RDF, Wikidata's above all: a node per statement, and a node per quantity and time.

`e p:P4 st . st ps:P4 v` states a fact, `st pq:P5 q` qualifies it. `st psv:P4 n` leads to the whole of a
quantity (`n wikibase:quantityAmount`, `quantityUnit`) or of a time (`timeValue`, `timePrecision`).
Deprecated statements are left out; with `Options.best_rank` all but those of the best rank are.

Bindings name a property by its entity's IRI, `<base>entity/P4`, as `between` finds it, or by any other IRI of
it. Units are named by the labels of their items in `Options.unit_language`. A value of unknown type may also
be an item, represented by its label.
Source: https://www.mediawiki.org/wiki/Wikibase/Indexing/RDF_Dump_Format
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from compilers import algebra as a
from compilers.errors import UnsupportedProgram
from compilers.grounded import Binding
from compilers.kopl.functions import Kind, ValueType
from compilers.layouts import base, wikibase
from compilers.layouts.vocabulary import RDF
from compilers.layouts.wikibase_values import LabelsAndValues, Snak, have_nodes

TYPE = a.Iri(RDF + "type")


@dataclass(frozen=True, slots=True)
class Wikidata(LabelsAndValues):
    """The layout's operations for one query."""

    name: str = "wikidata"
    has_qualifiers: bool = True
    has_value_nodes: bool = True
    mixes_objects: bool = False

    @property
    def commonness(self) -> Mapping[str, int]:
        """Membership, ranks of statements, and units, which many subjects share."""
        return {self._instance_of().direct.value: 1, wikibase.UNIT.value: 2, wikibase.RANK.value: 2}

    def iri(self, kind: Kind, name: str) -> str | None:  # noqa: ARG002
        """None: properties are numbered, not named."""
        return None

    def everything(self, entity: a.Variable, step: int) -> base.Patterns:
        """Every instance of a class."""
        return (a.Triple(entity, self._instance_of().direct, self.names.fresh("class"), (step,)),)

    def member(self, entity: a.Variable, concept: Binding | str, step: int) -> base.Patterns:
        """The class itself when nothing is below it; else a path, or the list of classes."""
        instance_of = self._instance_of().direct
        path = a.SequencePath((instance_of, a.ZeroOrMore(self._subclass_of().direct)))
        if isinstance(concept, str):
            found = self.names.fresh("concept")
            return (*self.named(found, concept, step), a.Triple(entity, path, found, (step,)))
        if concept.subconcepts and self.options.dialect.class_paths:
            return base.any_object(entity, path, concept.iris, self.names, step)
        classes = (*concept.iris, *concept.subconcepts)
        return base.any_object(entity, instance_of, classes, self.names, step)

    def relation(
        self, head: a.Term, relation: Binding, tail: a.Term, fact: a.Variable | None, step: int
    ) -> base.Patterns:
        """A statement; the short form if only the best rank is wanted and the statement's node is not."""
        properties = _properties(relation, step)
        if fact is None and self.options.best_rank:
            return (a.Triple(head, _any(properties, lambda p: p.direct), tail, (step,)),)
        statement = fact or self._statement(relation)
        return (
            a.Triple(head, _any(properties, lambda p: p.claim), statement, (step,)),
            a.Triple(statement, _any(properties, lambda p: p.statement), tail, (step,)),
            self._ranked(statement, step),
        )

    def path(self, head: a.Term, relation: Binding, tail: a.Term, step: int) -> base.Patterns:
        """A path of short forms, which have the best rank: no path can read the rank of a statement."""
        iris = [known.direct for known in _properties(relation, step)]
        return base.one_or_more(head, iris, tail, self.options, step)

    def attribute(
        self, entity: a.Variable, attribute: Binding, fact: a.Variable | None, step: int
    ) -> tuple[base.Patterns, base.ValueReference]:
        """A statement and its value; the short form where it is equivalent."""
        properties = _properties(attribute, step)
        if fact is None and self.options.best_rank and attribute.value_types == (ValueType.STRING,):
            direct = _any(properties, lambda p: p.direct)
            value = self._snak(attribute, entity, direct, direct, entity, step)
            return (value.reached(step),), value
        statement = fact or self._statement(attribute)
        stated = a.Triple(entity, _any(properties, lambda p: p.claim), statement, (step,))
        simple = _any(properties, lambda p: p.statement)
        full = _any(properties, lambda p: p.statement_value)
        value = self._snak(attribute, statement, simple, full, entity, step)
        return (stated, self._ranked(statement, step), value.reached(step)), value

    def qualifier(
        self, fact: a.Variable, qualifier: Binding, step: int
    ) -> tuple[base.Patterns, base.ValueReference]:
        """A value on the statement."""
        properties = _properties(qualifier, step)
        simple = _any(properties, lambda p: p.qualifier)
        full = _any(properties, lambda p: p.qualifier_value)
        value = self._snak(qualifier, fact, simple, full, fact, step)
        return (value.reached(step),), value

    def between(self, head: a.Term, relation: a.Variable, tail: a.Term, step: int) -> base.Patterns:
        """The property of a statement, found from the head; without membership and the class hierarchy."""
        claim, statement, leads = map(self.names.fresh, ("claim", "statement", "statementProperty"))
        schema = (self._instance_of().entity, self._subclass_of().entity)
        return (
            a.Triple(head, claim, statement, (step,)),
            a.Triple(statement, leads, tail, (step,)),
            a.Triple(relation, wikibase.CLAIM, claim, (step,)),
            a.Triple(relation, wikibase.STATEMENT_PROPERTY, leads, (step,)),
            a.Filter(a.Membership(relation, schema, negated=True), (step,)),
            self._ranked(statement, step),
        )

    def relation_label(self, relation: a.Variable, label: a.Variable, step: int) -> base.Patterns:
        """Properties are labelled as items are."""
        return self.label(relation, label, step)

    def _instance_of(self) -> wikibase.Property:
        return wikibase.property_of(self.options.membership) or wikibase.INSTANCE_OF

    def _subclass_of(self) -> wikibase.Property:
        return wikibase.property_of(self.options.hierarchy) or wikibase.SUBCLASS_OF

    def _statement(self, binding: Binding) -> a.Variable:
        return self.names.fresh(f"{binding.label} statement")

    def _ranked(self, statement: a.Variable, step: int) -> a.Pattern:
        if self.options.best_rank:
            return a.Triple(statement, TYPE, wikibase.BEST, (step,))
        return a.NotExists((a.Triple(statement, wikibase.RANK, wikibase.DEPRECATED, (step,)),), (step,))

    def _snak(
        self,
        binding: Binding,
        subject: a.Variable,
        simple: a.Predicate,
        full: a.Predicate,
        owner: a.Variable,
        step: int,
    ) -> Snak:
        content = self.names.fresh(binding.label or "value")
        node = self.names.fresh(f"{content.name} node")
        variable = node if have_nodes(binding) else content
        return Snak(variable, binding, content.name, step, subject, simple, full, content, node, owner)


def _properties(binding: Binding, step: int) -> tuple[wikibase.Property, ...]:
    """The properties of a binding; raises UnsupportedProgram for an IRI that is no property."""
    found = {iri: wikibase.property_of(iri) for iri in binding.iris}
    for iri, known in found.items():
        if known is None:
            raise UnsupportedProgram(
                f"<{iri}> is no property of a Wikibase",
                step=step,
                hint="use the IRI of a property, such as http://www.wikidata.org/entity/P31",
            )
    return tuple(dict.fromkeys(known for known in found.values() if known is not None))


def _any(
    properties: tuple[wikibase.Property, ...], form: Callable[[wikibase.Property], a.Iri]
) -> a.Predicate:
    """One form of the properties; of several, a choice: a statement has the forms of one property only."""
    return base.any_of(tuple(map(form, properties)))
