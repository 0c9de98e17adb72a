"""The RDF dataset that a query sees, as the protocol names it (SPARQL 1.1 Protocol, 2.1.4)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from connectors.sparql_text import SparqlToken, tokenize

# Named where no graph may be.
NO_GRAPH = "urn:nlq-gateway:no-graph"
# Virtuoso, and stores that may be.
_OPEN_GRAPHS = ("virtuoso", "sparql11")
_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`\x00-\x20\x7f]+")


@dataclass(frozen=True, slots=True)
class Dataset:
    """The graphs that a query sees; the store's own choice where there are none."""

    default_graphs: Sequence[str] = ()
    named_graphs: Sequence[str] = ()

    @property
    def graphs(self) -> tuple[str, ...]:
        """All of them."""
        return (*self.default_graphs, *self.named_graphs)


def is_iri(text: str) -> bool:
    """Whether the text is an absolute IRI that may stand between angle brackets."""
    return _IRI.fullmatch(text) is not None


def misreads_graphs(dialect: str) -> bool:
    """Whether a store of this dialect is, or may be, one that reads GRAPH in ways of its own.

    Virtuoso 7 lets GRAPH reach every graph where none is named, and takes a graph that is not named for a
    pattern that holds: `ASK { GRAPH <http://nowhere/> { ?s ?p ?o } }` is true, and so is its EXISTS.
    """
    return dialect in _OPEN_GRAPHS


def closed(dataset: Dataset, dialect: str) -> Dataset:
    """The dataset as a store of this dialect has to be told it, so that it shows no graph besides."""
    if not misreads_graphs(dialect) or not dataset.default_graphs or dataset.named_graphs:
        return dataset
    return Dataset(dataset.default_graphs, (NO_GRAPH,))


def without_dataset_clauses(text: str) -> str:
    """A query that parses, with blanks in the place of FROM and FROM NAMED; lines and columns stay.

    The protocol's dataset takes the place of the query's (2.1.4), but Virtuoso adds the two up.
    """
    tokens = list(tokenize(text))
    pending = False
    for position, token in enumerate(tokens):
        word = token.text.upper() if token.kind == "word" else ""
        if word == "FROM" or (pending and (word == "NAMED" or token.kind in ("iri", "name"))):
            tokens[position] = SparqlToken("space", " " * len(token.text))
            pending = bool(word)
    return "".join(token.text for token in tokens)
