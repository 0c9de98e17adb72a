"""Names that are values: "Ann Lee" is no label where she has a first and a last name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from typing import TypeVar

from compilers.kopl.functions import Kind, ValueType
from compilers.kopl.program import Program, Step
from nlq_gateway.core.types import SchemaItem, TextMention
from nlq_gateway.index import Index, is_impossible

Place = tuple[int, int]
V = TypeVar("V")
# So many readings of the same words are tried, and so many of each string.
MOST, OF_A_STRING = 6, 8


@dataclass(frozen=True, slots=True)
class Condition:
    """The value of an attribute, in the words of the question."""

    attribute: SchemaItem
    value: str
    words: str


@dataclass(frozen=True, slots=True)
class StatedProgram:
    """A program with what its arguments mean, by step and argument."""

    steps: tuple[Step, ...]
    choices: Mapping[Place, tuple[str, ...]]
    mentions: Mapping[Place, str]
    margins: Mapping[Place, float]

    def is_impossible(self, index: Index) -> bool:
        """True if nothing in the graph could ever answer it."""
        meant = {place: iris[0] for place, iris in self.choices.items() if iris}
        return is_impossible(Program(self.steps), meant, index)

    def merged(self) -> StatedProgram:
        """The same with one step in the place of several that do the same with the same inputs."""
        steps = dict[Step, int]()
        places = list[int]()
        for step in self.steps:
            same = replace(step, dependencies=tuple(places[one] for one in step.dependencies))
            places.append(steps.setdefault(same, len(steps)))

        def by_place(named: Mapping[Place, V]) -> dict[Place, V]:
            return {(places[n], argument): one for (n, argument), one in named.items()}

        return StatedProgram(
            tuple(steps), by_place(self.choices), by_place(self.mentions), by_place(self.margins)
        )

    def with_exceptions(self) -> StatedProgram:
        """The program that leaves out what has a value of others, where it keeps what has another value.

        Of "singers whose key is not among those of songs" the comparison alone keeps all: each key differs
        from some.
        """
        found = self
        for at in reversed(range(len(self.steps))):
            step = self.steps[at]
            if step.function != "FilterCompare" or step.inputs != ("!=",):
                continue
            shown = self.steps[step.dependencies[0]]
            if shown.function == "QueryAttr":
                left_out = Step("Except", (), (*shown.dependencies, at))
                found = found._with(at, (replace(step, inputs=("=",)), left_out))
        return found

    def with_conditions(self, at: int, conditions: Sequence[Condition]) -> StatedProgram:
        """The program in which these conditions are in the place of a step that names or filters."""
        begun = [Step("FindAll")] if self.steps[at].function == "Find" else []
        filters = [_condition(one) for one in conditions]
        choices = {(n, 0): (one.attribute.iri,) for n, one in enumerate(conditions, len(begun))}
        mentions = {(n, 1): one.words for n, one in enumerate(conditions, len(begun))}
        return self.with_steps(at, (*begun, *filters), choices, mentions)

    def with_steps(
        self,
        at: int,
        steps: Sequence[Step],
        choices: Mapping[Place, tuple[str, ...]],
        mentions: Mapping[Place, str],
    ) -> StatedProgram:
        """The program with a chain of steps in the place of one, whose inputs the first of them takes.

        `choices` and `mentions` are by the steps' places in the chain.
        """
        inputs = (self.steps[at].dependencies, *((at + n,) for n in range(len(steps) - 1)))
        chain = [replace(step, dependencies=before) for step, before in zip(steps, inputs, strict=True)]
        found = self._with(at, chain)
        return replace(
            found,
            choices={**found.choices, **{(at + n, k): one for (n, k), one in choices.items()}},
            mentions={**found.mentions, **{(at + n, k): one for (n, k), one in mentions.items()}},
        )

    def _with(self, at: int, steps: Sequence[Step]) -> StatedProgram:
        """The program with these steps in the place of one; later steps take the last of them for it."""
        added = len(steps) - 1
        after = (_moved(step, at, added) for step in self.steps[at + 1 :])
        return StatedProgram(
            (*self.steps[:at], *steps, *after),
            _shifted(self.choices, at, added),
            _shifted(self.mentions, at, added),
            _shifted(self.margins, at, added),
        )


def readings(
    texts: Sequence[TextMention], index: Index, beside: SchemaItem | None
) -> Iterator[tuple[Condition, ...]]:
    """Yield the conditions that strings of the graph may mean, of things of one class.

    They are of the class of the attribute `beside` them, if one is given.
    """
    ways = (list(islice(_conditions(text, index), OF_A_STRING)) for text in texts)
    for conditions in islice(filter(_is_apart, product(*ways)), MOST) if texts else ():
        items = (*(one.attribute for one in conditions), *((beside,) if beside else ()))
        if frozenset.intersection(*(frozenset(iri for iri, _ in item.domains) for item in items)):
            yield conditions


def _conditions(text: TextMention, index: Index) -> Iterator[Condition]:
    for hit in text.hits:
        items = (index.item(Kind.ATTRIBUTE, iri) for iri in sorted(hit.predicates))
        yield from (Condition(item, hit.value, text.text) for item in items if item is not None)


def _is_apart(conditions: Sequence[Condition]) -> bool:
    """True if each is of another attribute."""
    return len({one.attribute.iri for one in conditions}) == len(conditions)


def _condition(condition: Condition) -> Step:
    """The filter of a condition; an attribute that says so by 1 has no texts."""
    attribute, value = condition.attribute, condition.value
    if attribute.truths and attribute.value_types == (ValueType.QUANTITY,):
        return Step("FilterNum", (attribute.label, value, "="))
    return Step("FilterStr", (attribute.label, value))


def _moved(step: Step, at: int, added: int) -> Step:
    return replace(step, dependencies=tuple(one + added * (one >= at) for one in step.dependencies))


def _shifted(named: Mapping[Place, V], at: int, added: int) -> dict[Place, V]:
    """The same for the steps other than `at`, by their new numbers."""
    return {(n + added * (n > at), argument): one for (n, argument), one in named.items() if n != at}
