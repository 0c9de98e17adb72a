"""The shape of a query and the constants in it, by two readers that share no code with the compiler.

`tokens` cuts the text by the terminals of https://www.w3.org/TR/sparql11-query/#sparqlGrammar; `parsed` asks
rdflib. Both give one list: constants, variables numbered in the order in which they appear, and the rest as
it stands. Comments are no part of it, and prefixed names stand for their IRIs.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pyparsing
from rdflib import Literal, URIRef
from rdflib import Variable as RdflibVariable
from rdflib.plugins.sparql.algebra import translatePName, translatePrologue, traverse
from rdflib.plugins.sparql.parser import parseQuery
from rdflib.plugins.sparql.parserutils import CompValue

from compilers.layouts.vocabulary import RDF, XSD


@dataclass(frozen=True, slots=True)
class Constant:
    """An IRI (`datatype` is None) or a literal; numbers are compared by value."""

    text: str
    datatype: str | None = None
    language: str = ""


@dataclass(frozen=True, slots=True)
class Numbered:
    """A variable, by its place among the variables."""

    number: int


Part = Constant | Numbered | str

_TOKEN = re.compile(
    r"""(?P<blank>[\x20\t\r\n]+|\#[^\r\n]*)
    |(?P<iri><[^<>"{}|^`\\\x00-\x20]*>)
    |(?P<string>"(?:[^"\\\n\r]|\\.)*")(?:@(?P<language>[A-Za-z]+(?:-[A-Za-z0-9]+)*)|\^\^(?P<datatype><[^>]*>|[\w-]*:[\w-]*))?
    |(?P<variable>[?$]\w+)
    |(?P<number>[+-]?(?:[0-9]+(?:\.[0-9]+)?)(?![\w.]))
    |(?P<name>[A-Za-z][\w-]*:[\w-]*)
    |(?P<word>[A-Za-z]+)
    |(?P<sign>\^\^|&&|\|\||!=|<=|>=|<<\(?|\)?>>|\{\||\|\}|.)""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f"}


def tokens(text: str) -> list[Part]:
    """The parts of the query as its terminals stand in the text."""
    prefixes: dict[str, str] = {}
    found = [token for token in _TOKEN.finditer(text) if token.lastgroup != "blank"]
    while found and found[0].group() == "PREFIX":
        prefixes[found[1].group()] = found[2].group()[1:-1]
        del found[:3]
    numbers: dict[str, int] = {}
    return [_part(token, prefixes, numbers) for token in found]


def _part(token: re.Match[str], prefixes: dict[str, str], numbers: dict[str, int]) -> Part:
    text = token.group()
    if token["variable"]:
        return Numbered(numbers.setdefault(text, len(numbers)))
    if token["number"]:
        return Constant(text, XSD + ("decimal" if "." in text else "integer"))
    if token["string"]:
        datatype = _resolved(token["datatype"], prefixes) if token["datatype"] else XSD + "string"
        return Constant(_unescaped(token["string"][1:-1]), datatype, (token["language"] or "").lower())
    if token["iri"] or token["name"]:
        return Constant(_resolved(text, prefixes))
    return Constant(RDF + "type") if text == "a" else text


def _resolved(text: str, prefixes: dict[str, str]) -> str:
    if text.startswith("<"):
        return text[1:-1]
    prefix, _, local = text.partition(":")
    return prefixes[f"{prefix}:"] + local


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(
        lambda m: chr(int(m[1] or m[2], 16)) if m[1] or m[2] else _ESCAPED.get(m[3], m[3]), text
    )


def parsed(text: str) -> list[Part] | None:
    """The parts of rdflib's parse tree, in its order; None where rdflib does not know the syntax."""
    try:
        prologue, query = parseQuery(text)
    except pyparsing.ParseException:
        return None
    known = translatePrologue(prologue, None)
    tree = traverse(query, visitPost=functools.partial(translatePName, prologue=known))
    return list(_parts(tree, {}))


def _parts(node: Any, numbers: dict[str, int]) -> Iterator[Part]:
    match node:
        case RdflibVariable():
            yield Numbered(numbers.setdefault(str(node), len(numbers)))
        case URIRef():
            yield Constant(str(node))
        case Literal():
            datatype = str(node.datatype or XSD + "string")
            yield Constant(str(node), datatype, (node.language or "").lower())
        case CompValue(name="UnaryMinus", expr=Literal() as number):
            # rdflib reads the sign of a number as an operator; the grammar has it in the number.
            yield Constant(f"-{number}", str(number.datatype))
        case dict():
            yield f"{getattr(node, 'name', '')}("
            for key, value in node.items():
                yield f"{key}:"
                yield from _parts(value, numbers)
            yield ")"
        case str():
            yield str(node)
        case None:
            return
        case _:
            yield "["
            for item in node:
                yield from _parts(item, numbers)
            yield "]"
