"""What shows things in the place of a name: neither a status nor anything else where they have labels."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.rooms import opened
from compilers.kopl.notations import read_program
from nlq_gateway.index.naming import NamingAttributes

SPACE = "http://store.example/"
HEAD = f"@prefix : <{SPACE}> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> ."
STATUSES = ("in use", "in use", "spare", "spare")


@pytest.mark.parametrize(
    ("facts", "shown"),
    [
        ('rdfs:label "LX-{n}" ; :remark "bought in lot {n}"', []),
        (':remark "bought in lot {n}"', ["remark"]),
        (':colour "{status}"', []),
        (':colour "{status}" ; :code "A{n}"', ["code"]),
    ],
    ids=["a code as label", "a text of its own", "a text that many share", "a code"],
)
def test_what_shows_a_thing_tells_it_from_others(tmp_path: Path, facts: str, shown: list[str]) -> None:
    lines = (
        f":LX-{n} a :Asset ; " + facts.format(n=n, status=status) + " ." for n, status in enumerate(STATUSES)
    )
    file = tmp_path / "store.ttl"
    file.write_text("\n".join((HEAD, *lines)), encoding="utf-8")
    with opened((str(file),)) as gateway:
        naming = NamingAttributes(gateway.endpoint(None).index)
        assert [one.iri.removeprefix(SPACE) for one in naming.attributes(SPACE + "Asset")] == shown


def test_titles_in_two_languages_are_labels_and_values(tmp_path: Path) -> None:
    file = tmp_path / "portal.ttl"
    file.write_text(
        f"{HEAD} @prefix dct: <http://purl.org/dc/terms/> .\n"
        ':d1 a :Dataset ; dct:title "Tree register"@en, "Baumkataster"@de .\n'
        ':d2 a :Dataset ; dct:title "Bike racks"@en, "Fahrradbügel"@de .\n',
        encoding="utf-8",
    )
    with opened((str(file),)) as gateway:
        for name in ("Tree register", "Baumkataster"):
            found = gateway.run(read_program(f"Find({name})->What()"))
            assert found.answer is not None
            assert found.answer.strings == ("Tree register",)
        titles = gateway.run(read_program("Find(Bike racks)->QueryAttr(title)"))
        assert titles.answer is not None
        assert sorted(titles.answer.strings) == ["Bike racks", "Fahrradbügel"]
