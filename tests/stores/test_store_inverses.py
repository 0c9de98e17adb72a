"""Inverse relations with facts that are stated one way alone, on real stores."""

from __future__ import annotations

from pathlib import Path

from benchmarks.stores import Server
from tests.half_stated import ANSWERS, FAMILY, answered
from tests.stores.loading import opened_at


def test_a_fact_that_is_stated_one_way_is_found_both_ways(server: Server, tmp_path: Path) -> None:
    file = tmp_path / "family.ttl"
    file.write_text(FAMILY, encoding="utf-8")
    with opened_at(server, file) as gateway:
        assert {text: answered(gateway, text) for text in ANSWERS} == ANSWERS
