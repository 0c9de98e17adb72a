"""A graph none of whose labels has a usual predicate: things are named by what looks like a name."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from compilers.kopl.functions import Kind
from compilers.kopl.notations import read_program
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.settings import Settings

GRAPH = "@prefix : <http://plant.example/> .\n" + "".join(
    f':n{n} a :Pump ; :nodeName "pump number {n}" ; :feeds :n{n + 1} .\n' for n in range(1, 9)
)


def test_what_a_thing_feeds_is_not_what_feeds_it(tmp_path: Path) -> None:
    file = tmp_path / "plant.ttl"
    file.write_text(GRAPH, encoding="utf-8")
    gateway = Pipeline(Settings.for_data([file]))
    try:
        gateway.endpoint(None).prepare()
        answer = gateway.ask(Ask("What does pump number 3 feed?")).answer
        assert answer is not None
        assert answer.strings == ("pump number 4",)
    finally:
        gateway.close()


def test_answers_name_things_by_it(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    file = tmp_path / "plant.ttl"
    file.write_text(GRAPH, encoding="utf-8")
    gateway = Pipeline(Settings.for_data([file]))
    try:
        with caplog.at_level(logging.WARNING):
            gateway.endpoint(None).prepare()
        assert "things without labels are named by <http://plant.example/nodeName> for Pump" in caplog.text
        answer = gateway.run(read_program("Find(pump number 3)->Relate(feeds, forward)->What()")).answer
        assert answer is not None
        assert answer.strings == ("pump number 4",)
        # What names things here is a property of theirs as well, which questions ask for by its own name.
        assert gateway.endpoint(None).index.item(Kind.ATTRIBUTE, "http://plant.example/nodeName") is not None
    finally:
        gateway.close()
