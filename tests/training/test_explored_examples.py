"""Explored programs as training examples, from a small graph."""

from __future__ import annotations

from pathlib import Path

from compilers.kopl.check import require_valid
from training.explored import explore, unpack_small

FIXTURES = Path(__file__).parent / "fixtures"


def test_exploring_gives_questions_with_programs(tmp_path: Path) -> None:
    corpus = tmp_path / "kennel.jsonl"
    examples, names = explore("kennel", FIXTURES / "kennel.nt", corpus, programs=20)
    assert len(examples) >= 20
    assert names["concept"] == ["pet", "owner"]
    assert {example.graph for example in examples} == {"kennel"}
    for example in examples:
        require_valid(example.program)
    assert explore("kennel", FIXTURES / "kennel.nt", corpus, programs=20)[0] == examples


def test_small_graphs_are_chosen_from_the_archive(kennel: Path, tmp_path: Path) -> None:
    assert unpack_small(kennel / "train_kgs.tar.xz", 3, tmp_path) == {"kennel": tmp_path / "kennel.nt"}
