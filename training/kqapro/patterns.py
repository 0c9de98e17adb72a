"""Graph patterns with a target (KQA Pro's training questions) as trees of sets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from compilers.kopl.functions import ValueType
from training.kqapro.labels import Labels, suffix
from training.kqapro.trees import Call, Condition, Edge, Set, Tree

INSTANCE_OF = "instance of"
_VALUES = ("?pv", "?qpv")


class OddPatterns(ValueError):
    """Patterns that are no tree about their target."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A fact that is asked for; names, values and variables (`?e`) alike are text."""

    subject: str
    label: str
    object: str
    qualifier: str | None = None
    value: str = ""

    @property
    def asks(self) -> bool:
        """True if its value is requested."""
        return self.object in _VALUES or self.value in _VALUES


def joined(parts: Iterable[str]) -> list[str]:
    """The texts before they were split at commas: a part that begins with a space continues the last one."""
    whole: list[str] = []
    for text in parts:
        if text.startswith(" ") and whole:
            whole[-1] += "," + text
        else:
            whole.append(text)
    return whole


def read_patterns(rows: Iterable[Sequence[str]]) -> tuple[Pattern, ...]:
    """Lists of three or five texts as patterns; texts that were broken at commas are put together again."""
    return tuple(_pattern(row) for row in rows)


def tree_of(target: str, patterns: Sequence[Pattern], labels: Labels) -> Tree:
    """The tree of the patterns for a target; raises OddPatterns.

    Targets are `?pv`, `?qpv`, `bool` (the last attribute is asked for), a variable or a name, and `count ?e`.
    """
    asked = _asked(target, patterns, labels)
    builder = _Builder(labels, [pattern for pattern in patterns if pattern is not asked])
    tree = _tree(target, asked, builder)
    if builder.patterns or any(entities.is_everything for entities in tree.sets):
        raise OddPatterns("patterns that say nothing about the target")
    return tree


def value_call(function: str, label: str, value: str, labels: Labels) -> Call:
    """`FilterStr(label, value)`, or the function for the value's type with `=` behind it."""
    kind = labels.type_of(label, value)
    operator = () if kind == ValueType.STRING else ("=",)
    return Call(function + suffix(kind), (label, value, *operator))


@dataclass(slots=True)
class _Builder:
    """Takes the patterns about a term, and about its targets, out of the remaining ones."""

    labels: Labels
    patterns: list[Pattern] = field(default_factory=list)

    def set(self, term: str) -> Set:
        entities = Set(None if term.startswith("?") else term)
        for pattern in list(self.patterns):
            if pattern in self.patterns and term in self._ends(pattern):
                self.patterns.remove(pattern)
                entities = entities.meet(self._said(pattern, term))
        return entities

    def _ends(self, pattern: Pattern) -> tuple[str, ...]:
        if pattern.label in self.labels.relations:
            return (pattern.subject, pattern.object)
        return (pattern.subject,)

    def _said(self, pattern: Pattern, term: str) -> Set:
        qualifiers = self._qualifiers(pattern)
        if pattern.label == INSTANCE_OF:
            return Set(concepts=(pattern.object,))
        if pattern.label not in self.labels.relations:
            call = value_call("Filter", pattern.label, pattern.object, self.labels)
            return Set(conditions=(Condition(call, qualifiers),))
        if pattern.subject == term:
            return Set(edges=(Edge(pattern.label, "backward", self.set(pattern.object), qualifiers),))
        return Set(edges=(Edge(pattern.label, "forward", self.set(pattern.subject), qualifiers),))

    def _qualifiers(self, pattern: Pattern) -> tuple[Call, ...]:
        if pattern.qualifier is None:
            return ()
        return (value_call("QFilter", pattern.qualifier, pattern.value, self.labels),)


def _pattern(row: Sequence[str]) -> Pattern:
    whole = joined(row)
    if len(whole) not in (3, 5) or not all(text.strip() for text in whole):
        raise OddPatterns(f"a pattern of {len(whole)} texts")
    return Pattern(*whole)


def _asked(target: str, patterns: Sequence[Pattern], labels: Labels) -> Pattern | None:
    if target == "bool":
        attributes = [p for p in patterns if p.label not in labels.relations and p.label != INSTANCE_OF]
        found = attributes[-1:]
    elif target in _VALUES:
        found = [pattern for pattern in patterns if pattern.asks]
    else:
        return None
    if len(found) != 1:
        raise OddPatterns(f"{len(found)} patterns with a requested value")
    return found[0]


def _tree(target: str, asked: Pattern | None, builder: _Builder) -> Tree:
    if asked is None:
        entities = builder.set(target.removeprefix("count "))
        return Tree((entities,), (Call("Count" if target.startswith("count ") else "What"),))
    if target == "?qpv" and asked.label in builder.labels.relations:
        sets = (builder.set(asked.subject), builder.set(asked.object))
        return Tree(sets, (Call("QueryRelationQualifier", (asked.label, asked.qualifier or "")),))
    entities = builder.set(asked.subject)
    if target == "?qpv":
        inputs = (asked.label, asked.object, asked.qualifier or "")
        return Tree((entities,), (Call("QueryAttrQualifier", inputs),))
    if asked.label in builder.labels.relations:
        raise OddPatterns(f"{asked.label} is no attribute")
    query = _query(asked)
    if target == "?pv":
        return Tree((entities,), (query,))
    verify = value_call("Verify", asked.label, asked.object, builder.labels)
    return Tree((entities,), (query, Call(verify.function, verify.inputs[1:])))


def _query(asked: Pattern) -> Call:
    if asked.qualifier is None:
        return Call("QueryAttr", (asked.label,))
    return Call("QueryAttrUnderCondition", (asked.label, asked.qualifier, asked.value))
