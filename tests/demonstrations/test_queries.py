"""Queries as demonstrations: their programs say what the graph's labels say, and find the queries' rows."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from compilers.compile import compile_program
from compilers.from_sparql import Attribute, CannotState, Relation
from compilers.kopl.functions import Kind, ValueType
from compilers.kopl.values import Date
from compilers.layouts import Options
from compilers.layouts.vocabulary import RDFS
from compilers.read_answers import read_answer
from connectors.oxigraph import EmbeddedOxigraph
from nlq_gateway.answering.grounding import Grounder
from nlq_gateway.drafts.demonstrations.queries import demonstration_of_query, schema_of
from nlq_gateway.index import Index, build
from tests.compiler.rdf_wikidata import as_wikidata
from tests.oracle.graph import AttributeFact, Concept, Entity, Graph, RelationFact

FILMS = "http://films.example/"
PREFIX = f"PREFIX : <{FILMS}> PREFIX rdfs: <{RDFS}> "


def test_names_are_labels_and_iris_are_choices(films: Index) -> None:
    query = PREFIX + "SELECT DISTINCT ?t WHERE { ?f a :Film ; :director :p1 ; :film_title ?t }"
    found = demonstration_of_query("What are the films of David Lynch called?", query, films)
    assert found.question == "What are the films of David Lynch called?"
    assert [str(step) for step in found.program.steps] == [
        "Find(David Lynch)",
        "Relate(directed by, backward)",
        "FilterConcept(film)",
        "QueryAttr(title)",
    ]
    assert found.choices == {
        (0, 0): (FILMS + "p1",),
        (1, 0): (FILMS + "director",),
        (2, 0): (FILMS + "Film",),
        (3, 0): (FILMS + "film_title",),
    }


def test_prefixes_of_the_graph_are_known(films: Index) -> None:
    found = demonstration_of_query("How many films?", "SELECT (COUNT(*) AS ?n) { ?f a f:Film }", films)
    assert [step.function for step in found.program.steps] == ["FindAll", "FilterConcept", "Count"]


@pytest.mark.parametrize(
    "query",
    [
        "SELECT ?t WHERE { ?p a :Person ; :person_title ?t }",
        "SELECT ?t ?g WHERE { ?f a :Film ; :film_title ?t ; :genre ?g }",
        "SELECT ?t WHERE { ?f a :Film ; :film_title ?t ; :cost ?c } ORDER BY DESC(?c) LIMIT 1",
        "SELECT ?t (COUNT(*) AS ?n) WHERE { ?f a :Film ; :film_title ?t } GROUP BY ?t",
        "SELECT ?s WHERE { ?f :actor :p2 ; :shown ?s }",
        "SELECT (COUNT(*) AS ?n) WHERE { ?f :actor ?a }",
    ],
)
def test_grounded_with_its_choices_it_gives_the_rows(
    films: Index, films_store: EmbeddedOxigraph, query: str
) -> None:
    gold = films_store.query(PREFIX + query).rows
    found = demonstration_of_query("?", PREFIX + query, films)
    grounding = Grounder(films).ground(found.program, choices=found.choices, near=False)
    compiled = compile_program(grounding.grounded, "direct", Options())
    result = films_store.query(compiled.text)
    strings = read_answer(compiled, result.columns, result.rows).strings
    assert grounding.warnings == ()
    assert gold
    assert Counter(tuple(line.split("\t")) for line in strings) == Counter(
        tuple("" if cell is None else cell.value for cell in row) for row in gold
    )


def test_names_are_those_of_entities(films: Index) -> None:
    query = PREFIX + "SELECT ?n WHERE { ?f rdfs:label ?n ; :director ?d . ?d rdfs:label 'David Lynch'@en }"
    found = demonstration_of_query("What did David Lynch direct?", query, films)
    assert [str(step) for step in found.program.steps] == [
        "Find(David Lynch)",
        "Relate(directed by, backward)",
        "Table()",
    ]
    assert found.choices == {(1, 0): (FILMS + "director",)}


def test_truthy_triples_of_a_wikibase(tmp_path: Path) -> None:
    graph = Graph(
        {"A": Entity("Ada", ("C",)), "B": Entity("Bo", ("C",))},
        {"C": Concept("person", ("D",)), "D": Concept("being", ())},
        frozenset({AttributeFact("A", "born", Date(1970, 3, 1))}),
        frozenset({RelationFact("A", "friend", "B")}),
    )
    store = as_wikidata(graph)
    build(EmbeddedOxigraph(lambda: store, address="memory"), "wikidata", tmp_path)
    with Index.open(tmp_path, None) as index:
        (friend,) = index.named(Kind.RELATION, "friend")
        (being,) = index.named(Kind.CONCEPT, "being")
        direct = friend.iri.replace("/entity/", "/prop/direct/")
        wikidata = "http://www.wikidata.org/prop/direct/"
        path = f"<{wikidata}P31>/<{wikidata}P279>*"
        query = f"SELECT DISTINCT ?x WHERE {{ ?x {path} <{being.iri}> ; <{direct}> ?y }}"
        found = demonstration_of_query("Which beings have friends?", query, index)
    assert [str(step) for step in found.program.steps] == [
        "FindAll()",
        "FilterConcept(being)",
        "FilterHasRelation(friend, forward)",
        "What()",
    ]
    assert found.choices == {(1, 0): (being.iri,), (2, 0): (friend.iri,)}


def test_schema_is_read_from_the_index(films: Index) -> None:
    schema = schema_of(films)
    film, person = FILMS + "Film", FILMS + "Person"
    assert schema.attributes == {
        FILMS + "film_title": Attribute((ValueType.STRING,), everywhere=frozenset((film,))),
        FILMS + "person_title": Attribute((ValueType.STRING,)),
        FILMS + "genre": Attribute((ValueType.STRING,), single=False),
        FILMS + "cost": Attribute((ValueType.QUANTITY,)),
        FILMS + "shown": Attribute((ValueType.DATE,)),
    }
    assert schema.relations == {
        FILMS + "director": Relation(single=True, inverse_single=False),
        FILMS + "actor": Relation(single=False, inverse_single=False),
    }
    assert person not in schema.attributes[FILMS + "person_title"].everywhere


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("?f a :Book", "the graph has no concept <http://films.example/Book>"),
        ("?f :director :p9", "the graph has no entity <http://films.example/p9>"),
        ("?f :writer :p1", "the graph has no relation <http://films.example/writer>"),
        ("?f a :Film ; :pages ?p", "the graph has no attribute <http://films.example/pages>"),
        ("?f a :Film OPTIONAL { ?f :cost ?c }", "OPTIONAL inside a pattern"),
    ],
)
def test_what_cannot_be_said_is_refused(films: Index, pattern: str, reason: str) -> None:
    with pytest.raises(CannotState) as refused:
        demonstration_of_query("?", f"{PREFIX}SELECT DISTINCT ?f WHERE {{ {pattern} }}", films)
    assert refused.value.message == reason


def test_counts_of_a_sample_prove_nothing(films: Index) -> None:
    films.manifest.sampled["attribute counts"] = "from 10 facts of each predicate"
    try:
        assert not any(a.single or a.everywhere for a in schema_of(films).attributes.values())
    finally:
        films.manifest.sampled.clear()
