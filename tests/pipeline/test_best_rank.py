"""The configuration says whether statements of a Wikibase need the best rank to be answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from compilers.kopl.notations import read_program
from nlq_gateway.answering import Pipeline
from nlq_gateway.settings import load
from tests.compiler.test_wikidata_rules import TURTLE

SPOUSES = "Find(<http://www.wikidata.org/entity/Q1>)->Relate(spouse, forward)->What()"
CONFIGURATION = """
endpoints:
  - id: people
    data: [people.ttl]
    layout: wikidata
    {best_rank}
"""


@pytest.mark.parametrize(
    ("best_rank", "answers"),
    [("", {"Bo", "Cyd"}), ("best_rank: false", {"Bo", "Cyd"}), ("best_rank: true", {"Cyd"})],
)
def test_only_the_best_rank_is_found_where_the_configuration_says_so(
    tmp_path: Path, best_rank: str, answers: set[str]
) -> None:
    (tmp_path / "people.ttl").write_text(TURTLE, encoding="utf-8")
    file = tmp_path / "nlq.yaml"
    file.write_text(CONFIGURATION.format(best_rank=best_rank), encoding="utf-8")
    gateway = Pipeline(load(file, {}))
    gateway.endpoint(None).prepare()
    try:
        trace = gateway.run(read_program(SPOUSES))
    finally:
        gateway.close()
    assert trace.answer is not None
    assert set(trace.answer.strings) == answers
