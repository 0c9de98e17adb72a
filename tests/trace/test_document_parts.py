"""The document is declared by the dataclasses of `nlq_gateway/trace/`: what is sent, and its schema."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Annotated, Any

import pytest
from jsonschema import Draft202012Validator
from pydantic import TypeAdapter

from compilers.answers import Answer, AnswerValue
from compilers.kopl.functions import Type
from compilers.kopl.notations import read_program
from compilers.kopl.repair import Repair
from nlq_gateway.trace import (
    Attempt,
    BindingTrace,
    Look,
    ModelCall,
    PossibleReading,
    Sent,
    Stage,
    StepTrace,
    SubQuestion,
    Trace,
)
from nlq_gateway.trace.part import (
    Count,
    DocumentPart,
    Meaning,
    Milliseconds,
    Score,
    SentAs,
    Sparse,
    StepIndex,
    component_of,
    members_of,
)
from nlq_gateway.trace.values import Alternative, Retrieved, Warning

# Fields of a trace that the document does not have, or has as a part of another member.
KEPT = {"text", "answer", "result", "columns", "cells", "query", "confidence", "confidence_parts"}
REPAIRS = (Repair(0, 0, "a", "b", "why"), Repair(1, None, "a", "", "why"))
THING = AnswerValue("http://x.example/a", "iri", "A", language="de")
AMOUNT = AnswerValue("2", "number", unit="km", qualifier="2001")

SPARING = Trace("id", "Who?", "sample", "unanswerable", "")
FULL = Trace(
    "id",
    "Who?",
    "sample",
    "answered",
    "A",
    answer=Answer(Type.ENTITIES, (THING, AMOUNT), evidence=(AMOUNT,)),
    columns=("thing", "length"),
    cells=((THING, AMOUNT), (None, AnswerValue("3", "number", unit="m"))),
    program=read_program("Find(A)->What()"),
    bindings=(
        BindingTrace(0, 0, "a", "entity", "i", "A", 0.98765, "exact", "", (Alternative("i", "A", 1.0),)),
    ),
    steps=(StepTrace(0, "Find", 0, ("A",), 1.23456), StepTrace(1, "What")),
    diagnosis="nothing",
    confidence=0.123456,
    confidence_parts={"judge": 0.98765},
    tuned="2025",
    attempts=(
        Attempt("A", "reasoner", 1.0, "answered"),
        Attempt("B", "model", 0.0, "bad", "greedy", REPAIRS),
    ),
    demonstrations=(Retrieved("Who?", "examples", 0.98765),),
    stages=(Stage("SELECT", None, 2.0, "too slow"),),
    warnings=(Warning("reading", "as it was read"),),
    timings_ms={"total": 1.23456},
    reading="who is A?",
    reading_language="de",
    readings=(PossibleReading("who is A?", "A"),),
    ignored=("x",),
    repairs=REPAIRS,
    facts=("A: b",),
    sub_questions=(SubQuestion("Who?", "", "", 0.0, 0.0),),
    looks=(Look("find", "a", "A", 1.0, 3),),
    model="tiny",
    model_calls=(
        ModelCall("write", 1, 2, 1500.0, sent=Sent("chat")),
        ModelCall("ground", 1, 2, 0.0, cached=True),
    ),
)


def test_every_field_of_a_trace_is_sent_or_kept_on_purpose() -> None:
    """A field that is neither in `MEMBERS` nor here would be lost without a word."""
    sent = {member.attribute for member in members_of(Trace)}
    assert {field.name for field in fields(Trace)} <= sent | KEPT


def test_a_trace_is_sent_with_all_its_members_in_order() -> None:
    assert list(FULL.as_json()) == [member.name for member in members_of(Trace)]


def test_what_there_is_nothing_to_say_of_is_left_out() -> None:
    assert list(SPARING.as_json()) == [member.name for member in members_of(Trace) if not member.sparse]
    assert [list(one) for one in FULL.as_json()["repairs"]] == [
        ["step", "argument", "before", "after", "why"],
        ["step", "before", "after", "why"],
    ]


def test_what_is_told_is_counted_from_one_and_rounded() -> None:
    document = FULL.as_json()
    assert document["confidence"] == {"score": 0.1235, "parts": {"judge": 0.988}}
    assert document["steps"][0] == {"step": 1, "function": "Find", "count": 0, "examples": ["A"], "ms": 1.235}
    assert document["usage"] == {
        "calls": 1,
        "prompt_tokens": 1,
        "completion_tokens": 2,
        "seconds": 1.5,
        "cached": 1,
    }


@pytest.mark.parametrize("trace", [FULL, SPARING])
def test_a_trace_is_of_its_schema_and_has_no_other_members(trace: Trace) -> None:
    assert not list(Draft202012Validator(closed(Trace)).iter_errors(trace.as_json()))


def closed(part: type[DocumentPart]) -> dict[str, Any]:
    """The schema of a part without room for members that are not listed."""
    schema = TypeAdapter(part).json_schema(mode="serialization")
    for one in (schema, *schema["$defs"].values()):
        if "properties" in one:
            one["additionalProperties"] = False
    return schema


def _loud(text: str) -> str:
    return text.upper()


@dataclass(frozen=True, slots=True)
class Whistle:
    """A stage's own object, such as one of the compiler."""

    name: str


