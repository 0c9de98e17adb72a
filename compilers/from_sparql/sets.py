"""Sets of entities: a tree's conditions on the members of one of its nodes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from compilers.from_sparql.comparisons import Comparisons
from compilers.from_sparql.conditions import link_of, nodes_of, surely_bound
from compilers.from_sparql.errors import CannotState
from compilers.from_sparql.multiplicity import require_told_apart, single_path
from compilers.from_sparql.query import (
    CONTAINS,
    Constant,
    Exists,
    Expression,
    Pattern,
    Query,
    QueryCall,
    QueryIri,
    QueryVariable,
)
from compilers.from_sparql.shape import MIRRORED, Link, Match, Node, Tree, Way, trees_of
from compilers.from_sparql.steps import Steps
from compilers.kopl.functions import COMPARISONS


@dataclass(frozen=True, slots=True)
class Sets:
    """States sets in `steps`."""

    steps: Steps
    comparisons: Comparisons

    def root(
        self, tree: Tree, root: Node, ends: Collection[Node] = (), present: Collection[QueryVariable] = ()
    ) -> int:
        """The members of the root that are in a solution.

        Links towards the nodes `ends` are left out, since the steps that lead there state them; so are the
        values `present`, which are read in any case.
        """
        links = [link for link in tree.links[root] if link.target not in ends]
        step = self._members(tree, root, None, links, present)
        for condition in tree.filters:
            if len(nodes_of(condition, tree)) > 1:
                step = self._from_root(condition, tree, root, step)
        return step

    def onward(
        self,
        tree: Tree,
        link: Link,
        source: Node,
        step: int,
        ends: Collection[Node],
        present: Collection[QueryVariable],
    ) -> int:
        """The members that `step`, of `source`, leads to by a link; `ends` and `present` as for `root`."""
        start = self.steps.relate(step, link.relation, link.direction, deep=link.deep)
        links = [other for other in tree.children(link.target, source) if other.target not in ends]
        return self._members(tree, link.target, start, links, present)

    def beside(
        self, tree: Tree, node: Node, source: Node, ends: Collection[Node], present: Collection[QueryVariable]
    ) -> int:
        """The members of a node that those of `source` are compared with, as a line of their own."""
        links = [other for other in tree.children(node, source) if other.target not in ends]
        return self._members(tree, node, None, links, present)

    def _members(
        self, tree: Tree, node: Node, start: int | None, ways: list[Way], present: Collection[QueryVariable]
    ) -> int:
        links = [way for way in ways if isinstance(way, Link)]
        asked = [link for link in links if _asks(tree, link.target, node)]
        branches = [(link, self._branch(tree, link.target, node)) for link in asked]
        backs = [
            self.steps.relate(step, link.relation, link.back(node).direction, deep=link.deep)
            for link, step in branches
        ]
        on_line = start is not None
        if start is None:
            start = self._begin(node, backs)
        elif isinstance(node, QueryIri):
            start = self.steps.add("And", (start, self.steps.add("Find", (), node.iri)))
        step = start
        step = self._of_classes(tree, node, step)
        step = self._conditions(tree, node, step, on_line)
        for attribute in self._missing(tree, node, present):
            step = self.steps.add("FilterHasAttr", (step,), attribute)
        for link in links:
            if link not in asked:
                step = self.steps.add("FilterHasRelation", (step,), link.relation, link.direction)
        step = self.steps.fold("And", iter((step, *backs)))
        for way in ways:
            if isinstance(way, Match):
                other = self._branch(tree, way.target, node)
                found = self.comparisons.matching(tree, way, step, other)
                step = self.steps.add("And", (step, found))
        return step

    def _of_classes(self, tree: Tree, node: Node, step: int) -> int:
        for concept, below in tree.classes[node]:
            step = self.steps.of_class(step, concept, below)
        return step

    def _begin(self, node: Node, backs: list[int]) -> int:
        if isinstance(node, QueryIri):
            return self.steps.add("Find", (), node.iri)
        return backs.pop(0) if backs else self.steps.add("FindAll")

    def _branch(self, tree: Tree, node: Node, parent: Node) -> int:
        return self._members(tree, node, None, list(tree.children(node, parent)), ())

    def _conditions(self, tree: Tree, node: Node, step: int, on_line: bool) -> int:
        for condition in tree.filters:
            if nodes_of(condition, tree) == {node}:
                found = self._satisfying(condition, tree, node, step)
                begins_anew = self.steps.steps[found].function == "Or"
                step = self.steps.add("And", (step, found)) if on_line and begins_anew else found
        return step

    def _missing(self, tree: Tree, node: Node, present: Collection[QueryVariable]) -> list[str]:
        """The attributes that members must have and that no other step requires."""
        schema = self.steps.schema
        bound = {variable for condition in tree.filters for variable in surely_bound(condition)}
        matches = [way for way in tree.links[node] if isinstance(way, Match)]
        bound.update(own for match in matches for own, _, _ in match.tests)
        found = {
            value.attribute: None
            for variable, value in tree.values.items()
            if value.node == node and variable not in bound and variable not in present
        }
        classes = {concept for concept, below in tree.classes[node] if not below}
        return [attribute for attribute in found if not classes & schema.attribute(attribute).everywhere]

    def _from_root(self, condition: Expression, tree: Tree, root: Node, step: int) -> int:
        """Members of the root for which a condition on several nodes holds."""
        nodes = nodes_of(condition, tree)
        if not all(single_path(tree, root, node, self.steps.schema) for node in nodes):
            raise CannotState("a condition on variables that go with several values of one another")
        match condition:
            case QueryCall("||", arguments):
                return self.steps.fold("Or", iter([self._from_root(a, tree, root, step) for a in arguments]))
            case QueryCall("&&", arguments):
                for argument in arguments:
                    step = self._from_root(argument, tree, root, step)
                return step
        if nodes == {root}:
            return self._satisfying(condition, tree, root, step)
        if len(nodes) > 1:
            return self._compared(condition, tree, root, step)
        (node,) = nodes
        return self.steps.add("And", (step, self._lifted(condition, tree, root, node)))

    def _compared(self, condition: Expression, tree: Tree, root: Node, step: int) -> int:
        """Members of the root with two values for which the condition holds."""
        match condition:
            case QueryCall(operator, (QueryVariable() as own, QueryVariable() as theirs)) if (
                operator in COMPARISONS
            ):
                tests = ((own, operator, theirs), (theirs, MIRRORED[operator], own))
                for test in tests if own in tree.values and theirs in tree.values else ():
                    if (found := self._from_values(test, tree, root, step)) is not None:
                        return self.steps.add("And", (step, found))
        raise CannotState("a comparison across variables")

    def _from_values(
        self, test: tuple[QueryVariable, str, QueryVariable], tree: Tree, root: Node, step: int
    ) -> int | None:
        """The members, if the first value belongs to one member of the root; else None."""
        own, other = (tree.values[variable].node for variable in (test[0], test[2]))
        if not single_path(tree, own, root, self.steps.schema):
            return None
        ours, theirs = (self._along(tree.path(root, node), step) for node in (own, other))
        found = self.comparisons.matching(tree, Match((test,), other), ours, theirs)
        return self._along(tree.path(own, root), found)

    def _along(self, path: tuple[Way, ...], step: int) -> int:
        """The step at the end of a path of relations."""
        for link in path:
            assert isinstance(link, Link), "what goes with one member goes by relations"
            step = self.steps.relate(step, link.relation, link.direction, deep=link.deep)
        return step

    def _lifted(self, condition: Expression, tree: Tree, root: Node, node: Node) -> int:
        """Members of the root whose one member of another node satisfies a condition."""
        step = self._begin(node, [])
        step = self._of_classes(tree, node, step)
        step = self._satisfying(condition, tree, node, step)
        return self._along(tree.path(node, root), step)

    def _satisfying(self, condition: Expression, tree: Tree, node: Node, step: int) -> int:
        """The members of `step`, a set of the node, for which a condition on this node holds."""
        match condition:
            case QueryCall("&&", arguments):
                for argument in arguments:
                    step = self._satisfying(argument, tree, node, step)
                return step
            case QueryCall("||", arguments):
                return self.steps.fold("Or", iter([self._satisfying(a, tree, node, step) for a in arguments]))
            case QueryCall(operator, (left, right)) if operator in MIRRORED:
                return self.comparisons.comparing(operator, left, right, tree, step)
            case QueryCall(function, (asked, Constant() as part)) if function == CONTAINS:
                return self.comparisons.containing(asked, part, tree, step)
            case Exists():
                return self._existing(condition, tree, step)
            case QueryCall(function):
                raise CannotState(f"the function {function}")
            case _:
                raise CannotState("a condition that is no comparison")

    def _existing(self, condition: Exists, tree: Tree, step: int) -> int:
        """Members that go with a solution of the inner pattern, or that go with none."""
        outer, inner = link_of(condition.pattern, tree)
        if outer in tree.values:
            found = self.comparisons.with_values(step, tree.values[outer].attribute, "=", self.values(inner))
        else:
            found = self._members_of(inner)
        if self.steps.steps[step].function == "FindAll" and not condition.negated:
            return found
        return self.steps.add("Except" if condition.negated else "And", (step, found))

    def _members_of(self, query: Query) -> int:
        """The entities of a subselect's one column."""
        tree, node = self._inner(query)
        if node not in tree.nodes:
            raise CannotState("EXISTS comparing an entity with a value")
        return self.root(tree, node)

    def values(self, query: Query) -> int:
        """The values of a subselect's one column."""
        tree, variable = self._inner(query)
        if variable not in tree.values:
            raise CannotState("a subselect with a column that is no attribute's value")
        place = tree.values[variable]
        members = self.root(tree, place.node, (), (variable,))
        return self.steps.add("QueryAttr", (members,), place.attribute)

    def _inner(self, query: Query) -> tuple[Tree, QueryVariable]:
        """The tree of a subselect that lists solutions, and the variable of its column."""
        pattern, value = query.pattern, query.columns[0].value
        plain = query.keys is None and query.limit is None
        if (
            not isinstance(pattern, Pattern)
            or pattern.subqueries
            or not plain
            or not isinstance(value, QueryVariable)
        ):
            raise CannotState("a subselect with groups, LIMIT, or a calculated column")
        trees, across = trees_of(pattern, self.steps.schema)
        if len(trees) != 1 or across:
            raise CannotState("a join of patterns that no relation links")
        require_told_apart(trees[0], (value,), self.steps.schema)
        return trees[0], value


def _asks(tree: Tree, node: Node, parent: Node) -> bool:
    """True if a pattern restricts a node beyond its existence."""
    return (
        isinstance(node, QueryIri)
        or bool(tree.classes[node])
        or bool(tree.children(node, parent))
        or any(value.node == node for value in tree.values.values())
        or any(node in nodes_of(condition, tree) for condition in tree.filters)
    )
