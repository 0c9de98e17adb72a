"""Names in programs: what they are bound to in the sample graph, and what a reader is told."""

from __future__ import annotations

import pytest

from compilers.kopl.functions import FUNCTIONS, NAMING_KINDS, Kind, ValueType
from compilers.kopl.notations import NOTATIONS, read_program
from compilers.kopl.program import Program, Step
from nlq_gateway.answering.grounding import Grounder, Grounding, Pin
from nlq_gateway.answering.grounding.grounder import ALTERNATIVES
from nlq_gateway.core.types import Hit

WORLD = "http://world.example/"


def program(chain: str) -> Program:
    return NOTATIONS["chain"].read(chain)


def bound(grounding: Grounding, step: int) -> list[str]:
    binding = grounding.grounded.bindings.get((step, 0))
    return [iri.removeprefix(WORLD) for iri in binding.iris] if binding else []


def codes(grounding: Grounding) -> list[str]:
    return [warning.code for warning in grounding.warnings]


@pytest.mark.parametrize(
    ("name", "iris"),
    [
        ("Pulp Fiction", ["Pulp_Fiction"]),
        ("pulp fiction", ["Pulp_Fiction"]),
        ("Deutschland", ["Germany"]),
        ("Federal Republic of Germany", ["Germany"]),
        ("sao paulo", ["São_Paulo"]),
        ("Do Androids Dream of Electric Sheep?", ["Do_Androids_Dream_of_Electric_Sheep"]),
        ("film", ["film"]),
    ],
)
def test_a_name_of_the_graph_is_bound_without_a_word(grounder: Grounder, name: str, iris: list[str]) -> None:
    found = grounder.ground(program(f"Find({name})->What()"))
    assert bound(found, 0) == iris
    assert [(b.how, b.score, b.mention) for b in found.bindings] == [("exact", 1.0, name)]
    assert found.warnings == ()


def test_all_bearers_of_a_name_are_meant_and_shown(grounder: Grounder) -> None:
    found = grounder.ground(program("Find(Paris)->What()"))
    assert set(bound(found, 0)) == {"Paris", "Paris_Texas"}
    (trace,) = found.bindings
    assert {trace.iri, *(other.iri for other in trace.alternatives)} == {
        WORLD + "Paris",
        WORLD + "Paris_Texas",
    }
    assert found.warnings == ()


def test_bearers_of_a_name_are_told_apart(grounder: Grounder) -> None:
    """By their classes; an attribute by what has it."""
    (paris,) = grounder.ground(program("Find(Paris)->What()")).bindings
    abouts = {paris.about, *(other.about for other in paris.alternatives)}
    assert "" not in abouts
    assert any("city" in about for about in abouts)
    found = grounder.ground(program("FindAll()->FilterNum(length, 5000 kilometre, >)->What()"))
    assert "river" in next(one.about for one in found.bindings if one.label == "length")


def test_every_kind_of_name_is_bound(grounder: Grounder) -> None:
    found = grounder.ground(
        program(
            "Find(Pulp Fiction)->Relate(cast member, forward)->QFilterStr(role, Mia Wallace)"
            "->FilterConcept(actor)->QueryAttr(date of birth)"
        )
    )
    assert [bound(found, step) for step in range(5)] == [
        *(["Pulp_Fiction"], ["cast_member"], ["role"], ["actor"], ["date_of_birth"]),
    ]
    assert [b.kind for b in found.bindings] == ["entity", "relation", "qualifier", "concept", "attribute"]


def test_one_word_is_a_concept_and_a_relation(grounder: Grounder) -> None:
    found = grounder.ground(program("FindAll()->FilterConcept(genre)->Relate(genre, backward)->What()"))
    assert (bound(found, 1), bound(found, 2)) == (["genre_concept"], ["genre"])


