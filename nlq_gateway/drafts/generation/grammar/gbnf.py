"""Grammars as GBNF text, as llama.cpp, xgrammar and vLLM read it.

One rule a line, `name ::= expression`. Only the part of GBNF (llama.cpp, grammars/README.md) is written that
all three read alike: quoted texts, classes of characters, `( )`, `|`, `?`, `{m,n}`, and names of rules of
letters, digits and hyphens.
"""

from __future__ import annotations

from nlq_gateway.drafts.generation.grammar.expressions import (
    Alternation,
    CharacterClass,
    Concatenation,
    Expression,
    Grammar,
    Reference,
    Repeat,
    Terminal,
)

_ESCAPES = {'"': r"\"", "\\": r"\\", "\n": r"\n", "\r": r"\r", "\t": r"\t"}
_LAST_OF_TWO_BYTES = 0xFFFF


def to_gbnf(grammar: Grammar) -> str:
    """The grammar as text, one rule a line, the rule `root` first."""
    return "".join(f"{name} ::= {_written(expression)}\n" for name, expression in grammar.rules.items())


def escaped(character: str) -> str:
    """A character in a quoted text."""
    if character in _ESCAPES:
        return _ESCAPES[character]
    return character if character.isprintable() else _by_number(character)


def _in_class(character: str) -> str:
    """A character in a class, where more characters are special than in a text."""
    return character if character.isascii() and character.isalnum() else _by_number(character)


def _by_number(character: str) -> str:
    number = ord(character)
    return f"\\u{number:04X}" if number <= _LAST_OF_TWO_BYTES else f"\\U{number:08X}"


def _written(expression: Expression) -> str:
    match expression:
        case Terminal(text):
            return f'"{"".join(map(escaped, text))}"'
        case CharacterClass(ranges):
            return f"[{''.join(_range(first, last) for first, last in ranges)}]"
        case Reference(rule):
            return rule
        case Concatenation(parts):
            return " ".join(map(_grouped, parts)) or '""'
        case Alternation(options):
            return " | ".join(map(_written, options))
        case Repeat(part, least, most):
            times = "?" if (least, most) == (0, 1) else f"{{{least},{most}}}"
            return f"{_grouped(part, repeated=True)}{times}"


def _range(first: str, last: str) -> str:
    return _in_class(first) if first == last else f"{_in_class(first)}-{_in_class(last)}"


def _grouped(part: Expression, *, repeated: bool = False) -> str:
    """The part in brackets if it would be ambiguous without."""
    inner = (Alternation, Concatenation, Repeat) if repeated else (Alternation, Concatenation)
    return f"({_written(part)})" if isinstance(part, inner) else _written(part)
