"""Graphs that an endpoint is set to, and hosts that SERVICE may name."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from nlq_gateway.settings import SAMPLE, EndpointSettings

STORE = {"id": "kg", "url": "https://kg.example.org/sparql"}


def endpoint(**keys: Any) -> EndpointSettings:
    return EndpointSettings.model_validate({**STORE, **keys})


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("kg.example.org", "kg.example.org"),
        ("KG.example.org:8080", "kg.example.org:8080"),
        ("localhost", "localhost"),
        ("127.0.0.1:80", "127.0.0.1:80"),
        ("[::1]:8080", "[::1]:8080"),
        ("[FE80::1]", "[fe80::1]"),
        ("h", "h"),
    ],
)
def test_a_service_is_a_host_perhaps_with_a_port(written: str, kept: str) -> None:
    assert endpoint(services=[written]).services == (kept,)


@pytest.mark.parametrize(
    "written",
    [
        *("", "*", "*.example.org", "https://kg.example.org", "kg.example.org/sparql", "me@kg.example.org"),
        *(
            "kg.example.org:",
            "kg.example.org:0",
            "kg.example.org:65536",
            "kg.example.org:http",
            "::1",
            "[::1",
        ),
        *("kg example", "kg.example.org\n", ".example.org", "example.org.", "-a", "kg_example"),
    ],
)
def test_anything_else_is_refused(written: str) -> None:
    with pytest.raises(ValidationError, match="is no host: write"):
        endpoint(services=[written])


@pytest.mark.parametrize("key", ["default_graphs", "named_graphs"])
@pytest.mark.parametrize("graph", ["", "data", "//kg.example.org/", "http://kg.example.org/ a"])
def test_a_graph_is_an_absolute_iri(key: str, graph: str) -> None:
    assert getattr(endpoint(**{key: ["urn:a:b"]}), key) == ("urn:a:b",)
    with pytest.raises(ValidationError, match="is no IRI"):
        endpoint(**{key: [graph]})


def test_functions_are_iris_or_namespaces() -> None:
    written = ["http://www.opengis.net/def/function/geosparql/", "<bif:contains>", "xsd:token"]
    kept = (written[0], "bif:contains", "http://www.w3.org/2001/XMLSchema#token")
    assert endpoint(functions=written).functions == kept
    assert endpoint().functions == ()


@pytest.mark.parametrize(
    "space",
    [
        "http://jena.apache.org/text#",
        "http://www.bigdata.com/",
        "http://www.ontotext.com/x/",
    ],
)
def test_a_vendors_namespace_is_not_allowed_as_a_whole(space: str) -> None:
    with pytest.raises(ValidationError, match="name each function of it"):
        endpoint(functions=[space])


@pytest.mark.parametrize("key", ["default_graphs", "named_graphs", "services"])
def test_files_have_neither(key: str) -> None:
    with pytest.raises(ValidationError, match="this belongs to a store with a `url`"):
        EndpointSettings.model_validate(
            {"id": "kg", "data": [SAMPLE], key: ["urn:a"] if "g" in key else ["h"]}
        )


def test_facts_in_graphs_of_their_own_are_named_where_graphs_are() -> None:
    keys: dict[str, Any] = {"layout": "graph_per_fact", "default_graphs": ["urn:a"]}
    with pytest.raises(ValidationError, match="`default_graphs` alone shows none: list these under"):
        endpoint(**keys)
    assert endpoint(**keys, named_graphs=["urn:b"]).named_graphs == ("urn:b",)
    assert endpoint(layout="graph_per_fact").default_graphs == ()
