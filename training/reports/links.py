"""The things of a class as what is linked to the class before: the loans it was made against."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from nlq_gateway.core.types import SchemaItem
from nlq_gateway.index.text import humanise
from nlq_gateway.language.wording.english import PREPOSITIONS, plural, third_person, words_of
from nlq_gateway.language.wording.relations import Frame, RelationWording, readings_of
from training.reports.chains import Edge, Node
from training.reports.chance import Chance

_OBJECTS, _OWNERS = {"they": "them"}, {"it": "its", "they": "their"}
# Behind a longer description the link is said.
_SHORT = 30


@dataclass(frozen=True, slots=True)
class Links:
    """The wordings of the edges of one chain."""

    nodes: Sequence[Node]
    chance: Chance

    def noun(self, at: int) -> str:
        """The noun of a class."""
        return humanise(self.nodes[at].concept.label).lower()

    def form(self, at: int) -> str:
        """The noun of a class in the number that the edge to it has."""
        return plural(self.noun(at)) if self.is_many(at) else self.noun(at)

    def is_many(self, at: int) -> bool:
        """True if an edge leads to many things."""
        edge = self.nodes[at].edge
        return edge is not None and edge.direction == "backward"

    def linked(self, at: int, source: str) -> str:
        """Those of a class that are linked to what `source`, perhaps a pronoun, says of the one before."""
        edge, own = self._edge(at), self.form(at)
        owner = _OWNERS.get(source)
        plain = f"{owner} {own}" if owner else f"the {own} of {source}"
        if edge.is_only and self.chance.one_in(3):
            return f"the {own}" if len(source) < _SHORT and self.chance.one_in(2) else plain
        many = source == "they" or (source != "it" and self.is_many(at - 1))
        ways = (
            _forward(edge, own, source, many) if edge.direction == "forward" else _backward(edge, own, source)
        )
        return self.chance.random.choice(ways or [plain])

    def reached(self, at: int, source: str) -> str:
        """The same without an article, of many that `source` describes."""
        edge, own = self._edge(at), plural(self.noun(at))
        if edge.is_only and self.chance.one_in(4):
            return f"{own} of {source}"
        ways = (
            _forward(edge, own, source, True) if edge.direction == "forward" else _backward(edge, own, source)
        )
        return self.chance.random.choice(ways or [f"{own} of {source}"]).removeprefix("the ")

    def _edge(self, at: int) -> Edge:
        edge = self.nodes[at].edge
        assert edge is not None
        return edge


def _ways(edge: Edge, own: str, source: str, many: bool) -> list[str]:
    """The wordings of an edge, the likelier ones more than once."""
    return _forward(edge, own, source, many) if edge.direction == "forward" else _backward(edge, own, source)


def _forward(edge: Edge, own: str, source: str, many: bool) -> list[str]:
    reading, found = _reading(edge.relation), list[str]()
    frame = reading.forward
    if frame is not None and not _is_having(frame):
        found = [f"the {own} {that}{source} {_verb(frame, many)}" for that in ("", "", "that ", "which ")]
        done, _, link = frame.link.rpartition(" ")
        if frame.verb == "be" and done:
            found.append(f"the {own} {link} which {source} {_verb(replace(frame, link=done), many)}")
        if reading.backward is not None and not _is_having(reading.backward):
            found.append(f"the {own} that {_verb(reading.backward, False)} {_OBJECTS.get(source, source)}")
    if reading.noun:
        noun = plural(reading.noun) if many else reading.noun
        found += [f"{_OWNERS[source]} {noun}" if source in _OWNERS else f"the {noun} of {source}"] * 2
    return found


def _backward(edge: Edge, own: str, source: str) -> list[str]:
    reading, source = _reading(edge.relation), _OBJECTS.get(source, source)
    frame = reading.forward
    if frame is None or _is_having(frame):
        ways = [
            f"the {own} that have {source} as {reading.noun}",
            f"the {own} whose {reading.noun} is {source}",
        ]
        return ways if reading.noun else []
    found = [f"the {own} {that} {_verb(frame, True)} {source}" for that in ("that", "which")]
    return found + [f"the {own} {frame.link} {source}"] * (3 if frame.verb == "be" else 0)


def _reading(relation: SchemaItem) -> RelationWording:
    first = humanise(relation.label).lower().split()[0]
    return RelationWording(Frame("be", first)) if first in PREPOSITIONS else readings_of(relation.label)[0]


def _is_having(frame: Frame) -> bool:
    return frame.link.startswith("the ")


def _verb(frame: Frame, many: bool) -> str:
    """The verb in the present, or in the past of be: was made against, bank with."""
    if frame.verb == "be":
        verb = ("were" if many else "was") if frame.past else ("are" if many else "is")
    else:
        verb = frame.verb if many else third_person(frame.verb)
    return words_of(verb, frame.link)
