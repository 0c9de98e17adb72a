"""The benchmark of facts and names on what is always here: the sample."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import facts


def test_both_tables_have_a_row_for_the_sample(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    facts.main(["--data", str(tmp_path), "--size", "12", "--limit", "20"])
    rows = [line.split() for line in capsys.readouterr().out.splitlines() if line.startswith("sample")]
    told, names = rows
    assert told[1] == names[1] == "12"
    precision, recall = map(float, told[2].rstrip("<").split("/"))
    assert 0 < recall < 1
    assert 0 < precision < 1
    assert sum("<" in cell for cell in told) == 1
    shares = [float(cell) for cell in names[2:9]]
    assert min(shares[:6]) >= shares[6] > 0.8
    # Concepts, relations and attributes are cut, all nine qualifiers stay.
    assert int(names[9]) == 3 * 20 + 9


def test_other_graphs_are_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    facts.main(["--data", str(tmp_path), "--only", "MetaQA"])
    assert "sample" not in capsys.readouterr().out
