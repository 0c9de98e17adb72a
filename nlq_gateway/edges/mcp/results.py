"""What the tools give. A model reads all of it: it is what helps to answer, not the whole trace."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

Json = dict[str, Any]
Status = Literal["answered", "empty", "ambiguous", "unanswerable"]


class Value(BaseModel):
    """One value of an answer."""

    value: str = Field(description="an IRI, a number, a text, a date, yes or no")
    label: str | None = Field(default=None, description="the name of what the IRI stands for")
    type: str = Field(description="iri, literal, number or boolean")
    unit: str | None = None


class Alternative(BaseModel):
    """Another thing that a name could have stood for."""

    iri: str
    label: str
    score: float


class Binding(BaseModel):
    """What a name in the program was taken for."""

    step: int
    argument: int = Field(description="counted from 0")
    mention: str = Field(description="the words of the question")
    kind: str
    iri: str
    label: str
    alternatives: list[Alternative] = Field(
        description="pass one of their IRIs to `run` as a pin to choose it"
    )


class Step(BaseModel):
    """One step of the program, with what it had."""

    step: int
    call: str
    count: int | None = Field(default=None, description="how many members; null where it was not counted")
    examples: list[str] = []


class Answer(BaseModel):
    """An answer with what it rests on."""

    trace: str = Field(description="the id to pass to `explain`")
    dataset: str
    question: str
    status: Status = Field(
        description="empty: nothing in the graph matches, a finding; ambiguous: another reading is about as "
        "likely; unanswerable: the graph does not speak of this, or no reading is sure enough"
    )
    text: str = Field(description="the answer in words, or what is not known")
    diagnosis: str | None = Field(default=None, description="why there is no answer")
    reading: str | None = Field(default=None, description="the question as it was understood")
    confidence: float = Field(description="the probability that the answer is right")
    values: list[Value]
    columns: list[str]
    rows: list[list[str]]
    row_count: int = Field(description="of the whole result, of which `rows` and `values` are the beginning")
    truncated: bool = Field(description="whether the store has more rows than were fetched")
    program: str | None = Field(default=None, description="the steps, in KoPL")
    sparql: str | None = None
    bindings: list[Binding]
    notes: list[str]

    @classmethod
    def of(cls, document: Json, max_rows: int) -> Answer:
        """The parts of a trace's document, with so many rows."""
        rows = document["table"]["rows"]
        return cls(
            trace=document["id"],
            dataset=document["dataset"],
            question=document["question"],
            status=document["status"],
            text=document["answer"]["text"],
            diagnosis=document.get("diagnosis"),
            reading=document.get("reading"),
            confidence=document["confidence"]["score"],
            values=[Value.model_validate(one) for one in document["answer"]["values"][:max_rows]],
            columns=document["table"]["columns"],
            rows=rows[:max_rows],
            row_count=len(rows),
            truncated=document["truncated"],
            program=document["program"]["text"] if document["program"] else None,
            sparql=document["sparql"]["text"] if document["sparql"] else None,
            bindings=[Binding.model_validate(one) for one in document["bindings"]],
            notes=[one["message"] for one in document["warnings"]],
        )


class Attempt(BaseModel):
    """A program that was tried."""

    program: str
    source: str
    score: float
    outcome: str


class Explanation(BaseModel):
    """How an answer came about, or why there is none."""

    trace: str
    dataset: str
    question: str
    status: Status
    text: str
    diagnosis: str | None = Field(default=None, description="the step at which nothing was left")
    reading: str | None = None
    steps: list[Step]
    bindings: list[Binding]
    attempts: list[Attempt] = Field(description="the programs that were carried out, in order")
    sparql: str | None = None
    strategy: str
    confidence: float
    confidence_parts: dict[str, float]
    notes: list[str]

    @classmethod
    def of(cls, document: Json) -> Explanation:
        """The parts of a trace's document that say why."""
        return cls(
            trace=document["id"],
            dataset=document["dataset"],
            question=document["question"],
            status=document["status"],
            text=document["answer"]["text"],
            diagnosis=document.get("diagnosis"),
            reading=document.get("reading"),
            steps=_steps(document),
            bindings=[Binding.model_validate(one) for one in document["bindings"]],
            attempts=[Attempt.model_validate(one) for one in document["attempts"]],
            sparql=document["sparql"]["text"] if document["sparql"] else None,
            strategy=document["strategy"],
            confidence=document["confidence"]["score"],
            confidence_parts=document["confidence"]["parts"],
            notes=[one["message"] for one in document["warnings"]],
        )


class Candidate(BaseModel):
    """Something of the graph that a name may stand for."""

    kind: str
    iri: str
    label: str
    matched: str = Field(description="the name of it that is like the one asked for")
    score: float = Field(description="1 for the very name, less for every way that is less sure")
    how: str = Field(description="exact, folded (but for case and marks), alias, prefix, fuzzy, text, vector")
    classes: list[str] = Field(default=[], description="of an entity, the labels of its classes")
    facts: int = Field(description="how many facts, or members of a class, the graph has of it")
    description: str = ""


class Candidates(BaseModel):
    """What a name may stand for, best first; none where the graph has nothing like it."""

    dataset: str
    name: str
    candidates: list[Candidate]


class SchemaEntry(BaseModel):
    """A class, relation, attribute or qualifier of the graph."""

    iri: str
    label: str
    count: int
    of: list[str] = Field(default=[], description="the classes that have it, the commonest first")
    to: list[str] = Field(default=[], description="the classes that a relation leads to")
    values: list[str] = Field(default=[], description="the types of an attribute's values")
    units: list[str] = []
    examples: list[str] = []


class Dataset(BaseModel):
    """A graph that can be asked."""

    id: str
    aliases: list[str]
    status: str = Field(description="ready, loading or down")
    detail: str = ""


class Schema(BaseModel):
    """What can be asked of a graph; the commonest first."""

    dataset: str
    datasets: list[Dataset] = Field(description="every graph there is")
    counts: dict[str, int]
    questions: list[str] = Field(description="examples of questions, where there are some")
    concepts: list[SchemaEntry]
    relations: list[SchemaEntry]
    attributes: list[SchemaEntry]
    qualifiers: list[SchemaEntry]


class Compiled(BaseModel):
    """A program as a query."""

    dataset: str
    program: str = Field(description="the program as it was understood, step by step")
    sparql: str
    columns: list[str]
    notes: list[str] = Field(description="names that the graph does not have")


def _steps(document: Json) -> list[Step]:
    """The program's steps with what each had."""
    if document["program"] is None:
        return []
    found = {one["step"]: one for one in document["steps"]}
    calls = (f"{step['function']}({', '.join(step['inputs'])})" for step in document["program"]["steps"])
    return [
        Step(
            step=number,
            call=call,
            count=found.get(number, {}).get("count"),
            examples=found.get(number, {}).get("examples", []),
        )
        for number, call in enumerate(calls, 1)
    ]
