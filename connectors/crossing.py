"""A guess from a query's text if it forms a cross product, in a part of a millisecond."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from connectors.sparql_text import SparqlToken, UnclearText, significant, tokenize

_ENDS = frozenset("{}.")
_HEADS = frozenset({"SELECT", "VALUES", "ORDER", "GROUP"})


@dataclass(slots=True)
class _Scope:
    """The variables of some patterns, in disjoint sets; `depth` is that of the opening brace."""

    depth: int
    groups: list[set[str]] = field(default_factory=list)

    def connect(self, variables: set[str]) -> None:
        """Merge all sets that share a variable with these."""
        meeting = [group for group in self.groups if not group.isdisjoint(variables)]
        self.groups = [group for group in self.groups if group not in meeting]
        self.groups.append(variables.union(*meeting))


@lru_cache(maxsize=1024)
def may_cross(text: str) -> bool:
    """True if some triple patterns share no variable with the others, directly or through further patterns.

    Patterns of a known subject do not count, as they have few solutions; those of a SELECT of calculated
    values alone, which is one row, are connected only with each other. Filters and assignments connect
    nothing, so that some queries are flagged without a cross product.
    """
    try:
        tokens = significant(tokenize(text))
    except UnclearText:
        return True
    scopes, closed = [_Scope(0)], list[_Scope]()
    pattern: list[SparqlToken] = []
    braces = brackets = 0
    for token in tokens:
        brackets += (token.text == "(") - (token.text == ")")
        braces += (token.text == "{") - (token.text == "}")
        if token.text not in _ENDS:
            pattern += [] if brackets else [token]
            continue
        if variables := _variables(pattern):
            scopes[-1].connect(variables)
        if token.text == "{" and _is_one_row(pattern):
            scopes.append(_Scope(braces))
        elif token.text == "}" and braces < scopes[-1].depth:
            closed.append(scopes.pop())
        pattern = []
    return any(len(scope.groups) > 1 for scope in (*scopes, *closed))


def _variables(pattern: list[SparqlToken]) -> set[str]:
    """The variables of triple patterns with a variable subject."""
    terms = [token for token in pattern if token.kind in ("variable", "iri", "name")]
    if not terms or terms[0].kind != "variable" or not _words(pattern).isdisjoint(_HEADS):
        return set()
    return {token.text[1:] for token in terms if token.kind == "variable"}


def _is_one_row(pattern: list[SparqlToken]) -> bool:
    return "SELECT" in _words(pattern) and not any(
        token.kind == "variable" or token.text == "*" for token in pattern
    )


def _words(pattern: list[SparqlToken]) -> set[str]:
    return {token.text.upper() for token in pattern if token.kind == "word"}
