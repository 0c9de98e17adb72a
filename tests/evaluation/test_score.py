"""Scores: sets of strings, numbers and dates by value, rows as multisets."""

from __future__ import annotations

import pytest

from nlq_gateway.offline.evaluation.score import Score, averages, canonical, percentile, score


def scored(predicted: list[str], gold: list[str]) -> Score:
    return score([[[value]] for value in predicted], gold)


def scored_rows(predicted: list[str], gold: list[str]) -> Score:
    """The score of rows, written as words."""
    return score([[[cell] for cell in row.split()] for row in predicted], [tuple(r.split()) for r in gold])


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
    assert scored_rows(["b 2.0", "a 1", "a 1"], ["a 1", "a 1", "b 2"]).exact == 1
    once = scored_rows(["a 1", "b 2"], ["a 1", "a 1", "b 2"])
    assert (once.precision, once.exact) == (1, 0)
    assert once.recall == pytest.approx(2 / 3)
    assert scored_rows(["a", "b"], ["b", "a", "a"]).exact == 0


def test_a_row_of_one_cell_is_a_value() -> None:
    assert score([[["a"]]], [("a",)]).exact == 1
    assert scored(["b", "a"], ["a", "b"]) == score([[["a"]], [["b"]]], [("a",), ("b",)])


def test_gold_rows_may_be_written_as_strings() -> None:
    rows = [[["a"], ["1.0"]], [["a"], ["1"]]]
    assert score(rows, ["a\t1", "a\t1"]).exact == 1
    assert score(rows, ["a\t1"]).precision == 0.5
    assert score([[["a\tb"]]], ["a\tb"]).exact == 1


@pytest.mark.parametrize(
    ("predicted", "gold", "exact"),
    [
        (["1 a", "2 b"], ["a 1", "b 2"], 1),
        (["1 a x", "2 b x"], ["x 1 a", "x 2 b"], 1),
        (["a b", "b a"], ["a b", "b a"], 1),
        (["a a b", "b b a"], ["b a a", "a b b"], 1),
        (["1 a", "2 b"], ["a 2", "b 1"], 0),
        (["1 a"], ["a 1", "b 2"], 0),
        (["1 a"], ["a 1 1"], 0),
    ],
)
def test_columns_may_stand_in_another_order_where_all_rows_agree(
    predicted: list[str], gold: list[str], exact: int
) -> None:
    assert scored_rows(predicted, gold).exact == exact
    assert scored_rows(predicted, gold).f1 == exact


def test_rows_that_agree_in_part_are_compared_in_the_order_given() -> None:
    assert scored_rows(["a 1", "b 3"], ["a 1", "b 2"]).f1 == 0.5
    assert scored_rows(["1 a", "3 b"], ["a 1", "b 2"]).f1 == 0


def test_a_calculated_number_is_the_same_however_long_the_store_makes_it() -> None:
    assert scored(["4.33333333333"], ["4.333333333333333333"]).exact == 1
    assert scored(["4.3333"], ["4.3334"]).exact == 0
    assert scored(["12345678901"], ["12345678902"]).exact == 0


def test_an_entity_may_be_named_by_label_or_by_iri() -> None:
    paris = ["Paris", "http://x.example/Paris"]
    assert score([[paris]], ["http://x.example/Paris"]).exact == 1
    assert score([[paris]], ["Paris"]).exact == 1
    assert score([[paris, ["1"], paris]], [("Paris", "1", "Paris")]).exact == 1


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
