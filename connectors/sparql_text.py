"""SPARQL text cut into tokens, so that keywords in strings are ignored, and none hides in an escape.

Stores disagree about corner cases of the lexical grammar (https://www.w3.org/TR/sparql11-query/#grammar).
Text that two stores could cut at different places is refused: `UnclearText`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Literal

TokenKind = Literal[
    "string", "iri", "comment", "variable", "language", "name", "number", "word", "sign", "space"
]


@dataclass(frozen=True, slots=True)
class SparqlToken:
    """A piece of query text; the texts of all tokens in order are the whole text."""

    kind: TokenKind
    text: str


class UnclearText(ValueError):
    """The text has no tokens, or different ones for some stores. The message has the place and the reason."""


# Looked for from each word on: without an end, a text of words and dots would take quadratic time.
_LONGEST_PREFIX = 250
_QUOTED = r"""\\ (?: [tbnrf"'\\] | u[0-9A-Fa-f]{4} | U[0-9A-Fa-f]{8} )"""
_TOKEN = re.compile(
    rf"""
      (?P<space>   [\x20\t\r\n]+ )
    | (?P<variable> [?$] \w+ )
    | (?P<string>  \"{{3}} (?: \"{{0,2}} (?: [^"\\] | {_QUOTED} ) )* \"{{3}}
                 | '{{3}}  (?: '{{0,2}}  (?: [^'\\] | {_QUOTED} ) )* '{{3}}
                 | " (?!"") (?: [^"\\\n\r] | {_QUOTED} )* "
                 | ' (?!'') (?: [^'\\\n\r] | {_QUOTED} )* ' )
    | (?P<iri>     < [^<>"{{}}|^`\\\x00-\x20]* > )
    | (?P<comment> \# [^\n]* )
    | (?P<language> @ [A-Za-z]+ (?: - [A-Za-z0-9]+ )* )
    | (?P<name>    (?: \w [\w.\-]{{0,{_LONGEST_PREFIX}}}+ )? :
                   (?: [\w:%\-] | \.(?=[\w:%.\\\-]) | \\[_~.\-!$&()*+,;=/?@%] )* )
    | (?P<number>  (?: \d+ (?: \.\d+ )? | \.\d+ ) (?: [eE][+\-]?\d+ )? )
    | (?P<word>    [^\W\d] \w* )
    | (?P<sign>    <<\( | \)>> | << | >> | \{{\| | \|\}} | [^\w\s"'\\] )
    """,
    re.VERBOSE,
)
_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
_ESCAPE_NOT_QUOTED = re.compile(rf"(?:\\\\)|{_ESCAPE.pattern}")
# Signs that start or end a string, an IRI or a comment: some stores decode them before they read strings.
_STRUCTURAL = frozenset("\"'\\#<>{} ")
_UNPRINTED = frozenset({"Cc", "Cs"})
# A parser that reads `<` as "less than" would find a string or a comment here; no such text has `://`.
_AMBIGUOUS = re.compile("[#']")
_HIERARCHICAL = re.compile(r"<[A-Za-z][A-Za-z0-9+.-]*://")


def tokenize(text: str) -> tuple[SparqlToken, ...]:
    """All tokens of a query, spaces and comments included, code point escapes decoded outside of strings.

    Raises:
        UnclearText: a character that starts no token, an unfinished string, an escape of a character that
            could end a string, a comment with a carriage return inside, or an IRI that could be a comparison.
    """
    return tuple(_tokens(text))


def _tokens(text: str) -> Iterator[SparqlToken]:
    """Yield the tokens of `tokenize`."""
    decoded = _decode(text)
    for match in _matches(decoded):
        token = SparqlToken(match.lastgroup, match.group())  # type: ignore[arg-type]
        _require_clear(token, decoded, match.start())
        yield token


def pieces(text: str) -> Iterator[tuple[str, str]]:
    """The kind and text of each token but spaces and comments, without the checks of a client's query.

    Raises UnclearText for a character that starts no token, and for an escape that could end a string.
    """
    for match in _matches(_decode(text)):
        if match.lastgroup not in ("space", "comment"):
            yield match.lastgroup or "", match.group()


def _matches(decoded: str) -> Iterator[re.Match[str]]:
    """The tokens one behind another; raises UnclearText where a character starts none."""
    end = 0
    for match in _TOKEN.finditer(decoded):
        if match.start() != end:
            break
        end = match.end()
        yield match
    if end != len(decoded):
        raise UnclearText(f"unexpected character {decoded[end]!r} at {_place(decoded, end)}")


def significant(tokens: Iterable[SparqlToken]) -> tuple[SparqlToken, ...]:
    """The tokens that are neither space nor comment."""
    return tuple(token for token in tokens if token.kind not in ("space", "comment"))


def skeleton(tokens: Iterable[SparqlToken]) -> str:
    """The query with comments and strings blanked, and every number a whole one; lines and columns stay."""
    return "".join(_blank(token) for token in tokens)


def prologue_length(tokens: Sequence[SparqlToken]) -> int:
    """The number of significant tokens in PREFIX, BASE and VERSION declarations."""
    lengths = {"PREFIX": 3, "BASE": 2, "VERSION": 2}
    position = 0
    while position < len(tokens) and (length := lengths.get(tokens[position].text.upper())):
        position += length
    return position


def calls_service(text: str) -> bool:
    """True if the word SERVICE is in the text outside of strings, comments and names.

    Also true for text that cannot be cut into tokens but mentions it. Takes microseconds for text without it.
    """
    if "\\" not in text and "service" not in text.lower():
        return False
    try:
        return any(token.kind == "word" and token.text.upper() == "SERVICE" for token in tokenize(text))
    except UnclearText:
        return True


def structural(tokens: Iterable[SparqlToken]) -> int:
    """The number of tokens that are words, variables or signs, which bounds the parser's recursion."""
    return sum(token.kind in ("word", "variable", "sign") for token in tokens)


def outer_limit(text: str) -> int | None:
    """The LIMIT after the last closing brace, or None where there is none or the text is unclear."""
    try:
        tokens = significant(tokenize(text))
    except UnclearText:
        return None
    last_brace = max((i for i, token in enumerate(tokens) if token.text == "}"), default=-1)
    for word, number in zip(tokens[last_brace + 1 :], tokens[last_brace + 2 :], strict=False):
        if word.text.upper() == "LIMIT" and number.text.isdecimal():
            return int(number.text)
    return None


def selected(text: str) -> frozenset[str] | None:
    """The variables of the outer SELECT; None for `SELECT *`, for other forms and for unclear text.

    The text behind them is not read.
    """
    try:
        head = list(takewhile(lambda token: token.text != "{", _tokens(text)))
    except UnclearText:
        return None
    tokens = significant(head)
    words = [token.text.upper() if token.kind == "word" else token.text for token in tokens]
    start = next((at for at in range(prologue_length(tokens), len(words)) if words[at] == "SELECT"), None)
    # An expression with a group in it, as of EXISTS, leaves a bracket open.
    if start is None or "*" in words[start + 1 : start + 3] or words.count("(") != words.count(")"):
        return None
    depth, names = 0, set[str]()
    for before, word, token in zip(words[start:], words[start + 1 :], tokens[start + 1 :], strict=False):
        depth += (word == "(") - (word == ")")
        if token.kind == "variable" and (depth == 0 or before == "AS"):
            names.add(word[1:])
    return frozenset(names)


def _decode(text: str) -> str:
    for match in _ESCAPE.finditer(text):
        _require_harmless(match, text)
    return _ESCAPE_NOT_QUOTED.sub(lambda m: m.group() if m.group() == "\\\\" else _character(m), text)


def _character(match: re.Match[str]) -> str:
    return chr(int(match.group(1) or match.group(2), 16))


def _require_harmless(match: re.Match[str], text: str) -> None:
    code = int(match.group(1) or match.group(2), 16)
    if code > 0x10FFFF or chr(code) in _STRUCTURAL or unicodedata.category(chr(code)) in _UNPRINTED:
        raise UnclearText(
            f"the escape {match.group()} at {_place(text, match.start())}: stores disagree if it ends a"
            f" string; write the character itself, or its short escape"
        )


def _require_clear(token: SparqlToken, text: str, position: int) -> None:
    if token.kind == "comment" and "\r" in token.text.removesuffix("\r"):
        raise UnclearText(f"a carriage return inside the comment at {_place(text, position)}")
    if token.kind == "iri" and _AMBIGUOUS.search(token.text) and not _HIERARCHICAL.match(token.text):
        raise UnclearText(
            f"{token.text:.80} at {_place(text, position)} could be an IRI or a comparison: write it with"
            f" its scheme and //, or with a prefix"
        )


def _blank(token: SparqlToken) -> str:
    if token.kind == "comment":
        return " " * len(token.text)
    if token.kind == "number":
        return "1" * len(token.text)
    if token.kind != "string":
        return token.text
    quotes = token.text[:3] if token.text[:3] in ('"""', "'''") else token.text[:1]
    inside = token.text[len(quotes) : -len(quotes)]
    return quotes + re.sub(r"[^\n]", " ", inside) + quotes


def _place(text: str, position: int) -> str:
    line = text.count("\n", 0, position) + 1
    return f"line {line}, column {position - text.rfind(chr(10), 0, position)}"
