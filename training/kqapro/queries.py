"""SPARQL in KQA Pro's RDF shape (reified facts, value nodes) as trees of sets.

What is read are basic graph patterns, as FlexKBQA's machine-written questions have them. Queries that ask
for the shape's own predicates (`<pred:fact_h> ?qpv`) mean nothing in the language, and are odd.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from compilers.kopl.values import format_number
from training.kqapro.labels import Labels
from training.kqapro.patterns import INSTANCE_OF, OddPatterns, Pattern, tree_of
from training.kqapro.trees import Call, Set, Tree

_TOKEN = re.compile(r'\?\w+|<[^>]*>|"[^"]*"(?:\^\^\S+)?|[\[\];.]')
_NUMBER = re.compile(r"(?<![\w.-])\d+(?:\.0|\.\d+e\+\d+|e\+\d+)(?![\w.])")
_NO_UNIT = "1"
_TARGETS = {"SELECT DISTINCT ?e ": "?e", "SELECT (COUNT(DISTINCT ?e)": "count ?e", "ASK": "bool"}
_TARGETS |= {f"SELECT DISTINCT ?{name} ": f"?{name}" for name in ("pv", "qpv", "p")}
_RELATION_ASKED = "?p"

Triple = tuple[str, str, str]


@dataclass(slots=True)
class _Graph:
    """The triples of a query: what nodes are called and hold, the facts, and their qualifiers."""

    names: dict[str, str] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)
    units: dict[str, str] = field(default_factory=dict)
    facts: list[Triple] = field(default_factory=list)
    qualifiers: dict[Triple, tuple[str, str]] = field(default_factory=dict)

    def text(self, node: str) -> str:
        """The node's name or value; the node itself where it has none."""
        if node in self.values:
            unit = self.units.get(node, _NO_UNIT)
            return self.values[node] + ("" if unit == _NO_UNIT else f" {unit}")
        return self.names.get(node, node)


def tree_of_query(sparql: str, labels: Labels) -> Tree:
    """The tree of a query; raises OddPatterns."""
    target = next((name for start, name in _TARGETS.items() if sparql.startswith(start)), None)
    if target is None:
        raise OddPatterns("a query of another form")
    graph = _read(_TOKEN.findall(sparql[sparql.index("{") + 1 : sparql.rindex("}")]))
    if target == _RELATION_ASKED:
        return _relation_between(graph, labels)
    return tree_of(target, [_pattern(graph, fact) for fact in graph.facts], labels)


def plain_numbers(text: str) -> str:
    """The text with `360` for `360.0`, and without exponents."""
    return _NUMBER.sub(lambda found: format_number(float(found.group())), text)


def says_nothing_twice(tree: Tree) -> bool:
    """True if no condition repeats a name, another condition, or the requested attribute."""
    asked = {call.inputs[0] for call in tree.ending if call.function.startswith("QueryAttr")}
    for entities in tree.sets:
        labels = [condition.call.inputs[0] for condition in entities.conditions]
        values = [condition.call.inputs[1] for condition in entities.conditions]
        if len(set(labels)) < len(labels) or asked & set(labels) or entities.base in values:
            return False
    return True


def _relation_between(graph: _Graph, labels: Labels) -> Tree:
    asked = [fact for fact in graph.facts if fact[1] == _RELATION_ASKED]
    if len(asked) != 1:
        raise OddPatterns("no relation, or more than one, is asked for")
    first, _, second = asked[0]
    if graph.text(first) == graph.text(second):
        raise OddPatterns("both are called the same")
    patterns = [_pattern(graph, fact) for fact in graph.facts if fact is not asked[0]]
    sets: tuple[Set, ...] = ()
    for name in (graph.text(first), graph.text(second)):
        about = [pattern for pattern in patterns if pattern.subject == name]
        sets += tree_of(name, about, labels).sets
    return Tree(sets, (Call("QueryRelation"),))


def _read(tokens: Sequence[str]) -> _Graph:
    graph = _Graph()
    for statement in _statements(tokens):
        if statement[0] == "[":
            fact = (statement[2], statement[5], statement[8])
            graph.qualifiers[fact] = (_label(statement[10]), statement[11])
            continue
        if len(statement) != 3:
            raise OddPatterns("a statement of another form")
        subject, predicate, node = statement
        held = _HOLDERS.get(predicate)
        if held and node.startswith('"'):
            getattr(graph, held)[subject] = plain_numbers(_literal(node))
        else:
            graph.facts.append((subject, predicate, node))
    return graph


_HOLDERS: Mapping[str, str] = {
    "<pred:name>": "names",
    "<pred:value>": "values",
    "<pred:date>": "values",
    "<pred:year>": "values",
    "<pred:unit>": "units",
}


def _statements(tokens: Sequence[str]) -> Iterator[list[str]]:
    statement: list[str] = []
    for token in tokens:
        if token == ".":
            yield statement
            statement = []
        else:
            statement.append(token)


def _pattern(graph: _Graph, fact: Triple) -> Pattern:
    subject, predicate, node = fact
    if predicate == "<pred:instance_of>" and node in graph.names:
        return Pattern(graph.text(subject), INSTANCE_OF, graph.text(node))
    ends = (graph.text(subject), _label(predicate), graph.text(node))
    if fact in graph.qualifiers:
        label, value = graph.qualifiers[fact]
        return Pattern(*ends, label, graph.text(value))
    return Pattern(*ends)


def _label(predicate: str) -> str:
    if predicate.startswith(("<pred:", "?")):
        raise OddPatterns(f"{predicate} is no label of the graph")
    return predicate.strip("<>").replace("_", " ")


def _literal(token: str) -> str:
    return token[1 : token.rindex('"')]