@pytest.mark.parametrize(
    ("chain", "step", "iri", "message"),
    [
        (
            "Find(Pulp Fictoin)->What()",
            0,
            "Pulp_Fiction",
            "no entity 'Pulp Fictoin' here; took 'Pulp Fiction'",
        ),
        ("FindAll()->FilterConcept(towns)->What()", 1, "town", "no concept 'towns' here; took 'town'"),
        ("Find(Nile)->QueryAttr(lenght)", 1, "length", "no attribute 'lenght' here; took 'length'"),
    ],
)
def test_a_near_name_is_taken_with_a_warning(
    grounder: Grounder, chain: str, step: int, iri: str, message: str
) -> None:
    found = grounder.ground(program(chain))
    assert bound(found, step) == [iri]
    assert codes(found) == ["name-replaced"]
    assert found.warnings[0].message == f"step {step + 1}: {message}"
    trace = next(binding for binding in found.bindings if binding.step == step)
    assert trace.how not in ("exact", "given")
    assert 0 < trace.score < 1


_ASKED = "Find(Oslo)->QueryAttrQualifier(population, 709000, {})->"


@pytest.mark.parametrize(
    ("chain", "text"),
    [
        ("FindAll()->FilterStr(country code, au)->What()", "AU"),
        ("FindAll()->Relate(cast member, forward)->QFilterStr(role, HAN SOLO)->What()", "Han Solo"),
        (_ASKED.format("determination method") + "VerifyStr(Census)", "census"),
    ],
)
def test_a_text_is_taken_in_the_letters_of_the_graph(grounder: Grounder, chain: str, text: str) -> None:
    found = grounder.ground(program(chain), near=False)
    assert str(found.grounded.program).lower() == str(program(chain)).lower()
    assert text in str(found.grounded.program)
    assert codes(found) == ["name-replaced"]


def test_a_verdict_on_a_qualifier_is_not_on_its_attribute(grounder: Grounder) -> None:
    """The population is a number, the point in time of it is none."""
    asked = program(_ASKED.format("point in time") + "VerifyYear(2020, =)")
    found = grounder.ground(asked)
    assert (found.grounded.program, found.warnings) == (asked, ())


def test_the_year_of_a_qualifier_is_compared_as_a_year(grounder: Grounder) -> None:
    found = grounder.ground(program("FindAll()->FilterHasAttr(revenue)->QFilterNum(point in time, 2020, >)"))
    assert [step.function for step in found.grounded.program.steps][2] == "QFilterYear"
    assert codes(found) == ["number-as-year"]


def test_a_near_name_is_not_taken_where_that_is_not_wanted(grounder: Grounder) -> None:
    found = grounder.ground(program("Find(Pulp Fictoin)->What()"), near=False)
    assert bound(found, 0) == []
    (warning,) = found.warnings
    told = "step 1: no entity 'Pulp Fictoin' in this graph; did you mean 'Pulp Fiction'?"
    assert (warning.code, warning.message) == ("unknown-name", told)
    (trace,) = found.bindings
    assert (trace.iri, trace.label, trace.how, trace.score) == ("", "Pulp Fictoin", "unknown", 0.0)
    assert [other.iri for other in trace.alternatives] == [WORLD + "Pulp_Fiction"]


@pytest.mark.parametrize(
    ("chain", "step", "iri"),
    [
        ("FindAll()->FilterConcept(Towns)->What()", 1, "town"),
        ("Find(Nile)->QueryAttr(Lengths)", 1, "length"),
        ("Find(Pulp Fiction)->Relate(castmembers, forward)->What()", 1, "cast_member"),
    ],
)
def test_number_case_and_blanks_of_a_schema_name_make_no_difference(
    grounder: Grounder, chain: str, step: int, iri: str
) -> None:
    found = grounder.ground(program(chain), near=False)
    assert bound(found, step) == [iri]
    assert codes(found) == ["name-replaced"]


def test_an_unknown_name_stays_bare(grounder: Grounder) -> None:
    found = grounder.ground(program("Find(Qwrtz Xyzzy)->Relate(zzqq, forward)->What()"))
    assert found.grounded.bindings == {}
    assert found.grounded.binding(0, 0) is None
    assert codes(found) == ["unknown-name", "unknown-name"]
    assert "step 2: no relation 'zzqq' in this graph" in [warning.message for warning in found.warnings]


