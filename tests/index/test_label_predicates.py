"""Which predicates name things, where none of the usual ones does, and how many things have names."""

from __future__ import annotations

from pathlib import Path

import pytest

from connectors.oxigraph import EmbeddedOxigraph
from nlq_gateway.index import (
    LabelFinding,
    LabelPreferences,
    find_label_predicates,
    label_coverage,
    told_naming,
)
from nlq_gateway.language.tables import listed

SPACE = "http://n.example/"
WANTED = LabelPreferences(naming_words=listed("naming_words"))


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
    assert (f"<{found}> for Pump" in told_naming(finding.naming)) == bool(found)


def test_configured_predicates_are_used_where_there_are_some(tmp_path: Path) -> None:
    store = holding(tmp_path, things(":nodeName") + ':t1 rdfs:label "one" .')
    finding = find_label_predicates(store, WANTED)
    assert (finding.predicates, finding.naming) == ((WANTED.predicates[0],), {})


def named(count: int, concept: str, facts: str) -> str:
    return "".join(f":{concept}{n} a :{concept} ; {facts.format(n=n)} .\n" for n in range(count))


@pytest.mark.parametrize(
    ("lines", "naming"),
    [
        (
            named(9, "Ship", ':shipName "ship {n}" ; :flag "f{n}"') + named(4, "Port", ':title "port {n}"'),
            {"Ship": "shipName", "Port": "title"},
        ),
        (named(4, "Port", ':name "a {n}" ; :title "b {n}" ; :portName "c {n}"'), {"Port": "name"}),
        (named(4, "Ships", ':ship "ship {n}" ; :flag "f{n}"'), {"Ships": "ship"}),
        (named(4, "Ships", ':ship "ship {n}" ; :name "s {n}"'), {"Ships": "name"}),
        (named(9, "Ship", ':ownerName "owner {n}"') + named(20, "Port", ":depth {n}"), {}),
        (named(9, "Ship", ':name "s {n}"') + named(9, "Crew", ':name "Jo" ; :rank "r{n}"'), {}),
        (named(9, "Ship", ':name "s {n}"') + named(9, "Crew", ':name "c {n}" ; rdfs:label "Jo {n}"'), {}),
        (
            named(9, "Ship", ':title "s {n}"') + named(9, "Crew", ':title "c {n}" ; :name "Jo {n}"'),
            {"Crew": "name"},
        ),
        (named(9, "Ship", ':name "s {n}"') + named(9, "Crew", 'rdfs:label "Jo {n}"'), {"Ship": "name"}),
        (named(9, "Crew", ':firstName "Jo {n}" ; :lastName "Lee {n}"'), {}),
        (named(9, "Crew", ':firstName "Jo {n}"'), {"Crew": "firstName"}),
    ],
    ids=[
        "each its own",
        "the best",
        "as its class",
        "name before class",
        "another's name",
        "no name there",
        "beside labels",
        "second",
        "mixed",
        "half a name",
        "one name",
    ],
)
def test_each_class_without_labels_has_its_own_name(
    tmp_path: Path, lines: str, naming: dict[str, str]
) -> None:
    finding = find_label_predicates(holding(tmp_path, lines), WANTED)
    expected = {SPACE + concept: SPACE + predicate for concept, predicate in naming.items()}
    assert finding.naming == expected
    assert set(expected.values()) <= set(finding.predicates)


def test_classes_are_labelled_whose_things_mostly_have_a_label(tmp_path: Path) -> None:
    """Also where the label is a code that the IRI has, too."""
    lines = named(9, "Asset", 'rdfs:label "Asset{n}" ; :status "in use"') + named(4, "Port", ':depth "{n}"')
    half = named(4, "Crew", ':rank "r{n}"') + ':Crew0 rdfs:label "Jo" .'
    finding = find_label_predicates(holding(tmp_path, lines + half), WANTED)
    assert finding.labelled == (SPACE + "Asset",)


def test_without_naming_words_no_attribute_names_things(tmp_path: Path) -> None:
    store = holding(tmp_path, things(":nodeName"))
    assert find_label_predicates(store, LabelPreferences(naming_words=())) == LabelFinding()


def test_coverage_is_the_share_of_members_with_a_label(tmp_path: Path) -> None:
    store = holding(tmp_path, things("rdfs:label", among=4) + ':Pump rdfs:label "pump" .')
    assert label_coverage(store, WANTED.predicates) == {SPACE + "Pump": 0.0, SPACE + "Valve": 0.5}
