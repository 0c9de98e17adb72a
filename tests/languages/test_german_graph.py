"""German questions over a graph with German labels alone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks.rooms import opened
from nlq_gateway.answering import Ask, Pipeline

TOWNS = (
    ("Berlin", "Deutschland", 3700000),
    ("München", "Deutschland", 1500000),
    ("Paris", "Frankreich", 2100000),
)
CAPITALS = (("Deutschland", "Berlin"), ("Frankreich", "Paris"))


def _facts() -> Iterator[str]:
    for term, kind, label in (
        ("Stadt", "Class", "Stadt"),
        ("Land", "Class", "Land"),
        ("hauptstadt", "ObjectProperty", "Hauptstadt"),
        ("liegtIn", "ObjectProperty", "liegt in"),
        ("einwohner", "DatatypeProperty", "Einwohner"),
    ):
        yield f'e:{term} a owl:{kind} ; rdfs:label "{label}"@de .'
    for town, land, people in TOWNS:
        yield f'e:{town} a e:Stadt ; rdfs:label "{town}"@de ; e:liegtIn e:{land} ; e:einwohner {people} .'
    for land, town in CAPITALS:
        yield f'e:{land} a e:Land ; rdfs:label "{land}"@de ; e:hauptstadt e:{town} .'


@pytest.fixture(scope="module")
def lands(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pipeline]:
    """Towns and lands with German labels."""
    file = tmp_path_factory.mktemp("graph") / "lands.ttl"
    prefixes = (
        "@prefix e: <http://lands.example/> .\n@prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
    )
    file.write_text(prefixes + "\n".join(_facts()), encoding="utf-8")
    with opened((str(file),)) as gateway:
        yield gateway


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Was ist die Hauptstadt von Deutschland?", ("Berlin",)),
        ("Ist Berlin die Hauptstadt von Deutschland?", ("yes",)),
        ("Ist Paris die Hauptstadt von Deutschland?", ("no",)),
        ("Wie viele Städte gibt es?", ("3",)),
        ("Haben alle Länder eine Hauptstadt?", ("yes",)),
        ("Liegt jede Stadt in Frankreich?", ("no",)),
    ],
)
def test_a_german_question_gets_its_answer(lands: Pipeline, question: str, expected: tuple[str, ...]) -> None:
    answer = lands.ask(Ask(question, language="de")).answer
    assert answer is not None
    assert answer.strings == expected


def test_no_yes_or_no_answers_a_question_for_things(lands: Pipeline) -> None:
    trace = lands.ask(Ask("Welche Städte in Deutschland haben mehr als 5000000 Einwohner?", language="de"))
    assert trace.status in ("empty", "unanswerable")


PEOPLE = """
@prefix e: <http://people.example/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
e:Person a owl:Class ; rdfs:label "Person"@de .
e:loves a owl:ObjectProperty ; rdfs:label "liebt"@de .
e:boss a owl:ObjectProperty ; rdfs:label "Chef"@de .
e:trained a owl:ObjectProperty ; rdfs:label "ausgebildet von"@de .
e:a a e:Person ; rdfs:label "Anna"@de ; e:loves e:b ; e:boss e:c ; e:trained e:d .
e:b a e:Person ; rdfs:label "Bernd"@de ; e:loves e:c ; e:boss e:a ; e:trained e:a .
e:c a e:Person ; rdfs:label "Clara"@de ; e:loves e:d ; e:trained e:b .
e:d a e:Person ; rdfs:label "Dirk"@de ; e:loves e:a ; e:boss e:c ; e:trained e:c .
"""


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pipeline]:
    """People with relations that may lead either way between any two of them."""
    file = tmp_path_factory.mktemp("graph") / "people.ttl"
    file.write_text(PEOPLE, encoding="utf-8")
    with opened((str(file),)) as gateway:
        yield gateway


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Wen liebt Anna?", "Bernd"),
        ("Wer liebt Anna?", "Dirk"),
        ("Von wem wird Anna geliebt?", "Dirk"),
        ("Liebt Anna Bernd?", "yes"),
        ("Liebt Bernd Anna?", "no"),
        ("Wer ist der Chef von Anna?", "Clara"),
        ("Wessen Chef ist Anna?", "Bernd"),
        ("Ist Clara der Chef von Anna?", "yes"),
        ("Ist Anna der Chef von Clara?", "no"),
        ("Wer hat Bernd ausgebildet?", "Anna"),
        ("Wen hat Bernd ausgebildet?", "Clara"),
        ("Von wem wurde Bernd ausgebildet?", "Anna"),
    ],
)
def test_case_and_voice_say_which_way_a_relation_leads(
    people: Pipeline, question: str, expected: str
) -> None:
    answer = people.ask(Ask(question)).answer
    assert answer is not None
    assert answer.strings == (expected,)


def test_nothing_is_guessed_of_a_name_alone(people: Pipeline) -> None:
    assert people.ask(Ask("Wie viele Annas gibt es?")).status == "unanswerable"
