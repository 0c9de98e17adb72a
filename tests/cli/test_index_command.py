"""`nlq index`: building, listing versions, choosing one."""

from __future__ import annotations

from pathlib import Path

import yaml

from tests.cli.conftest import Nlq

GRAPH = """
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
<http://t.example/one> a <http://t.example/Thing> ; rdfs:label "one" .
"""


def test_a_fresh_index_is_built_beside_one_that_would_do(nlq: Nlq, tmp_path: Path) -> None:
    data = tmp_path / "things.ttl"
    data.write_text(GRAPH)

    def version(*flags: str, builds: bool = False) -> str:
        done = nlq("index", "--data", str(data), *flags)
        lines = done.stdout.splitlines()
        assert ("entity vectors 1 of 1" in done.stderr) is builds
        return next(line.split()[-1] for line in lines if line.split()[0] == "version")

    first = version(builds=True)
    assert version() == first
    fresh = version("--fresh", builds=True)
    assert fresh > first
    assert version() == fresh


def test_a_gateway_that_builds_none_builds_no_fresh_one(nlq: Nlq, tmp_path: Path) -> None:
    (tmp_path / "things.ttl").write_text(GRAPH)
    file = tmp_path / "nlq.yaml"
    values = {"id": "things", "data": ["things.ttl"], "index": {"folder": "versions", "build": False}}
    file.write_text(yaml.safe_dump({"endpoints": [values]}))
    done = nlq("index", "--config", str(file), "--fresh")
    assert (done.returncode, done.stdout) == (2, "")
    assert "`index.build: false`" in done.stderr
    assert nlq("index", "--config", str(file), "--fresh", "--versions").returncode == 2


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
