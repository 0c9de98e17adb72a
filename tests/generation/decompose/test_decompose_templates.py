"""The templates of the sample graph, and the forms that they have."""

from __future__ import annotations

import pytest

from compilers.kopl.functions import FUNCTIONS, Kind
from nlq_gateway.drafts.generation.decompose import Templates
from nlq_gateway.drafts.generation.decompose.forms import BACKWARD, FORMS, FORWARD, MASK, ChainTemplate
from nlq_gateway.drafts.generation.decompose.reading import ChainOperand, MaskedSubQuestion
from tests.generation.decompose.conftest import Bench

TYPED = ("Filter", "QFilter", "Verify")


def reading(*masks: str, operands: int = 1) -> MaskedSubQuestion:
    return MaskedSubQuestion(masks, tuple(ChainOperand(f"#{n}", n) for n in range(1, operands + 1)), ())


@pytest.mark.parametrize("form", FORMS, ids=[f"{form.chain} {form.value}" for form in FORMS])
@pytest.mark.parametrize("last", [True, False])
def test_forms_state_chains_of_known_functions(form: ChainTemplate, last: bool) -> None:
    for at, call in enumerate(form.calls(last)):
        function = FUNCTIONS.get(call.function) or FUNCTIONS[f"{call.function}Num"]
        assert (call.function in TYPED) is (call.function not in FUNCTIONS)
        assert len(call.arguments) == len(function.parameters)
        assert function.takes(len(call.feeds))
        assert all(0 <= feed <= form.operands for feed in call.feeds)
        assert at or 0 not in call.feeds
    assert form.text.count("[value]") == bool(form.value)


def test_every_schema_item_can_be_asked(bench: Bench) -> None:
    kept = {(one.form.chain, one.item.iri) for one in bench.templates.kept if one.item}
    for item in bench.endpoint.index.schema:
        if item.kind == Kind.RELATION:
            assert (FORWARD.chain, item.iri) in kept
            assert (BACKWARD.chain, item.iri) in kept
        elif item.kind != Kind.QUALIFIER:
            assert any(iri == item.iri for _, iri in kept)


def test_templates_are_said_as_the_wording_stage_says_them(bench: Bench) -> None:
    texts = {one.text for one in bench.templates.kept}
    assert {f"Who directed {MASK}?", f"Which films did {MASK} direct?", f"When was {MASK} born?"} <= texts
    assert {f"Which of {MASK} is the tallest?", f"what is the capital of {MASK}?"} <= texts


def test_the_most_used_are_kept_where_there_is_a_bound(bench: Bench) -> None:
    few = Templates(bench.endpoint.index, lambda _program, _choices: "", most=10)
    assert len(few.kept) == 10
    asked = [item for item in bench.endpoint.index.schema if item.kind != Kind.QUALIFIER]
    most_used = max(asked, key=lambda item: item.count)
    assert few.kept[0].item == most_used


def test_items_beyond_the_bound_are_found_by_their_names(bench: Bench) -> None:
    few = Templates(bench.endpoint.index, lambda _program, _choices: "", most=10)
    found = [one.item.label for one, _ in few.near(reading(f"what is the motto of {MASK}?"), 5) if one.item]
    assert found[0] == "motto"


@pytest.mark.parametrize(
    ("mask", "chain", "label"),
    [
        (f"who directed the film {MASK}?", "Relate(@, forward)", "directed by"),
        (f"which films were directed by {MASK}?", "Relate(@, backward)", "directed by"),
        (f"where was {MASK} born?", "Relate(@, forward)", "place of birth"),
        (f"when was {MASK} born?", "QueryAttr(@)", "date of birth"),
        (f"which of {MASK} has the largest budget?", "SelectTop(@, largest, 1)", "production cost"),
        (f"which of {MASK} are scientists?", "FilterConcept(@)", "scientist"),
        (f"how many of {MASK} are there?", "Count()", None),
    ],
)
def test_the_nearest_template(bench: Bench, mask: str, chain: str, label: str | None) -> None:
    best, score = bench.templates.near(reading(mask), 5)[0]
    assert best.form.chain == chain
    assert (best.item.label if best.item else None) == label
    assert 0.6 < score <= 1.001


def test_nearest_templates_come_once_for_each_chain_and_in_order(bench: Bench) -> None:
    found = bench.templates.near(reading(f"who directed {MASK}?", f"who made {MASK}?"), 20)
    assert len({one.key for one, _ in found}) == len(found) == 20
    scores = [score for _, score in found]
    assert scores == sorted(scores, reverse=True)


def test_templates_take_as_many_operands_as_there_are(bench: Bench) -> None:
    for operands in (0, 1, 2):
        found = bench.templates.near(reading("which films are there?", operands=operands), 10)
        assert {one.form.operands for one, _ in found} <= {operands}
    assert not bench.templates.near(reading("which films are there?", operands=5), 10)


def test_how_a_graph_is_asked(bench: Bench) -> None:
    found = bench.templates.like(f"Who directed {MASK}?", 4)
    assert found[0] == f"Who directed {MASK}?"
    assert len(found) == 4
    assert all(MASK in one for one in found)
