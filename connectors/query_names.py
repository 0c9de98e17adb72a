"""The IRIs in a parsed query: prefixed names and relative references resolved, as far as they can be."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urljoin, urlsplit, urlunsplit

from rdflib.plugins.sparql.parserutils import CompValue
from rdflib.term import URIRef

_XSD = "http://www.w3.org/2001/XMLSchema#"
# The base of references in a query without BASE: the store's own address, which is no vendor's.
_UNKNOWN_BASE = "http://base.invalid/"
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_HIERARCHICAL = re.compile(r"(?i)https?://")


@dataclass(frozen=True, slots=True)
class Declarations:
    """The prologue. A prefix keeps every IRI declared for it: stores differ in which one wins."""

    bases: tuple[str, ...]
    prefixes: dict[str, tuple[str, ...]]

    @classmethod
    def of(cls, prologue: Any) -> Declarations:
        """The declarations of a parse tree."""
        bases: list[str] = []
        prefixes: dict[str, tuple[str, ...]] = {}
        for declaration in prologue:
            iri = str(declaration["iri"])
            if declaration.name == "PrefixDecl":
                prefix = declaration.get("prefix") or ""
                prefixes[prefix] = (*prefixes.get(prefix, ()), iri)
            else:
                bases.append(_joined(bases[-1], iri) if bases and not _SCHEME.match(iri) else iri)
        return cls(tuple(bases), prefixes)

    def names(self, node: Any) -> tuple[str, ...]:
        """The IRIs that a node may stand for as written; `prefix:` for an undeclared prefix."""
        if isinstance(node, URIRef):
            return (str(node),)
        if not is_node(node, "pname"):
            return ()
        prefix, local = node.get("prefix") or "", str(node.get("localname") or "").replace("\\", "")
        return tuple(namespace + local for namespace in self.prefixes.get(prefix, (_well_known(prefix),)))

    def declares(self, node: Any) -> bool:
        """True if a name needs no prefix or has one that the query declares."""
        return not is_node(node, "pname") or (node.get("prefix") or "") in self.prefixes

    def readings(self, name: str) -> frozenset[str]:
        """The IRI, and its forms in stores that resolve references and dot segments (RFC 3986, 5.2)."""
        if _SCHEME.match(name):
            return frozenset({name, _without_dots(name)})
        return frozenset({name, *(_joined(base, name) for base in (*self.bases, _UNKNOWN_BASE))})

    def absolute(self, name: str) -> str:
        """The IRI, resolved against the last BASE; unchanged without BASE."""
        return name if _SCHEME.match(name) or not self.bases else _joined(self.bases[-1], name)


def walk(root: Any) -> Iterator[Any]:
    """Every node of a parse tree, names and terms included."""
    pending = [root]
    while pending:
        node = pending.pop()
        yield node
        if isinstance(node, CompValue):
            pending.extend(node.values())
        elif not isinstance(node, str) and hasattr(node, "__iter__"):
            pending.extend(node)


def is_node(node: Any, name: str) -> bool:
    """True if a node of a parse tree is of this production."""
    return isinstance(node, CompValue) and node.name == name


def _well_known(prefix: str) -> str:
    """The IRI of a prefix that Virtuoso predeclares, so that its use is not always an error."""
    return _XSD if prefix == "xsd" else f"{prefix}:"


def _joined(base: str, reference: str) -> str:
    try:
        return urljoin(base, reference) if _HIERARCHICAL.match(base) else base + reference
    except ValueError:
        return base + reference


def _without_dots(name: str) -> str:
    if not _HIERARCHICAL.match(name):
        return name
    try:
        parts = urlsplit(name)
        return urljoin(f"{parts.scheme}://{parts.netloc}/", urlunsplit(("", "", *parts[2:])))
    except ValueError:
        return name
