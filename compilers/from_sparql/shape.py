"""The triples of a pattern as trees: entities at the nodes, relations between them, values at the nodes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from compilers.from_sparql.errors import CannotState
from compilers.from_sparql.query import (
    Constant,
    Exists,
    Expression,
    Pattern,
    QueryCall,
    QueryIri,
    QueryTriple,
    QueryVariable,
    Term,
    mentioned,
    parts,
)
from compilers.from_sparql.schema import Schema
from compilers.kopl.functions import TURNED

MIRRORED = {"=": "=", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}

Node = QueryVariable | QueryIri


@dataclass(frozen=True, slots=True)
class Link:
    """A relation as it leads from one node to another; in one step or more where it is `deep`."""

    relation: str
    direction: str
    target: Node
    deep: bool = False

    def back(self, source: Node) -> Link:
        """The same relation from the other end."""
        return Link(self.relation, TURNED[self.direction], source, self.deep)


@dataclass(frozen=True, slots=True)
class Match:
    """Comparisons that join the members of two nodes, each `own operator theirs`."""

    tests: tuple[tuple[QueryVariable, str, QueryVariable], ...]
    target: Node

    def back(self, source: Node) -> Match:
        """The same comparisons from the other end."""
        return Match(tuple((theirs, MIRRORED[o], own) for own, o, theirs in self.tests), source)


Way = Link | Match


@dataclass(frozen=True, slots=True)
class AttributeValue:
    """The place of a value's variable: an attribute of a node."""

    node: Node
    attribute: str


@dataclass(frozen=True, slots=True)
class Tree:
    """One connected pattern without cycles, and the conditions on it alone.

    `classes` pairs each class with True if its subclasses are included.
    """

    nodes: tuple[Node, ...]
    classes: Mapping[Node, tuple[tuple[str, bool], ...]]
    links: Mapping[Node, tuple[Way, ...]]
    values: Mapping[QueryVariable, AttributeValue]
    filters: tuple[Expression, ...] = ()

    def children(self, node: Node, parent: Node | None) -> tuple[Way, ...]:
        """The links that lead on from a node, seen from its parent."""
        return tuple(link for link in self.links[node] if link.target != parent)

    def path(self, root: Node, node: Node) -> tuple[Way, ...]:
        """The links from one node to another."""
        pending: list[tuple[Node, Node | None, tuple[Way, ...]]] = [(root, None, ())]
        while pending:
            here, parent, path = pending.pop()
            if here == node:
                return path
            pending.extend((link.target, here, (*path, link)) for link in self.children(here, parent))
        raise KeyError(node)

    def node_of(self, variable: QueryVariable) -> Node | None:
        """The node of a variable or of its value; None for a variable that the pattern does not bind."""
        if variable in self.values:
            return self.values[variable].node
        return variable if variable in self.nodes else None

    def holds(self, variable: QueryVariable) -> bool:
        """True if the pattern binds the variable."""
        return self.node_of(variable) is not None


def trees_of(pattern: Pattern, schema: Schema) -> tuple[tuple[Tree, ...], tuple[Expression, ...]]:
    """The connected parts of a pattern with the conditions on each, and the conditions across them.

    Raises CannotState for cycles, for values that join, and for variables in a class's place.
    """
    if pattern.unions:
        raise CannotState("UNION inside a pattern")
    facts = _Facts()
    entities = _entities(pattern)
    for triple in dict.fromkeys(pattern.triples):
        facts.add(triple, schema, triple.object in entities)
    for variable in pattern.sought:
        facts.nodes.setdefault(variable)
    filters = (*pattern.filters, *facts.tests)
    trees = tuple(_tree(nodes, facts) for nodes in _components(facts))
    placed = [replace(tree, filters=tuple(f for f in filters if is_on(f, tree))) for tree in trees]
    across = tuple(f for f in filters if not any(f in tree.filters for tree in placed))
    return tuple(placed), across


def _entities(pattern: Pattern) -> frozenset[Term]:
    """The terms that are a subject, an object twice, or compared with an IRI in a condition."""
    triples = dict.fromkeys(pattern.triples)
    objects = Counter(triple.object for triple in triples if isinstance(triple.object, QueryVariable))
    found = {triple.subject for triple in triples} | {term for term, times in objects.items() if times > 1}
    tests = (
        part for condition in pattern.filters for part in parts(condition) if isinstance(part, QueryCall)
    )
    found.update(
        term
        for test in tests
        for term in test.arguments
        if isinstance(term, QueryVariable) and any(isinstance(other, QueryIri) for other in test.arguments)
    )
    return frozenset(found)


