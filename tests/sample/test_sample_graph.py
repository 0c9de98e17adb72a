"""The built-in sample graph: its shape (layout ``kqapro``), its richness, and its questions."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from pyoxigraph import Literal, NamedNode, QuerySolutions, RdfFormat, Store

import nlq_gateway

SAMPLE = Path(nlq_gateway.__file__).parent / "sample"
FILES = sorted(SAMPLE.glob("*.ttl"))
WORLD = "http://world.example/"
PREFIXES = f"""PREFIX pred: <pred:>
PREFIX world: <{WORLD}>
PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
"""

FUNCTIONS = {
    *("FindAll", "Find", "FilterConcept", "FilterStr", "FilterNum", "FilterYear", "FilterDate"),
    *("QFilterStr", "QFilterNum", "QFilterYear", "QFilterDate", "Relate", "And", "Or", "What", "Count"),
    *("QueryAttr", "QueryAttrUnderCondition", "QueryRelation", "SelectBetween", "SelectAmong"),
    *("VerifyStr", "VerifyNum", "VerifyYear", "VerifyDate", "QueryAttrQualifier", "QueryRelationQualifier"),
}
SEVERAL_UNITS = {
    "length": {"kilometre", "mile"},
    "elevation": {"metre", "foot"},
    "maximum_depth": {"metre", "foot"},
    "area": {"square kilometre", "square mile"},
    "height": {"centimetre", "metre"},
    "duration": {"minute", "hour"},
    "revenue": {"United States dollar", "euro", "Japanese yen"},
}
AMBIGUOUS = {"Paris", "Georgia", "Fargo", "Amazon", "Jordan", "Victoria", "Cambridge", "Chicago", "Batman"}
HOSTILE = {
    *("São Paulo", "Malmö", "Gabriel García Márquez", "Palme d'Or", "1917", "2001: A Space Odyssey"),
    *("(500) Days of Summer", "Good Night, and Good Luck.", "Dr. Jekyll and Mr. Hyde", "Pride and Prejudice"),
    *('Stephen "Woz" Wozniak', "Aoraki / Mount Cook", "Do Androids Dream of Electric Sheep?"),
}


@pytest.fixture(scope="module")
def store() -> Store:
    """All files of the sample graph in one embedded store."""
    loaded = Store()
    for file in FILES:
        loaded.load(path=str(file), format=RdfFormat.TURTLE)
    return loaded


@pytest.fixture(scope="module")
def questions() -> list[dict[str, Any]]:
    """The questions with their answers and gold programs."""
    lines = (SAMPLE / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def rows(store: Store, pattern: str, *columns: str) -> list[tuple[str, ...]]:
    """The solutions of a group graph pattern, as plain strings."""
    solutions = store.query(PREFIXES + f"SELECT DISTINCT {' '.join(columns)} WHERE {{ {pattern} }}")
    assert isinstance(solutions, QuerySolutions)
    return [tuple(term.value for term in row) for row in solutions]


def column(store: Store, pattern: str, name: str) -> set[str]:
    """The distinct values of one variable."""
    return {value for (value,) in rows(store, pattern, name)}


def concepts(store: Store) -> set[str]:
    """Everything that has members."""
    return column(store, "?member pred:instance_of ?concept", "?concept")


def entities(store: Store) -> set[str]:
    """Members of a concept that are no concepts themselves."""
    return column(store, "?entity pred:instance_of ?concept", "?entity") - concepts(store)


def schema(store: Store) -> set[str]:
    """Relations and attributes in use on entities, and qualifiers in use on facts."""
    return {p for p in column(store, "?s ?p ?o", "?p") if p.startswith(WORLD)}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_second_parser_reads_the_same_number_of_triples(file: Path) -> None:
    rdflib = pytest.importorskip("rdflib")
    alone = Store()
    alone.load(path=str(file), format=RdfFormat.TURTLE)
    assert len(rdflib.Graph().parse(file)) == len(alone) > 0


def test_size(store: Store) -> None:
    assert len(entities(store)) >= 400
    assert len(concepts(store)) >= 40


def test_every_entity_concept_and_predicate_has_one_name_in_each_language(store: Store) -> None:
    name = NamedNode("pred:name")
    for iri in entities(store) | concepts(store) | schema(store):
        names = [quad.object for quad in store.quads_for_pattern(NamedNode(iri), name, None)]
        languages = sorted(str(n.language) for n in names if isinstance(n, Literal))
        assert languages == ["de", "en"], iri


def test_every_named_thing_is_used(store: Store) -> None:
    named = column(store, "?thing pred:name ?name", "?thing")
    assert named == entities(store) | concepts(store) | schema(store)


def test_predicate_iris_are_their_english_names(store: Store) -> None:
    for iri in schema(store):
        (name,) = column(store, f'<{iri}> pred:name ?name FILTER(LANG(?name) = "en")', "?name")
        assert iri == WORLD + name.replace(" ", "_")
        assert column(store, f"<{iri}> skos:altLabel ?other", "?other"), iri


def test_a_predicate_is_no_entity_and_no_concept(store: Store) -> None:
    assert not schema(store) & (entities(store) | concepts(store))


def test_concept_names_are_unique(store: Store) -> None:
    names = rows(store, '?c pred:name ?n . ?m pred:instance_of ?c FILTER(LANG(?n) = "en")', "?c", "?n")
    assert not [n for n, count in Counter(n for _, n in names).items() if count > 1]


def test_membership_is_stated_for_all_ancestors(store: Store) -> None:
    missing = rows(
        store,
        "?a pred:instance_of ?b . ?b rdfs:subClassOf ?c FILTER NOT EXISTS { ?a pred:instance_of ?c }",
        *("?a", "?c"),
    )
    assert missing == []
    assert column(store, "world:Paris pred:instance_of ?c", "?c") == {
        WORLD + c for c in ("capital_city", "city", "settlement", "place")
    }


def test_objects_are_entities_with_a_name_or_value_nodes(store: Store) -> None:
    assert not rows(store, "?s ?p ?o FILTER(ISIRI(?o)) FILTER NOT EXISTS { ?o pred:name ?n }", "?s", "?o")
    valueless = """?s ?p ?o FILTER(ISBLANK(?o))
        FILTER NOT EXISTS { ?o pred:value ?v } FILTER NOT EXISTS { ?o pred:year ?y }"""
    assert not rows(store, valueless, "?s", "?p")


def test_numbers_have_a_unit_and_dates_their_year(store: Store) -> None:
    numbers = column(store, "?v pred:value ?x FILTER(DATATYPE(?x) = xsd:double)", "?v")
    assert numbers == column(store, "?v pred:unit ?unit", "?v")
    dated = column(store, "?v pred:date ?date", "?v")
    assert dated == column(store, "?v pred:date ?date ; pred:year ?year FILTER(YEAR(?date) = ?year)", "?v")


def test_fact_nodes_are_whole_and_qualified_and_their_direct_triple_exists(store: Store) -> None:
    facts = column(store, "?f pred:fact_h|pred:fact_r|pred:fact_t ?x", "?f")
    whole = """?f pred:fact_h ?h ; pred:fact_r ?r ; pred:fact_t ?t . ?h ?r ?t .
        ?f ?qualifier ?v . ?v pred:value|pred:year ?x"""
    assert column(store, whole, "?f") == facts
    assert len(facts) >= 70


def test_spouses_and_borders_are_mutual(store: Store) -> None:
    for relation in ("spouse", "shares_border_with"):
        one_way = f"?a world:{relation} ?b FILTER NOT EXISTS {{ ?b world:{relation} ?a }}"
        assert not rows(store, one_way, "?a", "?b")


@pytest.mark.parametrize(("attribute", "units"), SEVERAL_UNITS.items())
def test_attributes_in_several_units(store: Store, attribute: str, units: set[str]) -> None:
    assert units <= column(store, f"?e world:{attribute}/pred:unit ?unit", "?unit")


def test_cities_with_several_dated_populations(store: Store) -> None:
    pattern = """?city pred:instance_of world:city ; world:population ?v .
        ?f pred:fact_h ?city ; pred:fact_t ?v ; world:point_in_time/pred:year ?year"""
    years = Counter(city for city, _ in rows(store, pattern, "?city", "?year"))
    assert sum(count > 1 for count in years.values()) >= 10


def test_one_relation_can_hold_twice_at_different_times(store: Store) -> None:
    pattern = """?f pred:fact_h world:Tom_Hanks ; pred:fact_r world:award_received ;
        world:point_in_time/pred:year ?year ; world:for_work/pred:value ?film"""
    assert set(rows(store, pattern, "?year", "?film")) == {("1994", "Philadelphia"), ("1995", "Forrest Gump")}


def test_ambiguous_names(store: Store) -> None:
    members = entities(store)
    named = rows(store, '?e pred:name ?name FILTER(LANG(?name) = "en")', "?e", "?name")
    shared = {name for name, count in Counter(n for e, n in named if e in members).items() if count > 1}
    assert shared >= AMBIGUOUS


def test_hostile_names(store: Store) -> None:
    assert column(store, "?e pred:name|skos:altLabel ?name", "?name") >= HOSTILE


def test_questions_are_forty_with_answers(questions: list[dict[str, Any]]) -> None:
    assert len({question["id"] for question in questions}) == len(questions) == 40
    assert len({question["question"] for question in questions}) == 40
    for question in questions:
        assert question["family"]
        assert question["answers"]
        assert all(isinstance(answer, str) and answer for answer in question["answers"])


def test_gold_programs_cover_every_function(questions: list[dict[str, Any]]) -> None:
    used = {step["function"] for question in questions for step in question["program"]}
    assert used == FUNCTIONS


def test_gold_programs_refer_to_earlier_steps(questions: list[dict[str, Any]]) -> None:
    for question in questions:
        for position, step in enumerate(question["program"]):
            assert set(step) == {"function", "dependencies", "inputs"}
            assert all(0 <= dependency < position for dependency in step["dependencies"]), question["id"]
            assert all(isinstance(text, str) for text in step["inputs"]), question["id"]


def test_gold_programs_use_names_of_the_graph(store: Store, questions: list[dict[str, Any]]) -> None:
    names = column(store, '?x pred:name ?name FILTER(LANG(?name) = "en")', "?name")
    named = {"Find", "FilterConcept", "Relate", "QueryAttr", "SelectBetween", "SelectAmong"}
    for question in questions:
        for step in question["program"]:
            if step["function"] in named or step["function"].startswith(("Filter", "QFilter", "Query")):
                assert not step["inputs"] or step["inputs"][0] in names, question["id"]


def test_one_question_is_german_with_german_answers(store: Store, questions: list[dict[str, Any]]) -> None:
    (german,) = [question for question in questions if question.get("lang") == "de"]
    names = column(store, '?x pred:name ?name FILTER(LANG(?name) = "de")', "?name")
    assert set(german["answers"]) <= names