def test_an_iri_in_angle_brackets_is_taken_as_it_is(grounder: Grounder) -> None:
    found = grounder.ground(program(f"Find(<{WORLD}Nile>)->QueryAttr(<{WORLD}length>)"))
    assert [bound(found, step) for step in (0, 1)] == [["Nile"], ["length"]]
    assert [(binding.how, binding.label) for binding in found.bindings] == [
        ("given", "Nile"),
        ("given", "length"),
    ]
    binding = found.grounded.bindings[1, 0]
    assert (binding.value_types, set(binding.units)) == ((ValueType.QUANTITY,), {"kilometre", "mile"})
    foreign = grounder.ground(program("Find(<http://elsewhere.example/x>)->What()"))
    assert foreign.grounded.bindings[0, 0].iris == ("http://elsewhere.example/x",)
    assert foreign.warnings == ()


def test_a_pin_wins_over_the_name_and_over_the_authors_choice(grounder: Grounder) -> None:
    pin = Pin(0, 0, WORLD + "Paris_Texas")
    for choices in ({}, {(0, 0): (WORLD + "Paris",)}):
        found = grounder.ground(program("Find(Paris)->QueryAttr(population)"), choices=choices, pins=[pin])
        assert bound(found, 0) == ["Paris_Texas"]
        assert [binding.how for binding in found.bindings] == ["pinned", "exact"]
        assert found.warnings == ()


def test_a_pin_of_an_attribute_brings_its_types(grounder: Grounder) -> None:
    pin = Pin(1, 0, WORLD + "date_of_birth")
    found = grounder.ground(program("Find(Paris)->QueryAttr(no such thing)"), pins=[pin])
    assert set(found.grounded.bindings[1, 0].value_types) == {ValueType.DATE, ValueType.YEAR}
    assert codes(found) == []


@pytest.mark.parametrize(
    "pin", [Pin(2, 0, WORLD + "Nile"), Pin(0, 1, WORLD + "Nile"), Pin(-1, 0, WORLD + "Nile")]
)
def test_a_pin_without_a_place_is_reported(grounder: Grounder, pin: Pin) -> None:
    found = grounder.ground(program("Find(Paris)->QueryAttr(population)"), pins=[pin])
    assert codes(found) == ["pin-ignored"]
    assert set(bound(found, 0)) == {"Paris", "Paris_Texas"}


def test_the_authors_choice_is_taken_and_the_other_bearers_are_shown(grounder: Grounder) -> None:
    hits = grounder.index.look_up(["Paris"])["Paris"]
    found = grounder.ground(
        program("Find(Paris)->What()"),
        choices={(0, 0): (WORLD + "Paris_Texas",)},
        mentions={(0, 0): "paris"},
        alternatives={(0, 0): hits},
    )
    (trace,) = found.bindings
    assert (trace.iri, trace.mention, trace.how) == (WORLD + "Paris_Texas", "paris", "exact")
    assert [other.iri for other in trace.alternatives] == [WORLD + "Paris"]
    assert found.warnings == ()


def test_a_choice_that_was_found_by_its_letters_is_reported(grounder: Grounder) -> None:
    hits = grounder.index.search("Plup Fiction")
    assert isinstance(hits[0], Hit)
    found = grounder.ground(
        program("Find(Pulp Fiction)->What()"),
        choices={(0, 0): (hits[0].iri,)},
        mentions={(0, 0): "Plup Fiction"},
        alternatives={(0, 0): hits},
    )
    assert [warning.message for warning in found.warnings] == [
        "step 1: no entity 'Plup Fiction' here; took 'Pulp Fiction'"
    ]


def test_a_concept_is_bound_with_all_that_is_below_it(grounder: Grounder) -> None:
    found = grounder.ground(program("FindAll()->FilterConcept(settlement)->What()"))
    below = {iri.removeprefix(WORLD) for iri in found.grounded.bindings[1, 0].subconcepts}
    assert below == {"town", "city", "capital_city"}
    artists = grounder.ground(program("FindAll()->FilterConcept(artist)->What()"))
    assert WORLD + "composer" in artists.grounded.bindings[1, 0].subconcepts
    assert WORLD + "scientist" not in artists.grounded.bindings[1, 0].subconcepts


