"""The character spans of a query that each step of its program comes from."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from compilers.grounded import GroundedProgram
from compilers.kopl.functions import Kind
from compilers.kopl.program import Step

Span = tuple[int, int]
NO_PREFIXES: Mapping[str, str] = {}

# Terminals of https://www.w3.org/TR/sparql11-query/#sparqlGrammar. Strings and IRIs come before
# comments, which begin with a sign that both may hold.
_TERMINALS = {
    "string": r'"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"' + r"|'''[\s\S]*?'''|'(?:\\.|[^'\\\n])*'",
    "iri": r'<[^<>"{}|^`\\\s]*>',
    "comment": r"#[^\n]*",
    "variable": r"[?$]\w+",
    "name": r"(?:[^\W\d_][\w.-]*)?:(?:\\.|[\w.%:-])*",
    "number": r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?",
    "word": r"[^\W\d_]\w*",
    "sign": r"\|\|",
}
_TERMINAL = re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _TERMINALS.items()))
_PREFIX = re.compile(r"(?i:PREFIX)\s+([^\s:]*):\s*<([^>]*)>")

# The keywords of steps without a name.
_KEYWORDS: Mapping[str, Sequence[str]] = {
    "Average": ("AVG",),
    "Count": ("COUNT",),
    "CountTable": ("COUNT",),
    "CountValues": ("COUNT",),
    "DistinctTable": ("DISTINCT", "REDUCED"),
    "Except": ("MINUS", "EXISTS", "!="),
    "ExceptTable": ("MINUS",),
    "Exists": ("ASK",),
    "FilterTable": ("HAVING",),
    "LimitTable": ("LIMIT",),
    "Maximum": ("MAX",),
    "Minimum": ("MIN",),
    "Or": ("UNION", "||", "IN", "VALUES"),
    "OrTable": ("UNION",),
    "Period": ("YEAR",),
    "Round": ("ROUND",),
    "SelectTop": ("ORDER", "LIMIT"),
    "SkipTable": ("OFFSET",),
    "SortTable": ("ORDER",),
    "Sum": ("SUM",),
    "Table": ("SELECT",),
    "What": ("SELECT",),
}
_STATED = (Kind.VALUE, Kind.ENTITY)


def origins(
    query: str, grounded: GroundedProgram, prefixes: Mapping[str, str] = NO_PREFIXES
) -> list[tuple[Span, ...]]:
    """Return for each step the character spans of its names, values and keywords in the query.

    Args:
        query: the text that `program_of` read.
        grounded: the program that it gave, before its IRIs were renamed.
        prefixes: namespaces by prefix, for those that the query does not declare.

    A name that occurs several times is shown at every place for each step that has it.
    """
    found: dict[str, list[Span]] = defaultdict(list)
    for key, span in _words(query, prefixes):
        found[key].append(span)
    return [
        tuple(dict.fromkeys(span for key in _keys(step, at, grounded) for span in found.get(key, ())))
        for at, step in enumerate(grounded.program.steps)
    ]


def _words(query: str, prefixes: Mapping[str, str]) -> Iterator[tuple[str, Span]]:
    """Each IRI, literal and keyword with its place."""
    declared = {**prefixes, **dict(_PREFIX.findall(query))}
    prologue = max((one.end() for one in _PREFIX.finditer(query)), default=0)
    for match in _TERMINAL.finditer(query, prologue):
        text = match[0]
        match match.lastgroup:
            case "iri":
                yield text, match.span()
            case "name":
                # A dot at the end is the triple's.
                text = text.rstrip(".")
                prefix, _, local = text.partition(":")
                iri = declared.get(prefix, "") + re.sub(r"\\(.)", r"\1", local)
                yield f"<{iri}>", (match.start(), match.start() + len(text))
            case "string":
                yield text.strip("\"'"), match.span()
            case "number":
                yield text, match.span()
            case "word" | "sign":
                yield f" {text.upper()}", match.span()


def _keys(step: Step, at: int, grounded: GroundedProgram) -> Iterator[str]:
    """The keys of a step's spans: IRIs in brackets, literals as they are, keywords behind a blank."""
    for argument, (text, parameter) in enumerate(zip(step.inputs, step.signature.parameters, strict=True)):
        if bound := grounded.binding(at, argument):
            yield from (f"<{iri}>" for iri in bound.iris)
        elif parameter.kind in _STATED:
            yield text
    yield from (f" {word}" for word in _KEYWORDS.get(step.function, ()))
