"""The RDF dataset that a query sees, as the protocol names it (SPARQL 1.1 Protocol, 2.1.4)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from connectors.sparql_text import SparqlToken, tokenize

# A graph that does not exist, for a dataset without graphs.
NO_GRAPH = "urn:nlq-gateway:no-graph"
# Virtuoso, and unknown stores, which may be Virtuoso.
_OPEN_GRAPHS = ("virtuoso", "sparql11")
_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`\x00-\x20\x7f]+")


@dataclass(frozen=True, slots=True)
class Dataset:
    """The graphs that a query sees; the store's own choice if there are none."""

    default_graphs: Sequence[str] = ()
    named_graphs: Sequence[str] = ()

    @property
    def graphs(self) -> tuple[str, ...]:
        """All graphs of the dataset."""
        return (*self.default_graphs, *self.named_graphs)


def is_iri(text: str) -> bool:
    """True if the text is an absolute IRI that may stand between angle brackets."""
    return _IRI.fullmatch(text) is not None


def misreads_graphs(dialect: str) -> bool:
    """True if a store of this dialect may deviate from SPARQL in its reading of GRAPH.

    Virtuoso 7 lets GRAPH reach every graph if none is named, and matches a graph outside the dataset with
    every pattern: `ASK { GRAPH <http://nowhere/> { ?s ?p ?o } }` is true, and so is its EXISTS.
    """
    return dialect in _OPEN_GRAPHS


def closed(dataset: Dataset, dialect: str) -> Dataset:
    """The dataset in the form for a store of this dialect, so that the store shows no further graph."""
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
