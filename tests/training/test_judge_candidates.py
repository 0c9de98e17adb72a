"""The judge's training data: candidates of all sources, and right programs made of gold queries."""

from __future__ import annotations

from pathlib import Path

import pytest

from training.judging.collect import Collecting, parts

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


@pytest.mark.data
@pytest.mark.skipif(not DATA.is_dir(), reason="the benchmark data are not there")
def test_gold_queries_become_right_programs_with_mutants(tmp_path: Path) -> None:
    part = next(one for one in parts(DATA, tmp_path, 4, 0) if one.name == "club_1")
    collecting = Collecting(part)
    lines = list(collecting.lines([]))
    collecting.gateway.close()
    made = [one for line in lines for one in line["candidates"]]
    assert any(one["sources"] == ["gold"] and one["right"] for one in made)
    assert any(one["sources"] == ["mutant"] and not one["right"] for one in made)
