"""A guess from a query's text if it forms a cross product, in a part of a millisecond."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from connectors.sparql_text import UnclearText, pieces

_Piece = tuple[str, str]

_ENDS = frozenset("{}.")
_TERMS = frozenset({"variable", "iri", "name"})
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
        return any(len(scope.groups) > 1 for scope in _scopes(text))
    except UnclearText:
        return True


def _scopes(text: str) -> list[_Scope]:
    """The scopes of a query; raises UnclearText."""
    scopes, closed = [_Scope(0)], list[_Scope]()
    pattern: list[_Piece] = []
    braces = brackets = 0
    for kind, piece in pieces(text):
        if piece in "()":
            brackets += 1 if piece == "(" else -1
        elif piece not in _ENDS:
            if not brackets:
                pattern.append((kind, piece))
        else:
            braces += (piece == "{") - (piece == "}")
            if variables := _variables(pattern):
                scopes[-1].connect(variables)
            if piece == "{" and _is_one_row(pattern):
                scopes.append(_Scope(braces))
            elif piece == "}" and braces < scopes[-1].depth:
                closed.append(scopes.pop())
            pattern = []
    return [*scopes, *closed]


def _variables(pattern: list[_Piece]) -> set[str]:
    """The variables of triple patterns with a variable subject."""
    first = next((kind for kind, _ in pattern if kind in _TERMS), "")
    if first != "variable" or not _words(pattern).isdisjoint(_HEADS):
        return set()
    return {piece[1:] for kind, piece in pattern if kind == "variable"}


def _is_one_row(pattern: list[_Piece]) -> bool:
    return "SELECT" in _words(pattern) and not any(
        kind == "variable" or piece == "*" for kind, piece in pattern
    )


def _words(pattern: list[_Piece]) -> set[str]:
    return {piece.upper() for kind, piece in pattern if kind == "word"}
