from __future__ import annotations

from importlib import resources

import pytest

from benchmarks.synonyms import Pair, mine
from nlq_gateway.index.synonyms import synonyms_of
from nlq_gateway.index.text import fold


@pytest.mark.parametrize("name", ["cast member", "castMember", "Cast_Members", "CAST MEMBER"])
def test_a_name_is_known_however_it_is_written(name: str) -> None:
    assert "starring" in synonyms_of(name)


def test_one_phrase_is_said_for_several_names() -> None:
    assert all("wrote" in synonyms_of(name) for name in ("author", "screenwriter"))


def test_what_is_not_in_the_file_has_no_other_name() -> None:
    assert synonyms_of("frobnication") == ()


def test_the_file_holds_folded_names_once_and_no_empty_phrase() -> None:
    text = (resources.files("nlq_gateway.index") / "synonyms.tsv").read_text("utf-8")
    rows = [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
    names = [name for name, _ in rows]
    assert names == sorted(set(names))
    for name, phrases in rows:
        said = phrases.split("; ")
        assert len(set(said)) == len(said)
        assert all(fold(phrase) == phrase for phrase in (name, *said))


def test_what_comes_with_a_name_and_seldom_elsewhere_is_mined() -> None:
    asked = [Pair(("what", "is", "the", "length", "\x00"), frozenset({"length"}))] * 20
    starred = Pair(("who", "starred", "in", "\x00"), frozenset({"cast member"}))
    found = mine([*asked, *[starred] * 5, Pair(("who", "plays", "in"), frozenset({"cast member"}))])
    assert [one.phrase for one in found["cast member"]] == ["starred"]
    assert "length" not in found
