"""The servers of `make stores`, and how a graph gets into one (SPARQL 1.1 Graph Store Protocol, PUT)."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import (
    HTTPDigestAuthHandler,
    HTTPPasswordMgrWithDefaultRealm,
    Request,
    parse_http_list,
    parse_keqv_list,
    urlopen,
)

import pyoxigraph as ox
from pydantic import SecretStr

from connectors import Auth, BasicAuth, DigestAuth, HttpEndpoint, NoAuth

ENDPOINTS = Path(__file__).parents[1] / ".stores" / "endpoints.json"
LOAD_SECONDS = 60

Term = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple


@dataclass(frozen=True, slots=True)
class Server:
    """One running store: its name in `endpoints.json`, and its dialect."""

    name: str
    query: str
    load: str
    graph_parameter: str
    quads: str = ""
    auth: str = "none"
    user: str = ""
    password: str = field(default="", repr=False)
    load_user: str = ""
    load_password: str = field(default="", repr=False)
    dialect: str = "sparql11"

    @property
    def login(self) -> Auth:
        """The authentication of queries."""
        kinds = {"basic": BasicAuth, "digest": DigestAuth}
        return kinds[self.auth](self.user, self.password) if self.auth in kinds else NoAuth()

    @property
    def settings(self) -> Mapping[str, object]:
        """The same, as an endpoint's `auth` has it."""
        if self.auth == "none":
            return {}
        return {"type": self.auth, "user": self.user, "password": SecretStr(self.password)}

    def source(self, triples: bytes) -> dict[str, object]:
        """The keys of an endpoint that sees these N-Triples alone, loaded where they are not there."""
        self.holding(triples)
        return {
            "url": self.query,
            "auth": self.settings,
            "default_graphs": [graph_of(triples)],
            "dialect": self.dialect,
        }

    def endpoint(self, graph: str, named_graphs: Sequence[str] = ()) -> HttpEndpoint:
        """A connector that sees one graph alone as the default graph, and these named ones."""
        return HttpEndpoint(
            self.query,
            auth=self.login,
            default_graphs=[graph],
            named_graphs=named_graphs,
            dialect=self.dialect,
        )

    def holding(self, triples: bytes, named_graphs: Sequence[str] = ()) -> HttpEndpoint:
        """A connector that sees these N-Triples alone, loaded where they are not there yet, and named graphs.

        Graphs are named after their content and never replaced: Oxigraph's scans pass over what was deleted,
        and are soon ten times slower.
        """
        endpoint = self.endpoint(graph_of(triples), named_graphs)
        if not endpoint.query("ASK { ?s ?p ?o }").boolean:
            self.put(graph_of(triples), triples)
        return endpoint

    def add(self, quads: bytes) -> None:
        """Add N-Quads, where the store takes any (`quads` says where); raises HTTPError."""
        request = Request(self.quads, quads, {"Content-Type": "application/n-quads"})
        self._sign(request)
        urlopen(request, timeout=LOAD_SECONDS).close()

    def put(self, graph: str, triples: bytes) -> None:
        """Make a named graph of these N-Triples; raises HTTPError, which is closed."""
        url = f"{self.load}?{self.graph_parameter}={quote(graph, safe='')}"
        request = Request(url, triples, {"Content-Type": "text/turtle"}, method="PUT")
        self._sign(request)
        try:
            with urlopen(request, timeout=LOAD_SECONDS) as response:
                assert response.status in (200, 201, 204)
        except HTTPError as refused:
            refused.close()
            raise

    def _sign(self, request: Request) -> None:
        if self.auth == "basic":
            signature = self.login.headers(request.full_url)["Authorization"]
            request.add_unredirected_header("Authorization", signature)
        elif self.auth == "digest":
            request.add_unredirected_header("Authorization", self._digest(request))

    def _digest(self, request: Request) -> str:
        """The answer to a challenge asked for beforehand: Virtuoso hangs up while a refused body is sent."""
        passwords = HTTPPasswordMgrWithDefaultRealm()
        user, password = self.load_user or self.user, self.load_password or self.password
        passwords.add_password(None, self.load, user, password)
        try:
            urlopen(request.full_url, timeout=LOAD_SECONDS).close()
        except HTTPError as refused:
            _, _, challenge = refused.headers["WWW-Authenticate"].partition(" ")
            refused.close()
        else:
            raise AssertionError(f"{self.name} accepts a request that should need a password")
        handler = HTTPDigestAuthHandler(passwords)
        return f"Digest {handler.get_authorization(request, parse_keqv_list(parse_http_list(challenge)))}"


def graph_of(triples: bytes) -> str:
    """The IRI of the named graph with this content."""
    return f"http://stores.example/{hashlib.sha256(triples).hexdigest()[:16]}"


def servers() -> Mapping[str, Server]:
    """The stores that `endpoints.json` names; FileNotFoundError where none was started."""
    known = Server.__dataclass_fields__
    entries = json.loads(ENDPOINTS.read_text(encoding="utf-8"))
    return {
        name: Server(name, **{"dialect": name, **{k: value for k, value in entry.items() if k in known}})
        for name, entry in entries.items()
    }


def triples_of_files(files: Iterable[Path]) -> bytes:
    """Turtle files, perhaps compressed, as N-Triples; blank nodes of different files stay apart."""
    triples: list[ox.Triple] = []
    for file in files:
        text = gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes()
        triples.extend(quad.triple for quad in ox.parse(text, ox.RdfFormat.TURTLE, rename_blank_nodes=True))
    return triples_of(triples)


def triples_of_store(store: ox.Store) -> bytes:
    """A store's default graph as N-Triples."""
    return triples_of([quad.triple for quad in store])


def triples_of(triples: Sequence[ox.Triple]) -> bytes:
    """N-Triples, blank nodes numbered in order: the parser names them anew each time."""
    numbered: dict[ox.BlankNode, ox.BlankNode] = {}

    def named(term: Term) -> Term:
        if not isinstance(term, ox.BlankNode):
            return term
        return numbered.setdefault(term, ox.BlankNode(f"b{len(numbered)}"))

    text = ox.serialize(
        (ox.Triple(named(t.subject), t.predicate, named(t.object)) for t in triples),  # type: ignore[arg-type]
        format=ox.RdfFormat.N_TRIPLES,
    )
    assert text is not None
    return text
