"""One wording of a program: the meanings of its steps in words, and the choices among synonyms."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar, cast

from compilers.kopl.functions import Kind, ValueType
from compilers.kopl.program import Program, Step
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.language.lexicon import said_of
from nlq_gateway.language.wording import english
from nlq_gateway.language.wording.attributes import AttributeWording, attribute_of
from nlq_gateway.language.wording.lexicon import Lexicon
from nlq_gateway.language.wording.phrases import MeasureWording, Phrase

_Any = TypeVar("_Any")
_TIMES = (ValueType.YEAR, ValueType.DATE)
_NOT_NOUNS = frozenset("long deep tall high old wide the a".split()) | english.PREPOSITIONS - {"of"}


class NoForm(Exception):
    """The grammar has no words for a program."""


@dataclass(frozen=True)
class Forms:
    """The functions of the language that give sets, and those that give values or a number, in words."""

    sets: Mapping[str, Callable[[Writer, int], Phrase]]
    measures: Mapping[str, Callable[[Writer, int], MeasureWording]]


@dataclass(frozen=True)
class Writer:
    """A program with the words of its schema.

    `choose` takes a number of options and returns the index of one; `meant` has the steps that a phrase
    already names, so that a pronoun can replace them.
    """

    program: Program
    choices: Mapping[tuple[int, int], tuple[str, ...]]
    lexicon: Lexicon
    forms: Forms
    choose: Callable[[int], int]
    meant: Mapping[int, Phrase] = field(default_factory=dict)
    taken: dict[object, object] = field(default_factory=dict)

    def step(self, at: int) -> Step:
        """A step of the program."""
        return self.program.steps[at]

    def argument(self, at: int, place: int) -> str:
        """A textual argument of a step."""
        return self.step(at).inputs[place]

    def choice(self, at: int, place: int) -> tuple[str, ...]:
        """The IRIs that an argument means, where they were chosen."""
        return self.choices.get((at, place), ())

    def source(self, at: int) -> int:
        """The first step that feeds a step."""
        return self.step(at).dependencies[0]

    def sources(self, at: int) -> tuple[int, ...]:
        """The steps that feed a step."""
        return self.step(at).dependencies

    def item(self, at: int, place: int, kind: Kind) -> SchemaItem | None:
        """The schema item that an argument names."""
        return self.lexicon.item(kind, self.argument(at, place), self.choice(at, place))

    def attribute(self, at: int) -> AttributeWording:
        """The attribute that the first argument of a step names."""
        item = self.item(at, 0, Kind.ATTRIBUTE)
        names = self.lexicon.aliases(Kind.ATTRIBUTE, self.argument(at, 0), self.choice(at, 0))
        plain, *others = self.lexicon.attributes(item, names)
        name = self.pick_once(names[0], [plain, *(name for name in others if _is_noun(name))])
        if item is not None and item.truths is not None:
            return AttributeWording(f"{said_of(name)[1]} status")
        is_quantity = item is not None and item.value_types[:1] == (ValueType.QUANTITY,)
        return attribute_of(name, is_quantity, self.is_time(at))

    def is_time(self, at: int) -> bool:
        """True if the attribute of a step has years or dates."""
        item = self.item(at, 0, Kind.ATTRIBUTE)
        return item is not None and item.value_types[:1] != () and item.value_types[0] in _TIMES

    def line(self, at: int) -> list[int]:
        """The step, its first input, and so on back to a start."""
        found = [at]
        while self.step(found[-1]).dependencies and self.step(found[-1]).signature.name != "Or":
            found.append(self.source(found[-1]))
        return found

    def shared(self, first: int, second: int) -> int | None:
        """The last step of both lines, where both speak of one member; None where they begin apart."""
        line = self.line(second)
        found = next((step for step in self.line(first) if step in line), None)
        return None if found is None or self.step(found).signature.name == "FindAll" else found

    def meaning(self, at: int | None, phrase: Phrase) -> Writer:
        """The writer for whom a step is already named by a phrase."""
        return self if at is None else replace(self, meant={**self.meant, at: phrase})

    def phrase(self, at: int) -> Phrase:
        """A set in words; raises NoForm."""
        if at in self.meant:
            return self.meant[at]
        form = self.forms.sets.get(self.step(at).signature.name)
        if form is None:
            raise NoForm
        return form(self, at)

    def measure(self, at: int) -> MeasureWording:
        """Values or a number in words; raises NoForm."""
        form = self.forms.measures.get(self.step(at).signature.name)
        if form is None:
            raise NoForm
        return form(self, at)

    def pick(self, options: Sequence[_Any]) -> _Any:
        """Choose one of the options, of which the first is the plainest."""
        return options[self.choose(len(options))] if len(options) > 1 else options[0]

    def pick_once(self, name: object, options: Sequence[_Any]) -> _Any:
        """Choose one of the options, the same one for each occurrence of `name` in the program."""
        if name not in self.taken:
            self.taken[name] = self.pick(options)
        return cast(_Any, self.taken[name])


def _is_noun(name: str) -> bool:
    words = set(name.lower().split())
    verbal = any(english.is_participle(word) or english.is_past(word) for word in words)
    return bool(words) and not verbal and not words & _NOT_NOUNS
