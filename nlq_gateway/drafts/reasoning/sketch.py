"""Programs under construction, with what they already explain of the question."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from compilers.kopl.program import Program, Step
from nlq_gateway.core.types import SchemaItem

_BEYOND = frozenset({"FindAll", "Relate"})
_WHOLE = frozenset({"FindAll", "FilterConcept", "Relate"})
_SELECTS = frozenset({"Find", "Relate"})
NOTHING: Mapping[int, float] = MappingProxyType({})


def together(explained: Mapping[int, float], more: Mapping[int, float]) -> Mapping[int, float]:
    """Return the words that either explains, each to the greater degree."""
    if not more:
        return explained
    merged = dict(explained)
    for token, degree in more.items():
        merged[token] = max(merged.get(token, 0.0), degree)
    return merged


class Argument(NamedTuple):
    """The origin of an argument: the words that it stands for, and the IRIs meant."""

    step: int
    argument: int
    iris: tuple[str, ...]
    mention: str = ""


class Sketch(NamedTuple):
    """A program whose last step is a set. A named tuple: a fifth of a dataclass's time to copy with changes.

    `functions` are those of the steps. `surely` are concepts that every member belongs to, `mostly` those
    that many and `possibly` those that some may (all with everything above them; an empty `possibly` means
    anything). `explained` says how well each word of the question is accounted for, `used` which mentions
    and literals are.
    `item` is the relation or attribute whose facts the last step selected, `reach` the facts that a
    named entity really has. `origin` is the word that the named entity begins with, `place` the word
    that the last relation came from. `home` are the named entity's own concepts, and `returns` whether
    it may be among its own others at the end; it is one of a `whole` if these have one thing in common, as
    the garages of one operator. `empty` says that the set is known to have no member. `stated`
    are cue words that a step states, such as "average". `cost` adds up what speaks against the program.
    `told` says that the question itself has the last relation lead this way.
    """

    steps: tuple[Step, ...] = ()
    functions: frozenset[str] = frozenset()
    arguments: tuple[Argument, ...] = ()
    surely: frozenset[str] = frozenset()
    possibly: frozenset[str] = frozenset()
    mostly: frozenset[str] = frozenset()
    explained: Mapping[int, float] = NOTHING
    used: frozenset[int] = frozenset()
    item: SchemaItem | None = None
    direction: str = ""
    reach: frozenset[tuple[str, str]] | None = None
    cost: float = 0.0
    origin: int | None = None
    place: int | None = None
    home: frozenset[str] = frozenset()
    returns: bool = False
    whole: bool = False
    empty: bool = False
    stated: frozenset[int] = frozenset()
    told: bool = False

    @property
    def program(self) -> Program:
        """The steps as a program."""
        return Program(self.steps)

    @property
    def is_single(self) -> bool:
        """True if the set is one named entity, perhaps filtered: nothing is gained by listing it."""
        return self.steps[0].function == "Find" and all(f == "Find" or "Filter" in f for f in self.functions)

    @property
    def only_names(self) -> bool:
        """True if the set is named entities, perhaps filtered: narrowing another by it is no gain."""
        return self.names_entity and self.functions.isdisjoint(_BEYOND)

    @property
    def names_entity(self) -> bool:
        """True if the program starts from a named entity anywhere."""
        return "Find" in self.functions

    @property
    def selects(self) -> bool:
        """True if the program does more than filter everything: only then is And more than a filter."""
        return not self.functions.isdisjoint(_SELECTS)

    @property
    def is_narrowed(self) -> bool:
        """True if members may be left out: all of a kind, led on and back, are the same again."""
        return not self.functions <= _WHOLE

    @property
    def hops(self) -> int:
        """The number of relations that the program follows."""
        return sum(step.function == "Relate" for step in self.steps)

    @property
    def last(self) -> int:
        """The index of the last step."""
        return len(self.steps) - 1

    def then(
        self,
        function: str,
        inputs: tuple[str, ...],
        iris: Mapping[int, tuple[tuple[str, ...], str]] = MappingProxyType({}),
        dependencies: tuple[int, ...] | None = None,
        **changes: object,
    ) -> Sketch:
        """This program with one more step; `iris` gives (IRIs, words) by argument.

        The step takes what the last one gives, unless other `dependencies` are named.
        """
        index = len(self.steps)
        inward = (index - 1,) if dependencies is None else dependencies
        arguments = tuple(
            Argument(index, argument, found, words) for argument, (found, words) in iris.items()
        )
        last = {"item": None, "direction": "", "reach": None, "told": False}
        return self._replace(
            steps=(*self.steps, Step(function, inputs, inward)),
            functions=self.functions | {function},
            arguments=self.arguments + arguments,
            **{**last, **changes},  # type: ignore[arg-type]
        )

    def with_class(self, concept: SchemaItem, words: str = "") -> Sketch:
        """This program with two steps more, which find all of a class and take no input."""
        everything = self.then("FindAll", (), dependencies=())
        return everything.then("FilterConcept", (concept.label,), {0: ((concept.iri,), words)})

    def explaining(self, more: Mapping[int, float]) -> Mapping[int, float]:
        """Return the words explained after `more` is added."""
        return together(self.explained, more)

    def gain(self, more: Mapping[int, float], weights: tuple[float, ...]) -> float:
        """Return the weight of words that `more` explains and the sketch does not."""
        return sum(
            weights[token] * max(0.0, degree - self.explained.get(token, 0.0))
            for token, degree in more.items()
        )

    def value(self, weights: tuple[float, ...]) -> float:
        """The weight explained, less the cost."""
        return worth(self.explained, self.cost, weights)


def worth(explained: Mapping[int, float], cost: float, weights: tuple[float, ...]) -> float:
    """The weight of what is explained, each word to its degree, less the cost."""
    return sum(weights[token] * degree for token, degree in explained.items()) - cost


def joined(first: Sketch, second: Sketch, function: str, inputs: tuple[str, ...] = ()) -> Sketch:
    """Both programs side by side, and a step that takes their ends."""
    offset = len(first.steps)
    moved = tuple(Step(s.function, s.inputs, tuple(d + offset for d in s.dependencies)) for s in second.steps)
    arguments = (Argument(a.step + offset, a.argument, a.iris, a.mention) for a in second.arguments)
    end = Step(function, inputs, (first.last, offset + second.last))
    return Sketch(
        steps=(*first.steps, *moved, end),
        functions=first.functions | second.functions | {function},
        arguments=(*first.arguments, *arguments),
        explained=first.explaining(second.explained),
        used=first.used | second.used,
        stated=first.stated | second.stated,
        cost=first.cost + second.cost,
    )
