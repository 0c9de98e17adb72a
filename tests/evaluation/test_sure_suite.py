"""The `sure` suite: its pairs, its right answers, and what it calls right and contradictory."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from benchmarks import building, company
from benchmarks.pairs import HALVES, Asked, Said, contradicts
from benchmarks.sure import QUESTIONS, read_asked
from connectors import EmbeddedOxigraph
from connectors.base import Connector
from nlq_gateway.endpoints.data_store import files_of
from nlq_gateway.offline.evaluation import GoldQuestion
from nlq_gateway.offline.evaluation.gold import gold_of
from nlq_gateway.offline.evaluation.questions import Gold
from nlq_gateway.settings import SAMPLE

ASKED = tuple(read_asked(QUESTIONS))
PAIRS = tuple(zip(ASKED[::2], ASKED[1::2], strict=True))
GRAPHS = ("sample", "building", "company")


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Connector]:
    folder: Path = tmp_path_factory.mktemp("graphs")
    return {
        "sample": EmbeddedOxigraph.in_memory(files_of((SAMPLE,))),
        "building": EmbeddedOxigraph.in_memory((building.write(folder / "building.ttl"),)),
        "company": EmbeddedOxigraph.in_memory((company.write(folder / "company.ttl"),)),
    }


def test_questions_come_in_pairs_and_have_ids_of_their_own() -> None:
    assert len({one.question.id for one in ASKED}) == len(ASKED) >= 300
    assert set(Counter(one.pair for one in ASKED).values()) == {2}
    for first, second in PAIRS:
        assert (first.question.id, second.question.id) == (f"{first.pair}a", f"{first.pair}b")
        assert _common(first) == _common(second)


def test_lines_are_well_formed() -> None:
    needed = {"id", "pair", "graph", "kind", "half", "question"}
    for line in map(json.loads, QUESTIONS.read_text("utf-8").splitlines()):
        answer = {"unanswerable"} if line.get("unanswerable") else {"sparql"}
        assert needed | answer <= set(line) <= needed | answer | {"take", "holds"}, line["id"]
        assert line["pair"].startswith(f"{line['graph']}-{line['kind']}-")
        assert line["graph"] in GRAPHS
        assert line["half"] in HALVES
        assert line.get("holds", "differ") in ("differ", "within", "counts")


def test_no_question_is_asked_twice() -> None:
    """Not even in capitals, with other blanks, or without its question mark."""
    texts = Counter(" ".join(one.question.text.casefold().strip("?!. ").split()) for one in ASKED)
    assert [text for text, times in texts.items() if times > 1] == []


def test_each_kind_is_in_both_halves_of_each_graph() -> None:
    kinds = {one.question.kind for one in ASKED}
    groups = {(one.graph, one.question.kind, one.half) for one in ASKED}
    # All dates of the building are of one month.
    lacking = {("building", "period", half) for half in HALVES}
    assert groups == {(graph, kind, half) for graph in GRAPHS for kind in kinds for half in HALVES} - lacking


def test_each_question_has_a_right_answer_or_says_that_there_is_none(stores: dict[str, Connector]) -> None:
    for asked in ASKED:
        question = asked.question
        right = question.unanswerable or len(gold_of(question, stores[asked.graph])) >= (asked.take or 1)
        assert right, question.id


def test_the_right_answers_do_not_contradict_one_another(stores: dict[str, Connector]) -> None:
    for first, second in PAIRS:
        rightly, too = (_answered_rightly(one, stores[one.graph]) for one in (first, second))
        assert rightly.right, first.question.id
        assert too.right, second.question.id
        assert not contradicts(rightly, too), first.pair


@pytest.mark.parametrize(
    ("first", "holds", "second", "wrong"),
    [
        (["yes"], "differ", ["yes"], True),
        (["yes"], "differ", ["no"], False),
        (["yes"], "differ", [], False),
        (["a"], "within", ["a", "b"], False),
        (["a", "c"], "within", ["a", "b"], True),
        (["a", "b"], "counts", ["2"], False),
        (["a", "b"], "counts", ["3"], True),
        (["yes"], "", ["yes"], False),
    ],
)
def test_two_answers_contradict_one_another(
    first: list[str], holds: str, second: list[str], wrong: bool
) -> None:
    assert contradicts(_said(first, holds=holds), _said(second, holds=holds)) is wrong


@pytest.mark.parametrize(
    ("values", "gold", "take", "right"),
    [
        (["a", "b"], ("b", "a"), None, True),
        (["a"], ("b", "a"), None, False),
        (["a"], ("b", "a", "c"), 1, True),
        (["a", "b", "c"], ("b", "a", "c"), 2, False),
        (["a", "d"], ("b", "a", "c"), 2, False),
        (["x\ta", "y\tb"], ("a", "b"), None, False),
        (["84", "10"], (("84", "10"),), None, True),
        (["84"], (("84", "10"),), None, False),
        ([], (), None, True),
        (["84"], (), None, False),
    ],
)
def test_an_answer_is_right(values: list[str], gold: Gold, take: int | None, right: bool) -> None:
    assert _said(values, gold, take).right is right


def test_a_table_with_more_columns_is_right() -> None:
    rows = [[["Floor 1"], ["1662"]], [["Floor 2"], ["1532"]]]
    asked = Asked(GoldQuestion("1", "?", "each"), "sample", "sample-each-01", "look")
    assert Said(asked, ("1662", "1532"), rows, 1.0, "answered").right


def _said(values: list[str], gold: Gold = ("x",), take: int | None = None, holds: str = "") -> Said:
    asked = Asked(GoldQuestion("1", "?", "kind"), "sample", "sample-kind-01", "look", take, holds)
    return Said(asked, gold, [[[value]] for value in values], 0.9, "answered")


def _common(asked: Asked) -> tuple[str, ...]:
    """The words that both questions of a pair share."""
    return asked.pair, asked.graph, asked.question.kind, asked.half, asked.holds


def _answered_rightly(asked: Asked, store: Connector) -> Said:
    gold = () if asked.question.unanswerable else gold_of(asked.question, store)
    rows = [[[cell] for cell in ((one,) if isinstance(one, str) else one)] for one in gold[: asked.take]]
    return Said(asked, gold, rows, 0.9, "answered" if rows else "unanswerable")
