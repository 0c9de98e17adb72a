"""Prompts for an endpoint that has demonstrations: the nearest of them, and facts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from scripted_gateway import modelled, steps, writing
from trace_document import misfits

from benchmarks.scripted_model import ScriptedModel
from compilers.kopl.notations import NOTATIONS
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.settings import SAMPLE, Settings

WHO = "Who directed Pulp Fiction?"
DIRECTED = steps("Find(Pulp Fiction)", "Relate(directed by, forward)", "What()")
UNSOUND = steps("FindAll()", "FilterConcept(lake)", "VerifyNum(100 metre, >)")
FILMS = ("Jaws", "Titanic", "Avatar", "Skyfall", "Fargo", "Batman", "Taxi Driver", "The Shining")
LAKES = ("maximum depth", "area", "elevation")
RIVERS = ("Nile", "Danube", "Rhine", "Amazon", "Yangtze")


def demonstrations() -> Iterator[dict[str, Any]]:
    for film in FILMS:
        yield {
            "question": f"Who directed {film}?",
            "program": f"Find({film})->Relate(directed by, forward)->What()",
        }
    for attribute in LAKES:
        yield {
            "question": f"Which lake has the largest {attribute}?",
            "program": f"FindAll()->FilterConcept(lake)->SelectAmong({attribute}, largest)",
        }
    for river in RIVERS:
        yield {"question": f"How long is the {river}?", "program": f"Find({river})->QueryAttr(length)"}


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pipeline]:
    """The sample graph with demonstrations, and no model."""
    file = tmp_path_factory.mktemp("examples") / "examples.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in demonstrations()), "utf-8")
    gateway = Pipeline(Settings.for_data([SAMPLE]).with_source(examples=str(file)))
    gateway.endpoint(None).prepare()
    yield gateway
    gateway.close()


def told(shown: Pipeline, model: ScriptedModel, strategy: str) -> dict[str, Any]:
    document = modelled(shown, model).ask(Ask(WHO, strategy=strategy)).as_json()
    assert misfits(document) == []
    assert document["answer"]["text"] == "Quentin Tarantino"
    return document


def test_the_nearest_demonstrations_stand_before_the_question(shown: Pipeline) -> None:
    model = writing(DIRECTED)
    document = told(shown, model, "steps")
    (request,) = model.requests
    *before, last = _questions(request.prompt.body)
    assert last == WHO
    # Of programs that differ in names alone three are shown, the nearest next to the question.
    assert set(before[-3:]) < {f"Who directed {film}?" for film in FILMS}
    assert not [question for question in before[:-3] if question.startswith("Who directed")]
    assert _questions(request.prompt.prefix) == []
    assert document["demonstrations"][0]["question"] in before


def _questions(text: str) -> list[str]:
    return [line.partition(": ")[2] for line in text.splitlines() if line.startswith("Question: ")]


def test_code_has_the_same_demonstrations_before_every_question(shown: Pipeline) -> None:
    model = writing(NOTATIONS["code"].write(NOTATIONS["steps"].read(DIRECTED)))
    gateway = modelled(shown, model)
    for question in (WHO, "Who directed Jaws?"):
        assert gateway.ask(Ask(question, strategy="code")).program is not None
    first, *others = (request.prompt for request in model.requests)
    assert others
    assert {prompt.prefix for prompt in others} == {first.prefix}
    assert all(
        words in first.prefix for words in ("Who directed", "Which lake has the largest", "How long is")
    )
    assert first.body.count("question =") == 1


def test_a_correction_is_shown_programs_like_the_wrong_one(shown: Pipeline) -> None:
    model = writing(UNSOUND, DIRECTED)
    told(shown, model, "steps")
    first, second = (_questions(request.prompt.body) for request in model.requests)
    assert first[-2].startswith("Who directed")
    assert second[-2].startswith("Which lake has the largest")


def test_facts_stand_in_the_prompt_and_in_the_trace(shown: Pipeline) -> None:
    model = writing(DIRECTED)
    document = told(shown, model, "steps")
    assert "Pulp Fiction: directed by (forward)" in document["facts"]
    assert all(f"- {fact}" in model.requests[0].prompt.body for fact in document["facts"])


def test_how_alike_a_fact_must_be_is_learned_from_the_demonstrations(
    gateway: Pipeline, shown: Pipeline
) -> None:
    """If "how long" says "length", "rise above" may say "elevation"."""
    question = "List the mountains that rise above 20,000 feet."
    written = steps("FindAll()", "FilterConcept(mountain)", "FilterNum(elevation, 20000 feet, >)", "What()")
    untaught, taught = (
        modelled(one, writing(written)).ask(Ask(question, "sample", strategy="steps"))
        for one in (gateway, shown)
    )
    assert untaught.facts == ()
    assert taught.facts == ("mountain: elevation (attribute)",)
    assert taught.answer is not None
    assert untaught.answer is not None
    assert taught.answer.strings == untaught.answer.strings


def test_what_is_told_can_be_made_before_the_first_question(shown: Pipeline) -> None:
    with_model = modelled(shown, writing(DIRECTED))
    with_model.prepare_prompts(shown.endpoint(None))
    unprepared = modelled(shown, writing(DIRECTED))
    prepared, waited = (one.ask(Ask(WHO, strategy="steps")) for one in (with_model, unprepared))
    assert prepared.facts == waited.facts
    assert prepared.timings_ms["facts"] < waited.timings_ms["facts"]
