"""`nlq index`: building, listing versions, choosing one."""

from __future__ import annotations

from pathlib import Path

import yaml

from tests.cli.conftest import Nlq

GRAPH = """
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
<http://t.example/one> a <http://t.example/Thing> ; rdfs:label "one" .
"""


def test_versions_are_listed_and_chosen(nlq: Nlq, tmp_path: Path) -> None:
    (tmp_path / "things.ttl").write_text(GRAPH)
    file = tmp_path / "nlq.yaml"

    def configure(**index: object) -> None:
        values = {"id": "things", "data": ["things.ttl"], "index": {"folder": "versions", **index}}
        file.write_text(yaml.safe_dump({"endpoints": [values]}))

    configure()
    assert nlq("index", "--config", str(file)).returncode == 0
    configure(entities=7)
    done = nlq("index", "--config", str(file), "--versions")
    assert "does not fit: entities is 1000000, not 7" in done.stdout
    refused = nlq("index", "--config", str(file), "--use", "newest")
    assert refused.returncode == 1
    assert "no version newest that fits" in refused.stderr
    configure()
    chosen = nlq("index", "--config", str(file), "--use", "newest")
    assert chosen.returncode == 0
    assert chosen.stdout.splitlines()[1].startswith("* ")
