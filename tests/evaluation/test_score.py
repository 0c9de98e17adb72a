"""Scores: sets of strings, numbers and dates by value, rows as multisets."""

from __future__ import annotations

import pytest

from nlq_gateway.evaluation.score import Score, averages, canonical, percentile, score


def scored(predicted: list[str], gold: list[str]) -> Score:
    return score([[value] for value in predicted], gold)


def test_a_set_is_right_in_any_order_and_however_often() -> None:
    assert scored(["b", "a", "a"], ["a", "b"]) == Score(1, 1, 1, 1, 1, 1)


def test_parts_of_a_set() -> None:
    result = scored(["a", "b", "x", "y"], ["a", "b", "c"])
    assert (result.hits_at_1, result.precision, result.exact, result.answered) == (0.5, 0.5, 0, 1)
    assert result.recall == pytest.approx(2 / 3)
    assert result.f1 == pytest.approx(4 / 7)


def test_nothing_predicted_is_wrong_and_not_answered() -> None:
    assert scored([], ["a"]) == Score(0, 0, 0, 0, 0, 0)


def test_nothing_shared_is_answered_and_wrong() -> None:
    assert scored(["b"], ["a"]) == Score(0, 0, 0, 0, 0, 1)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1993", "1993.0"),
        ("-0.50", "-0.5"),
        ("1e3", "1000"),
        ("300000 United States dollar", "300000.0 United States dollar"),
        ("2001-02-03", "2001-02-03T00:00:00Z"),
        ("2001-02-03", "2001-02-03+02:00"),
        (" a ", "a"),
    ],
)
def test_the_same_value_in_two_spellings(one: str, other: str) -> None:
    assert canonical(one) == canonical(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Paris", "paris"),
        ("08610", "8610"),
        ("0000 0003 6855 8687", "0 3 6855 8687"),
        ("5 metre", "5 kilometre"),
        ("5", "5 metre"),
        ("2001-02-03", "2001-02-03T10:00:00"),
        ("-2001-02-03", "2001-02-03"),
        ("1.10.2", "1.1.2"),
        ("12 Angry Men", "12 angry men"),
        ("inf", "nan"),
    ],
)
def test_values_that_only_look_alike(one: str, other: str) -> None:
    assert canonical(one) != canonical(other)


def test_rows_are_multisets() -> None:
    gold = [("a", "1"), ("a", "1"), ("b", "2")]
    assert score([[("b", "2.0")], [("a", "1")], [("a", "1")]], gold).exact == 1
    once = score([[("a", "1")], [("b", "2")]], gold)
    assert (once.precision, once.exact) == (1, 0)
    assert once.recall == pytest.approx(2 / 3)
    assert score([["a"]], [("a",)]).exact == 0


def test_an_entity_may_be_named_by_label_or_by_iri() -> None:
    assert score([["Paris", "http://x.example/Paris"]], ["http://x.example/Paris"]).exact == 1
    assert score([["Paris", "http://x.example/Paris"]], ["Paris"]).exact == 1


def test_averages_round_and_count() -> None:
    assert averages([Score(1, 1, 1, 1, 1, 1), Score(), Score()]) == {
        "n": 3, "hits_at_1": 0.3333, "f1": 0.3333, "exact": 0.3333, "answered": 0.3333,
    }  # fmt: skip
    assert averages([])["n"] == 0


def test_percentiles_by_nearest_rank() -> None:
    values = [float(n) for n in range(1, 101)]
    assert [percentile(values, share) for share in (0.5, 0.95, 0.99)] == [50, 95, 99]
    assert percentile([7.0], 0.99) == 7
    assert percentile([], 0.5) == 0
