"""Every language's words stand in its own folder, and one word means one thing to all that read it."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest

from nlq_gateway.language import lexicon
from nlq_gateway.language.tables import pattern, phrases_by, read_tables, tables, words

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "nlq_gateway" / "language"
SOURCE = "\n".join(file.read_text("utf-8") for file in (ROOT / "nlq_gateway").rglob("*.py"))
TAGS = list(tables())
# Lists of which a word is in one at most.
APART = [
    ("negations", "exceptions", "denials"),
    ("person_words", "time_words", "place_words", "how_words", "choice_words"),
    ("be", "have", "do", "verify_openers"),
    ("averages", "negations"),
]
# Keys that English has no use for: the last are those of questions that are worded in other languages.
OF_OTHERS = set(
    """
    asking nouns script umlauts own_superlatives own_adjectives owning asked_subject asked_object asked_owner
    passive by_whom asked contractions light_verbs measures most noun_links nouns_by_gender relation_forms
    the which
    """.split()
)


@pytest.mark.parametrize("tag", TAGS)
def test_every_key_is_read(tag: str) -> None:
    unread = [key for key in tables()[tag] if not re.search(rf"[\"']{key}[\"']", SOURCE)]
    assert unread == []


@pytest.mark.parametrize("tag", TAGS)
def test_every_list_is_one_of_english_or_of_the_language_alone(tag: str) -> None:
    assert tables()[tag].keys() - tables()["en"].keys() <= OF_OTHERS


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("keys", APART, ids=lambda keys: keys[0])
def test_a_word_is_in_one_list_at_most(tag: str, keys: tuple[str, ...]) -> None:
    lists = [set(tables()[tag].get(key, "").split()) for key in keys]
    assert [one & other for one, other in combinations(lists, 2) if one & other] == []


@pytest.mark.parametrize(
    "keys", [("cues",), ("comparisons", "value_comparisons", "count_comparisons"), ("formula_infixes",)]
)
def test_a_phrase_has_one_meaning(keys: tuple[str, ...]) -> None:
    said = [words for key in keys for words, _ in phrases_by(key)]
    assert len(said) == len(set(said))


def test_the_page_lists_the_files_of_a_language() -> None:
    section = (ROOT / "docs" / "extending.md").read_text("utf-8").partition("## A language\n")[2]
    listed = re.findall(r"`nlq_gateway/language/de/(\w+\.toml)`", section.partition("\n## ")[0])
    own = {"inflection.toml"}
    assert sorted(listed) == sorted(file.name for file in (FOLDER / "en").iterdir() if file.name not in own)


def test_a_folder_adds_a_language(tmp_path: Path) -> None:
    for tag, text in (("en", 'how_words = "how"'), ("sv", 'how_words = "hur"')):
        (tmp_path / tag).mkdir()
        (tmp_path / tag / "language.toml").write_text('name = "a language"')
        (tmp_path / tag / "questions.toml").write_text(text)
    (tmp_path / "wording").mkdir()
    assert [(tag, found["how_words"]) for tag, found in read_tables(tmp_path).items()] == [
        ("en", "how"),
        ("sv", "hur"),
    ]
    (tmp_path / "sv" / "degrees.toml").write_text('how_words = "hur"')
    with pytest.raises(ValueError, match=r"sv/questions.toml repeats \['how_words'\]"):
        read_tables(tmp_path)


def test_an_unknown_list_is_an_error() -> None:
    with pytest.raises(KeyError):
        words("no such list")


def test_patterns_of_all_languages_are_one() -> None:
    assert re.fullmatch(pattern("range_from"), "von")
    assert re.fullmatch(pattern("range_from"), "ranging from")
    assert not re.fullmatch(pattern("range_from"), "bis")


@pytest.mark.parametrize("word", ["not", "doesn't", "isn’t", "cannot", "kein", "keines", "niemals", "weder"])
def test_negations(word: str) -> None:
    assert lexicon.is_negation(word)
    assert not lexicon.is_exception(word)


@pytest.mark.parametrize("word", ["without", "except", "ohne", "außer"])
def test_exceptions(word: str) -> None:
    assert lexicon.is_exception(word)
    assert not lexicon.is_negation(word)


@pytest.mark.parametrize("word", ["no", "note", "want", "noch", "other"])
def test_other_words_deny_nothing(word: str) -> None:
    assert not lexicon.is_negation(word)
    assert not lexicon.is_exception(word)


@pytest.mark.parametrize(
    ("word", "more"),
    [
        ("largest", True),
        ("cheapest", False),
        ("widest", True),
        ("most", True),
        ("längste", True),
        ("ältesten", False),
    ],
)
def test_superlatives(word: str, more: bool) -> None:
    found = lexicon.superlative(word)
    assert found is not None
    assert found.more == more
    assert lexicon.is_superlative(word)


def test_a_superlative_of_an_unknown_adjective_compares_nothing_known() -> None:
    assert lexicon.superlative("busiest") is None
    assert lexicon.is_superlative("busiest")
    assert not any(map(lexicon.is_superlative, ("guest", "large", "liste", "est")))


@pytest.mark.parametrize(
    ("word", "more"), [("longer", True), ("older", False), ("fewer", False), ("mehr", True)]
)
def test_comparatives(word: str, more: bool) -> None:
    found = lexicon.comparative(word)
    assert found is not None
    assert found.more == more


@pytest.mark.parametrize("word", ["river", "former", "long", "longest"])
def test_other_words_compare_nothing(word: str) -> None:
    assert lexicon.comparative(word) is None


def test_an_age_has_the_other_order_than_a_date() -> None:
    oldest = lexicon.superlative("oldest")
    assert oldest is not None
    assert (oldest.more_of(is_quantity=True), oldest.more_of(is_quantity=False)) == (True, False)


def test_a_clause_begins_with_a_relative_perhaps_behind_a_preposition() -> None:
    assert lexicon.begins_clause(("where",))
    assert lexicon.begins_clause(("in", "which"))
    assert not lexicon.begins_clause(("in", "Berlin"))
    assert not lexicon.begins_clause(())


def test_longer_comparisons_come_first() -> None:
    lengths = [len(said) for said, _ in lexicon.OPERATORS]
    assert lengths == sorted(lengths, reverse=True)
    assert dict(lexicon.OPERATORS)["no", "more", "than"] == "<="
    assert ("exactly",) not in dict(lexicon.OPERATORS)
    assert dict(lexicon.COUNT_OPERATORS)["mindestens",] == ">="