@dataclass(frozen=True, slots=True)
class WhistleTrace(DocumentPart):
    """A thing to blow."""

    name: Annotated[str, SentAs(_loud)]


@dataclass(frozen=True, slots=True)
class Band(DocumentPart):
    """A few of them."""

    first: StepIndex
    score: Score
    ms: Milliseconds
    whistles: tuple[Annotated[Whistle, SentAs(WhistleTrace)], ...]
    size: Annotated[Count | None, Meaning("how many play")] = None
    name: Sparse[str | None] = None
    town: Sparse[str] = "Bremen"

    MEMBERS = ("first", "score", "ms", "players=whistles", "size", "name", "town", "loud")

    @property
    def loud(self) -> bool:
        """True if it is heard."""
        return bool(self.whistles)


def test_a_part_is_sent_as_it_declares() -> None:
    band = Band(0, 0.123456, 1.23456, (Whistle("tin"),))
    sent = {
        "first": 1,
        "score": 0.1235,
        "ms": 1.235,
        "players": [{"name": "TIN"}],
        "size": None,
        "loud": True,
    }
    assert band.as_json() == sent
    assert Band(0, 0.0, 0.0, (), 0, "", "Ulm").as_json() == {
        "first": 1,
        "score": 0.0,
        "ms": 0.0,
        "players": [],
        "size": 0,
        "name": "",
        "town": "Ulm",
        "loud": False,
    }


def test_the_schema_of_a_part_says_what_is_sent() -> None:
    schema = TypeAdapter(Band).json_schema(mode="serialization")
    assert (schema["title"], schema["description"]) == ("Band", "A few of them.")
    assert schema["required"] == ["first", "score", "ms", "players", "size", "loud"]
    assert schema["$defs"]["Whistle"]["description"] == "A thing to blow."
    told = {
        name: {key: one[key] for key in one if key != "title"} for name, one in schema["properties"].items()
    }
    assert told == {
        "first": {"type": "integer", "minimum": 1},
        "score": {"type": "number"},
        "ms": {"type": "number", "minimum": 0},
        "players": {"type": "array", "items": {"$ref": "#/$defs/Whistle"}},
        "size": {
            "anyOf": [{"type": "integer", "minimum": 0}, {"type": "null"}],
            "description": "how many play",
        },
        "name": {"type": "string"},
        "town": {"type": "string"},
        "loud": {"type": "boolean"},
    }


def test_schemas_are_named_as_their_parts() -> None:
    assert [component_of(part) for part in (Trace, BindingTrace, Attempt)] == ["Answer", "Binding", "Attempt"]
