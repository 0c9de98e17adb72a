"""Names of which a part is another thing's name."""

from __future__ import annotations

from pathlib import Path

from benchmarks.rooms import opened
from nlq_gateway.answering import Ask
from nlq_gateway.core.types import Question
from nlq_gateway.drafts.drafter import Drafter
from nlq_gateway.question.linking import Linker
from nlq_gateway.question.reading.reading import QuestionReading

WHOLE = "Sherlock Holmes and the Secret Weapon"
QUESTION = f"What is the release year of {WHOLE}?"
GRAPH = f"""
@prefix : <http://films.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:a a :Film; rdfs:label "Sherlock Holmes"; :directedBy :x; :releaseYear 2009 .
:b a :Film; rdfs:label "{WHOLE}"; :writtenBy :y .
:c a :Film; rdfs:label "The Secret"; :directedBy :y; :releaseYear 2007 .
:x a :Person; rdfs:label "Guy Ritchie" . :y a :Person; rdfs:label "Arthur Doyle" .
"""


def test_a_thing_and_a_part_of_its_name_are_not_two_things(tmp_path: Path) -> None:
    """It has no release year, and that of a film with a part of its name is none."""
    file = tmp_path / "films.ttl"
    file.write_text(GRAPH)
    with opened((str(file),)) as gateway:
        index = gateway.endpoint(None).index
        drafts = Drafter(index).draft(QuestionReading.of(Linker(index).link(Question(QUESTION)), index))
        assert drafts
        named = [{step.inputs[0] for step in one.program.steps if step.function == "Find"} for one in drafts]
        assert [names for names in named if WHOLE in names and len(names) > 1] == []
        assert gateway.ask(Ask(QUESTION)).status != "answered"
