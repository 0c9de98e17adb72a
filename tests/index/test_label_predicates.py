"""Which predicates name things, where none of the usual ones does, and how many things have names."""

from __future__ import annotations

from pathlib import Path

import pytest

from connectors.oxigraph import EmbeddedOxigraph
from nlq_gateway.index import LabelPreferences, find_label_predicates, label_coverage

SPACE = "http://n.example/"
WANTED = LabelPreferences().predicates


def holding(folder: Path, lines: str) -> EmbeddedOxigraph:
    file = folder / "graph.ttl"
    file.write_text(
        f"@prefix : <{SPACE}> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        f"@prefix dc: <http://purl.org/dc/elements/1.1/> .\n{lines}",
        encoding="utf-8",
    )
    return EmbeddedOxigraph.in_memory([file])


def things(predicate: str, text: str = "thing number {n}", among: int = 1, more: str = "") -> str:
    """Twenty members of two classes, of which one in `among` has a name."""
    lines = []
    for n in range(20):
        name = f'{predicate} "{text.format(n=n)}" ;' if n % among == 0 else ""
        lines.append(f':t{n} a :{"Pump" if n % 2 else "Valve"} ; {name} :size {n} ; :state "open" {more} .\n')
    return "".join(lines)


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (things(":nodeName"), SPACE + "nodeName"),
        (things("dc:title"), "http://purl.org/dc/elements/1.1/title"),
        (things(":Bezeichnung"), SPACE + "Bezeichnung"),
        (things(":nodeName", among=3), ""),
        (things(":nodeName", text="same"), ""),
        (things(":remark"), ""),
        (things(":title", text="word " * 30 + "{n}"), ""),
        (things(":name", more=', "x1" , "x2" ; :name "another"'), ""),
    ],
    ids=["name", "title", "german", "few", "same", "no name", "long", "several"],
)
def test_a_predicate_that_looks_like_a_name_is_taken_for_one(tmp_path: Path, lines: str, found: str) -> None:
    finding = find_label_predicates(holding(tmp_path, lines), WANTED)
    assert finding.predicates == ((found,) if found else ())
    assert (f"<{found}> is taken for one" in finding.warning) == bool(found)


def test_configured_predicates_are_used_where_there_are_some(tmp_path: Path) -> None:
    store = holding(tmp_path, things(":nodeName") + ':t1 rdfs:label "one" .')
    finding = find_label_predicates(store, WANTED)
    assert (finding.predicates, finding.warning) == ((WANTED[0],), "")


def test_coverage_is_the_share_of_members_with_a_label(tmp_path: Path) -> None:
    store = holding(tmp_path, things("rdfs:label", among=4) + ':Pump rdfs:label "pump" .')
    assert label_coverage(store, WANTED) == {SPACE + "Pump": 0.0, SPACE + "Valve": 0.5}