@pytest.mark.parametrize(
    ("attribute", "types", "units"),
    [
        ("length", (ValueType.QUANTITY,), ("kilometre", "mile")),
        ("revenue", (ValueType.QUANTITY,), ("United States dollar", "euro", "Japanese yen", "Swiss franc")),
        ("population", (ValueType.QUANTITY,), ("1",)),
        ("calling code", (ValueType.STRING,), ()),
        ("date of birth", (ValueType.DATE, ValueType.YEAR), ()),
    ],
)
def test_an_attribute_is_bound_with_its_types_and_units_the_commonest_first(
    grounder: Grounder, attribute: str, types: tuple[ValueType, ...], units: tuple[str, ...]
) -> None:
    binding = grounder.ground(program(f"Find(Nile)->QueryAttr({attribute})")).grounded.bindings[1, 0]
    assert (binding.value_types, binding.units) == (types, units)


def test_numbers_and_values_are_no_names(grounder: Grounder) -> None:
    steps = (
        *("FindAll()", "FilterConcept(river)", "QueryAttr(length)", "Table() <- 2, 3"),
        *("FilterTable(2, 6000 kilometre, >)", "SortTable(2, descending)", "LimitTable(3)", "DropColumn(2)"),
    )
    found = grounder.ground(read_program("\n".join(f"Step {n}: {step}" for n, step in enumerate(steps, 1))))
    assert {(b.step, b.argument, b.kind) for b in found.bindings} == {(1, 0, "concept"), (2, 0, "attribute")}
    assert found.warnings == ()
    top = grounder.ground(program("FindAll()->SelectTop(elevation, largest, 3)->What()"))
    assert [(b.step, b.argument, b.label) for b in top.bindings] == [(1, 0, "elevation")]


def test_every_name_of_every_function_is_bound(grounder: Grounder) -> None:
    """Arguments are taken by their kind alone: those of functions that are yet to come, too."""
    names = {Kind.ENTITY: "Nile", Kind.CONCEPT: "river", Kind.RELATION: "flows through"}
    names |= {Kind.ATTRIBUTE: "length", Kind.QUALIFIER: "point in time"}
    for function in FUNCTIONS.values():
        inputs = tuple(names.get(p.kind, p.choices[0] if p.choices else "3") for p in function.parameters)
        found = grounder.ground(Program((Step(function.name, inputs),)))
        wanted = [i for i, p in enumerate(function.parameters) if p.kind in NAMING_KINDS]
        assert [b.argument for b in found.bindings if b.iri] == wanted, function.name


def test_alternatives_are_few_best_first_and_without_the_choice(grounder: Grounder) -> None:
    (_, relation, *_) = grounder.ground(
        program("Find(Paris)->Relate(directed by, backward)->What()")
    ).bindings
    scores = [other.score for other in relation.alternatives]
    assert 0 < len(scores) <= ALTERNATIVES
    assert scores == sorted(scores, reverse=True)
    assert relation.iri not in [other.iri for other in relation.alternatives]


def test_the_program_has_the_name_of_the_bearer_that_was_meant(grounder: Grounder) -> None:
    """Of two things that bear a word, the second one: the program said the first one's name."""
    meant = Hit(Kind.ENTITY, WORLD + "Blue_Nile", "Blue Nile", "Blue Nile", 0.6, "partial")
    found = grounder.ground(
        program("Find(Nile)->What()"),
        choices={(0, 0): (meant.iri,)},
        mentions={(0, 0): "the nile"},
        alternatives={(0, 0): (Hit(Kind.ENTITY, WORLD + "Nile", "Nile", "Nile", 0.6, "partial"), meant)},
    )
    assert found.grounded.program.steps[0].inputs == ("Blue Nile",)


@pytest.mark.parametrize(
    "name", ["> } DROP ALL", "a" * 2000, "%s%n", "' OR 1=1 --", "*", "<x", "\x00", "\ud800", "\u202e" * 9]
)
def test_hostile_names_are_only_unknown(grounder: Grounder, name: str) -> None:
    found = grounder.ground(Program((Step("Find", (name,)), Step("What", (), (0,)))))
    assert codes(found) == ["unknown-name"]
    assert found.grounded.bindings == {}