@dataclass(slots=True)
class _Facts:
    nodes: dict[Node, None] = field(default_factory=dict)
    classes: dict[Node, list[tuple[str, bool]]] = field(default_factory=dict)
    edges: list[tuple[Node, str, Node, bool]] = field(default_factory=list)
    values: dict[QueryVariable, AttributeValue] = field(default_factory=dict)
    tests: list[Expression] = field(default_factory=list)

    def add(self, triple: QueryTriple, schema: Schema, is_subject: bool) -> None:
        subject, object_ = _node(triple.subject), triple.object
        self.nodes.setdefault(subject)
        if triple.predicate == schema.membership:
            if not isinstance(object_, QueryIri):
                raise CannotState("a variable in a class's place")
            self.classes.setdefault(subject, []).append((object_.iri, triple.below))
        elif _is_relation(triple.predicate, object_, schema, is_subject):
            target = _node(object_)
            self.nodes.setdefault(target)
            self.edges.append((subject, triple.predicate, target, triple.deep))
        elif triple.deep:
            raise CannotState("a repeating path to values")
        else:
            self._add_value(AttributeValue(subject, triple.predicate), object_)

    def _add_value(self, value: AttributeValue, object_: Term) -> None:
        if isinstance(object_, QueryIri) or object_ in self.nodes:
            raise CannotState("an entity as an attribute's value")
        if isinstance(object_, Constant):
            variable = QueryVariable(f"_value{len(self.values)}")
            self.tests.append(QueryCall("=", (variable, object_)))
            object_ = variable
        if self.values.setdefault(object_, value) != value:
            other = QueryVariable(f"{object_.name} again{len(self.values)}")
            self.values[other] = value
            self.tests.append(QueryCall("=", (object_, other)))


def _node(term: Term) -> Node:
    if isinstance(term, Constant):
        raise CannotState("a literal where an entity stands")
    return term


def _is_relation(predicate: str, object_: Term, schema: Schema, is_subject: bool) -> bool:
    """True for a relation by the schema; for a predicate that the graph lacks, by its use in the pattern."""
    if predicate in schema.attributes and predicate in schema.relations:
        raise CannotState("a predicate with both literals and entities")
    if predicate in schema.attributes:
        return False
    return predicate in schema.relations or is_subject or isinstance(object_, QueryIri)


def _components(facts: _Facts) -> Iterator[tuple[Node, ...]]:
    left = list(facts.nodes)
    while left:
        found = {left[0]}
        grown = True
        while grown:
            ends = [{subject, target} for subject, _, target, _ in facts.edges]
            reached = found.union(*(pair for pair in ends if pair & found))
            grown, found = reached != found, reached
        yield tuple(node for node in left if node in found)
        left = [node for node in left if node not in found]


def _tree(nodes: tuple[Node, ...], facts: _Facts) -> Tree:
    edges = [edge for edge in facts.edges if edge[0] in nodes]
    if len(edges) != len(nodes) - 1:
        raise CannotState("a pattern that runs in a circle")
    links: dict[Node, list[Link]] = {node: [] for node in nodes}
    for subject, relation, target, deep in edges:
        link = Link(relation, "forward", target, deep)
        links[subject].append(link)
        links[target].append(link.back(subject))
    return Tree(
        nodes,
        {node: tuple(facts.classes.get(node, ())) for node in nodes},
        {node: tuple(found) for node, found in links.items()},
        {variable: value for variable, value in facts.values.items() if value.node in nodes},
    )


def is_on(condition: Expression, tree: Tree) -> bool:
    """True if a condition is on this tree alone; an EXISTS is if it names a variable of the tree."""
    return all(
        any(map(tree.holds, mentioned(part.pattern))) if isinstance(part, Exists) else tree.holds(part)
        for part in parts(condition)
        if isinstance(part, (QueryVariable, Exists))
    )


def spine(tree: Tree, root: Node, ends: Iterable[Node]) -> frozenset[Node]:
    """The nodes on the paths from the root to the ends."""
    on_paths = (link.target for end in ends for link in tree.path(root, end))
    return frozenset((root, *on_paths))
