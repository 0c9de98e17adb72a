"""The card of a graph in prompts, whole and in part."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from compilers.kopl.functions import Kind
from connectors.oxigraph import EmbeddedOxigraph
from nlq_gateway.drafts.generation.card import Blocks, SchemaRelevance, part_of, whole
from nlq_gateway.drafts.generation.context.likeness import Likeness
from nlq_gateway.drafts.generation.context.nearness import NearnessFinder
from nlq_gateway.index import BuildOptions, Index, LabelPreferences, build
from nlq_gateway.models.server.estimate import estimated_tokens
from tests.generation.asked import Asked

FIXTURES = Path(__file__).parent / "fixtures"
SPACE = "http://warehouse.example/"
ROOM = 10_000


@pytest.fixture(scope="module")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    folder = tmp_path_factory.mktemp("warehouse")
    labels = LabelPreferences(predicates=(SPACE + "title",))
    build(
        EmbeddedOxigraph.in_memory([FIXTURES / "warehouse.ttl"]),
        "direct",
        folder,
        BuildOptions(labels=labels),
    )
    with Index.open(folder, None) as index:
        yield index


def test_the_whole_card_is_the_golden_text(warehouse: Index, request: pytest.FixtureRequest) -> None:
    made = whole(Blocks(warehouse), len, ROOM)
    golden = FIXTURES / "prompts" / "card.txt"
    if request.config.getoption("--update-goldens"):
        golden.write_text(made or "", encoding="utf-8")
    assert made == golden.read_text(encoding="utf-8")


def block(card: str, label: str) -> str:
    """The lines of one class."""
    found = re.search(rf"^{re.escape(label)} \(.*?(?=^\S|\Z)", card, re.MULTILINE | re.DOTALL)
    assert found, card
    return found.group()


def test_values_and_ends_are_those_of_the_class(warehouse: Index) -> None:
    card = whole(Blocks(warehouse), len, ROOM) or ""
    depot, parcel, vehicle = (block(card, label) for label in ("depot", "parcel", "vehicle"))
    assert "size (text: L, S)" in depot
    assert "size (text: 3.5 t, 7.5 t)" in vehicle
    assert "fragile (text: F, T)" in parcel
    assert "weight (number: 3, 4, 9)" in parcel
    assert "forward: stored in -> depot (3); handled by -> thing (1)" in parcel
    assert "backward: stored in -> parcel (3); based at -> vehicle (2)" in depot


def test_it_says_what_names_the_members_and_what_members_are_called(warehouse: Index) -> None:
    card = whole(Blocks(warehouse), len, ROOM) or ""
    assert block(card, "depot").startswith('depot (2), such as "Northgate", "Harbour"')
    assert 'such as "p1"' in block(card, "parcel")
    assert "van (1), a kind of vehicle" in card


def test_days_are_dates(warehouse: Index) -> None:
    assert "opened (date: 1999-03-01, 2004-07-15)" in (whole(Blocks(warehouse), len, ROOM) or "")


def test_what_things_without_a_class_have_is_told(warehouse: Index) -> None:
    card = whole(Blocks(warehouse), len, ROOM) or ""
    assert "Things without a class\n  attributes: phone (text: 555-0101" in card


def test_where_it_is_tight_a_class_does_not_repeat_what_those_above_it_have(warehouse: Index) -> None:
    blocks = Blocks(warehouse)
    full = whole(blocks, len, ROOM) or ""
    tight = whole(blocks, len, len(full) - 1) or ""
    assert "\n" in block(full, "van").strip()
    assert "\n" not in block(tight, "van").strip()
    assert whole(blocks, len, 200) is None


@pytest.mark.parametrize("budget", [150, 300, 600])
def test_a_part_keeps_the_budget_and_names_every_class(warehouse: Index, budget: int) -> None:
    part = part_of(Blocks(warehouse), SchemaRelevance(frozenset([SPACE + "Parcel"])), len, budget)
    assert len(part) <= budget
    classes = part.splitlines()[-1]
    assert budget < 300 or all(label in classes for label in ("depot", "parcel", "vehicle", "van"))


def test_a_part_has_what_is_linked_before_what_is_not(warehouse: Index) -> None:
    parcels, vehicles = (
        part_of(Blocks(warehouse), SchemaRelevance(frozenset([SPACE + name])), len, 220)
        for name in ("Parcel", "Vehicle")
    )
    assert "fragile" in parcels
    assert "fragile" not in vehicles
    assert "based at" in vehicles


def test_what_the_words_of_a_question_are_like_is_near(sample: Asked) -> None:
    index = sample.finder.index
    finder = NearnessFinder(index, Likeness(index))
    near = finder.near(sample.links("How high is the peak of Mont Blanc?"))
    mountain = index.named(Kind.CONCEPT, "mountain")[0]
    assert mountain.iri in near.linked
    elevation = index.schema.index(index.named(Kind.ATTRIBUTE, "elevation")[0])
    motto = index.schema.index(index.named(Kind.ATTRIBUTE, "motto")[0])
    assert near.likeness[elevation] > near.likeness.get(motto, 0.0)
    part = part_of(Blocks(index), near, estimated_tokens, 600)
    assert "elevation" in part
    assert estimated_tokens(part) <= 600


def test_hostile_names_stay_on_their_lines(hostile: Asked) -> None:
    card = whole(Blocks(hostile.finder.index), len, ROOM) or ""
    assert card
    starts = {line.partition(": ")[0].strip() for line in card.splitlines() if line.startswith(" ")}
    assert starts <= {"attributes", "forward", "backward"}
