"""A model's wording of an answer in other languages than English: true and false ones."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.scripted_model import ScriptedModel
from compilers.answers import Answer
from compilers.kopl.functions import Type
from nlq_gateway.answering.response import Responder, answer_text
from nlq_gateway.answering.response.faithful import fault_of
from nlq_gateway.answering.response.written import prompt_of
from nlq_gateway.models import Deadline
from tests.response.test_written import TOLD, entity, number, told

FILE = Path(__file__).parent / "fixtures" / "languages.jsonl"
CASES = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]
TABLE = Answer(
    Type.ROWS,
    tuple(map(entity, ("Ida Berg", "Tom Aldous"))),
    rows=((entity("Ida Berg"), number("3")), (entity("Tom Aldous"), number("4"))),
)
KNOWN = {**TOLD, "table": told("How many films has each?", "FindAll()->Table()", TABLE)}


@pytest.mark.parametrize("case", CASES, ids=[f"{one['lang']}-{one['text']}" for one in CASES])
def test_the_check_in_other_languages(case: dict[str, str]) -> None:
    one = replace(KNOWN[case["of"]], question=case["question"], language=case["lang"])
    fault = fault_of(case["text"], one)
    assert case["fault"] in fault if "fault" in case else fault == ""


def test_the_model_is_told_the_language() -> None:
    assert "The response is in Spanish.\nResponse:" in prompt_of(replace(TOLD["one"], language="es-MX")).body
    assert "The response is in" not in prompt_of(TOLD["one"]).body


def test_a_table_is_only_put_into_another_language() -> None:
    model = ScriptedModel.replaying("Es gibt 2 Zeilen, die erste: Ida Berg, 3.")
    table = KNOWN["table"]
    plain = answer_text(table.program, table.answer, False)
    assert Responder(model).respond(table, Deadline()).text == plain
    assert model.requests == []
    german = replace(table, question="Wie viele Filme hat jeder?", language="de")
    assert Responder(model).respond(german, Deadline()).text == "Es gibt 2 Zeilen, die erste: Ida Berg, 3."
    plain = answer_text(table.program, table.answer, False, language="de")
    assert f"- {plain}\n" in model.requests[0].prompt.body


def test_nothing_is_asked_for_in_a_language_that_cannot_be_checked() -> None:
    model = ScriptedModel.replaying("Quentin Tarantino")
    response = Responder(model).respond(replace(TOLD["one"], language="ja"), Deadline())
    assert (response.text, response.by, response.warning) == ("Quentin Tarantino", "template", None)
    assert model.requests == []


def test_the_first_row_has_the_units_of_the_graph_in_another_language() -> None:
    rows = ((entity("Nil"), number("6650", "kilometre")), (entity("Rhein"), number("1230", "kilometre")))
    table = Answer(Type.ROWS, (rows[0][0], rows[1][0]), rows=rows)
    german = replace(told("Wie lang sind sie?", "FindAll()->Table()", table), language="de")
    row = "Nil (6650 kilometre)"
    assert f"- 2 Zeilen, die erste: {row}\n" in prompt_of(german).body
    assert fault_of(f"Es gibt 2 Zeilen, die erste: {row}.", german) == ""
    refused = Responder(ScriptedModel.replaying("Der Amazonas.")).respond(german, Deadline())
    assert (refused.text, refused.by) == (f"2 Zeilen, die erste: {row}", "template")
