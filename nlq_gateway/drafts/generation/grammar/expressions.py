"""Context-free grammars as data: expressions, and rules that name them.

Grammars are built from the bottom up by `sequence`, `choice` and `Rules.rule`, which drop incomplete parts:
there is no alternative without an end, and no rule that refers to itself.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Terminal:
    """This text, letter by letter."""

    text: str


@dataclass(frozen=True, slots=True)
class CharacterClass:
    """One character out of ranges, both ends included."""

    ranges: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """The text of the rule of this name."""

    rule: str


@dataclass(frozen=True, slots=True)
class Concatenation:
    """All parts, one after the other; without parts the empty text."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Alternation:
    """One of the options; without options nothing at all, not even the empty text."""

    options: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """The part, `least` to `most` times."""

    part: Expression
    least: int
    most: int


Expression = Terminal | CharacterClass | Reference | Concatenation | Alternation | Repeat

NOTHING = Alternation(())
ROOT = "root"


@dataclass(frozen=True, slots=True)
class Grammar:
    """Rules by name; texts are derived from the rule `root`. No rule refers to itself, directly or not."""

    rules: Mapping[str, Expression]


def sequence(*parts: Expression | str) -> Expression:
    """The parts in a row, texts as literals; NOTHING if one of them is.

    Sequences in it are flattened, empty texts dropped, and literals side by side joined.
    """
    flat: list[Expression] = []
    held = ""
    for part in parts:
        for inner in part.parts if isinstance(part, Concatenation) else (part,):
            if isinstance(inner, str):
                held += inner
            elif isinstance(inner, Terminal):
                held += inner.text
            elif isinstance(inner, Alternation) and not inner.options:
                return NOTHING
            else:
                if held:
                    flat.append(Terminal(held))
                    held = ""
                flat.append(inner)
    if held:
        flat.append(Terminal(held))
    return flat[0] if len(flat) == 1 else Concatenation(tuple(flat))


def choice(options: Iterable[Expression | str]) -> Expression:
    """One of the options, texts as literals, each once; options that are NOTHING are dropped."""
    found: dict[Expression, None] = {}
    for option in options:
        expression = Terminal(option) if isinstance(option, str) else option
        found.update(
            dict.fromkeys(expression.options if isinstance(expression, Alternation) else (expression,))
        )
    return next(iter(found)) if len(found) == 1 else Alternation(tuple(found))


def optional(part: Expression) -> Expression:
    """The part or the empty text."""
    return Concatenation(()) if part == NOTHING else Repeat(part, 0, 1)


def characters(*ranges: str) -> CharacterClass:
    """A class of characters, given singly (`x`) or by both ends (`az`)."""
    return CharacterClass(tuple((pair[0], pair[-1]) for pair in ranges))


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of a grammar under construction."""

    made: dict[str, Expression] = field(default_factory=dict)
    numbers: dict[tuple[str, Hashable], int] = field(default_factory=dict)

    def rule(self, name: str, make: Callable[[], Expression]) -> Expression:
        """A reference to the rule of this name, made the first time.

        NOTHING if the rule is; the other rule if the rule is only a reference to it.
        """
        if name not in self.made:
            self.made[name] = make()
        made = self.made[name]
        return made if made == NOTHING or isinstance(made, Reference) else Reference(name)

    def numbered(self, stem: str, key: Hashable, make: Callable[[], Expression]) -> Expression:
        """Return `rule` for one of several rules that differ by a key; the first is named `stem-1`."""
        known = sum(1 for other, _ in self.numbers if other == stem)
        number = self.numbers.setdefault((stem, key), known + 1)
        return self.rule(f"{stem}-{number}", make)

    def grammar(self, start: Expression) -> Grammar:
        """The grammar of all rules reached from `start`, in that order."""
        rules: dict[str, Expression] = {}
        ahead = [(ROOT, start)]
        while ahead:
            name, expression = ahead.pop()
            if name not in rules:
                rules[name] = expression
                ahead.extend((rule, self.made[rule]) for rule in reversed(list(references(expression))))
        return Grammar(rules)


def references(expression: Expression) -> Iterator[str]:
    """The names of the rules that an expression refers to, in their order."""
    match expression:
        case Reference(rule):
            yield rule
        case Concatenation(parts) | Alternation(parts):
            for part in parts:
                yield from references(part)
        case Repeat(part):
            yield from references(part)
