"""Programs with names that the graph lacks: what is told of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.rooms import opened
from compilers.errors import UnsupportedProgram
from compilers.kopl.notations import read_program
from nlq_gateway.answering import Pipeline

SHOWS = """
@prefix : <http://stage.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:a a :Show ; rdfs:label "Die Brücke" ; :status :open ; :runningTime 90 ; :follows :b ; :hall "GreatHall" .
:a :abv 4.5 . :abv rdfs:label "alcohol by volume" . :ticketCode rdfs:label "code of the ticket" .
:b a :Show ; rdfs:label "Winter" ; :status :closed ; :runningTime 75 ; :hall "LakeHall" ; :ticketCode "T-17" .
:a :stage "low" . :open a :State ; rdfs:label "open" . :closed a :State ; rdfs:label "closed" .
"""


@pytest.fixture(scope="module")
def shows(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pipeline]:
    file: Path = tmp_path_factory.mktemp("data") / "shows.ttl"
    file.write_text(SHOWS, encoding="utf-8")
    with opened((str(file),)) as gateway:
        yield gateway


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("Find(Winter)->QueryAttr(runing tme)", "attribute 'runing tme' {}; did you mean 'running time'?"),
        (
            "Find(Winter)->RelateTransitive(folows, forward)->What()",
            "relation 'folows' {}; did you mean 'follows'?",
        ),
        (
            "FindAll()->FilterStr(Status, open)->What()",
            "attribute 'Status' {}; 'status' is a relation to state: use Relate",
        ),
        (
            "Find(Winter)->Relate(running time, forward)->What()",
            "relation 'running time' {}; 'running time' is an attribute: use QueryAttr",
        ),
        ("Find(Winter)->QueryAttr(abv)", "attribute 'abv' {}; did you mean 'alcohol by volume'?"),
        ("Find(Winter)->QueryAttr(alcohol)", "attribute 'alcohol' {}; did you mean 'alcohol by volume'?"),
        ("Find(Winter)->QueryAttr(ticket)", "attribute 'ticket' {}; did you mean 'code of the ticket'?"),
        (
            "Find(Winter)->QueryAttr(zzqq)",
            "attribute 'zzqq' {}; those before it have 'hall', 'running time', 'alcohol by volume', "
            "'code of the ticket', 'stage'",
        ),
        ("FindAll()->FilterConcept(zzqq)->Count()", "concept 'zzqq' {}"),
        ("Find(Winter)->Relate(zzqq, forward)->What()", "relation 'zzqq' {}"),
    ],
)
def test_an_error_says_what_is_near(shows: Pipeline, program: str, message: str) -> None:
    with pytest.raises(UnsupportedProgram) as caught:
        shows.run(read_program(program))
    assert caught.value.message == f"step 2: no {message.format('in this graph')}"


def test_a_warning_says_what_is_near(shows: Pipeline) -> None:
    (warning,) = shows.run(read_program("Find(Brücke)->What()")).warnings
    told = "step 1: no entity 'Brücke' in this graph; did you mean 'Die Brücke'?"
    assert (warning.code, warning.message) == ("unknown-name", told)


def test_a_warning_says_whose_value_a_name_is(shows: Pipeline) -> None:
    (warning,) = shows.run(read_program("Find(T-17)->What()")).warnings
    told = "'T-17' is a value of 'code of the ticket': use FilterStr(code of the ticket, T-17)"
    assert warning.message == f"step 1: no entity 'T-17' in this graph; {told}"


def test_a_class_that_a_sample_may_lack_is_looked_for(
    shows: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(shows.endpoint(None).index.manifest.sampled, "concepts", "those in a sample")
    trace = shows.run(read_program("FindAll()->FilterConcept(zzqq)->Count()"))
    assert (trace.text, [one.code for one in trace.warnings]) == ("0", ["unknown-name"])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("great", ", leaves nothing of the 2 before it. In the graph, hall is “GreatHall” or “LakeHall”."),
        ("LakeHall", None),
    ],
)
def test_a_text_filter_that_leaves_nothing_has_the_few_values_told(
    shows: Pipeline, text: str, told: str | None
) -> None:
    step = f"FilterStr(hall, {text})"
    diagnosis = shows.run(read_program(f"FindAll()->FilterConcept(show)->{step}->What()")).diagnosis
    assert diagnosis == (told and f"Step 3, {step}{told}")


@pytest.mark.parametrize(
    ("program", "told"),
    [
        (
            "FindAll()->FilterStr(hall, great)->Count()",
            "In the graph, hall is “GreatHall” or “LakeHall”.",
        ),
        ("FindAll()->FilterStr(hall, LakeHall)->FilterNum(running time, 900, >)->Count()", None),
        ("Find(open)->Relate(status, forward)->What()", "“status” leads to open, not from it: use backward."),
        (
            "FindAll()->FilterConcept(show)->Relate(status, backward)->What()",
            "“status” leads from show, not to it: use forward.",
        ),
        ("Find(Winter)->Relate(follows, forward)->What()", None),
        ("Find(Winter)->QueryAttr(stage)", "The graph states no “stage” of Winter."),
        ("Find(Winter)->QueryAttr(running time)", None),
    ],
)
def test_the_index_tells_why_a_step_finds_nothing(shows: Pipeline, program: str, told: str | None) -> None:
    assert shows.run(read_program(program), probes=False).diagnosis == told


@pytest.mark.parametrize(
    ("program", "told"),
    [
        ("Find(Winter)->QueryAttr(stage)", "The graph states no “stage” of Winter."),
        (
            "Find(open)->Relate(status, forward)->What()",
            "Step 2, Relate(status, forward), leaves nothing of the 1 before it. "
            "“status” leads to open, not from it: use backward.",
        ),
    ],
)
def test_so_it_does_beside_the_sizes_of_steps(shows: Pipeline, program: str, told: str) -> None:
    assert shows.run(read_program(program)).diagnosis == told
