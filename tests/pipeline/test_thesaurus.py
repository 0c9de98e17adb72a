"""A thesaurus in SKOS: its links are relations, a definition is a value, what follows from links is left out.

The other one of two declared inverses is a relation, too, where the graph states only one.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from compilers.kopl.functions import Kind
from compilers.kopl.notations import read_program
from compilers.layouts.vocabulary import OWL, SKOS
from connectors.oxigraph import EmbeddedOxigraph
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.answering.attempt import carry_out
from nlq_gateway.answering.grounding import Grounder
from nlq_gateway.core.types import Draft
from nlq_gateway.index import BuildLimits, BuildOptions, Index, build
from nlq_gateway.settings import Settings
from nlq_gateway.trace import Recorder

GRAPH = Path(__file__).parent / "fixtures" / "thesaurus.ttl"
RELATIONS = {"broader", "narrower", "related", "member", "hasTopConcept", "topConceptOf"}
ANSWERS = {
    "What is the broader concept of Optics?": {"Physics"},
    "What is related to Optics?": {"Photography"},
    "What are the top concepts of Subjects?": {"Science", "Arts"},
    "What is the definition of Acoustics?": {"the study of sound"},
    "What is the notation of Optics?": {"535"},
    "What are the narrower concepts of Physics?": {"Optics", "Acoustics"},
    "How many narrower concepts does Physics have?": {"2"},
    "Which concepts have no narrower concepts?": {"Optics", "Acoustics", "Photography"},
    "Is Physics broader than Optics?": {"yes"},
    "Is Optics broader than Physics?": {"no"},
    "Is Optics narrower than Physics?": {"yes"},
    "Is Physics narrower than Optics?": {"no"},
    "What does the collection Senses contain?": {"Optics", "Acoustics"},
}
FAMILY = """
@prefix : <https://family.example/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:parentOf a owl:ObjectProperty ; rdfs:label "is parent of" ; owl:inverseOf :childOf .
:childOf rdfs:label "is child of" .
:ann a :Person ; rdfs:label "Ann" ; :parentOf :bo , :cy . :bo a :Person ; rdfs:label "Bo" ; :owns :dot .
:cy a :Person ; rdfs:label "Cy" . :dot a :Dog ; rdfs:label "Dot" .
"""


@pytest.fixture(scope="module")
def gateway() -> Iterator[Pipeline]:
    opened = Pipeline(Settings.for_data([GRAPH]))
    opened.endpoint(None).prepare()
    yield opened
    opened.close()


def test_the_links_between_concepts_are_relations(gateway: Pipeline) -> None:
    schema = gateway.endpoint(None).index.schema
    found = {one.iri.removeprefix(SKOS) for one in schema if one.kind == Kind.RELATION and SKOS in one.iri}
    assert found == RELATIONS


@pytest.mark.parametrize(("question", "answer"), ANSWERS.items(), ids=ANSWERS)
def test_a_question_about_the_thesaurus(gateway: Pipeline, question: str, answer: set[str]) -> None:
    found = gateway.ask(Ask(question)).answer
    assert found is not None
    assert set(found.strings) == answer


def test_the_words_of_the_inverse_are_accounted_for(gateway: Pipeline) -> None:
    assert gateway.ask(Ask("What are the narrower concepts of Physics?")).ignored == ()


def test_an_inverse_that_is_left_out_of_the_schema_stays_out(tmp_path: Path) -> None:
    store = EmbeddedOxigraph.in_memory([GRAPH])
    build(store, "direct", tmp_path, BuildOptions(limits=BuildLimits(exclude=(SKOS + "narrower",))))
    with Index.open(tmp_path, None) as index:
        broader = index.item(Kind.RELATION, SKOS + "broader")
        assert broader is not None
        assert broader.inverse == ()
        assert index.item(Kind.RELATION, SKOS + "narrower") is None


def test_an_own_inverse_stands_beside_that_of_skos(tmp_path: Path) -> None:
    (tmp_path / "own.ttl").write_text(
        f"<{SKOS}broader> <{OWL}inverseOf> <https://library.example/covers> .\n" + GRAPH.read_text("utf-8"),
        encoding="utf-8",
    )
    build(EmbeddedOxigraph.in_memory([tmp_path / "own.ttl"]), "direct", tmp_path / "index")
    with Index.open(tmp_path / "index", None) as index:
        broader = index.item(Kind.RELATION, SKOS + "broader")
        assert broader is not None
        assert broader.inverse == (SKOS + "narrower", "https://library.example/covers")


def test_the_draft_names_the_relation_that_its_program_follows(gateway: Pipeline) -> None:
    endpoint, ask = gateway.endpoint(None), Ask("What are the narrower concepts of Physics?")
    program = read_program("Step 1: Find(Physics)\nStep 2: Relate(has narrower, forward)\nStep 3: What()")
    choices = {(0, 0): ("https://library.example/physics",), (1, 0): (SKOS + "narrower",)}
    outcome = carry_out(endpoint, ask, Draft(program, "steps", 0.0, choices=choices), {}, Recorder())
    assert outcome.draft.program.steps[1].inputs == ("has broader", "backward")
    assert outcome.draft.choices[1, 0] == (SKOS + "broader",)


def test_the_stated_relation_is_taken_for_its_inverse_without_facts(tmp_path: Path) -> None:
    (tmp_path / "family.ttl").write_text(FAMILY, encoding="utf-8")
    opened = Pipeline(Settings.for_data([tmp_path / "family.ttl"]))
    opened.endpoint(None).prepare()
    index = opened.endpoint(None).index
    child = index.item(Kind.RELATION, "https://family.example/childOf")
    assert child is not None
    assert (child.label, child.count, child.inverse) == ("is child of", 2, (child.stated_as,))
    program = read_program("Step 1: Find(Bo)\nStep 2: Relate(is child of, forward)\nStep 3: What()")
    grounding = Grounder(index).ground(program)
    assert grounding.grounded.program.steps[1].inputs == ("is parent of", "backward")
    (relation,) = grounding.bindings[1:]
    assert (relation.iri, relation.how, relation.mention) == (child.stated_as, "inverse", "is child of")
    assert grounding.warnings == ()
    answer = opened.ask(Ask("Whose child is Bo?")).answer
    assert answer is not None
    assert answer.strings == ("Ann",)
    opened.close()
