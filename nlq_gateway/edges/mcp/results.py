"""The results of the tools. A model reads all of it, so they have only the parts of the trace that help."""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import BaseModel, Field

from nlq_gateway.edges.mcp.selection import At, Selection, chosen
from nlq_gateway.trace import Alternative, Attempt, BindingTrace, Json
from nlq_gateway.trace.part import Meaning
from nlq_gateway.trace.parts import ValueTrace

_VALUE = chosen(ValueTrace, "value", "label", "type", "unit")
_ALTERNATIVE = chosen(Alternative, "iri", "label", "score")
_BINDING = chosen(
    BindingTrace,
    "step", "argument", "mention", "kind", "iri", "label", "alternatives",
    alternatives=_ALTERNATIVE,
)  # fmt: skip
_ATTEMPT = chosen(Attempt, "program", "source", "score", "outcome")


class Step(BaseModel):
    """One step of the program, with what it had."""

    step: int
    call: str
    count: int | None = Field(default=None, description="how many members; null where it was not counted")
    examples: list[str] = []


class Answer(Selection):
    """An answer with what it rests on."""

    trace: Annotated[Any, At("id"), Meaning("the id to pass to `explain`")]
    dataset: Annotated[Any, At("dataset")]
    question: Annotated[Any, At("question")]
    status: Annotated[Any, At("status")]
    text: Annotated[Any, At("answer.text")]
    diagnosis: Annotated[Any, At("diagnosis")] = None
    reading: Annotated[Any, At("reading")] = None
    readings: Annotated[Any, At("readings")] = None
    confidence: Annotated[Any, At("confidence.score")]
    values: Annotated[Any, At("answer.values", _VALUE)]
    columns: Annotated[Any, At("table.columns")]
    rows: Annotated[Any, At("table.rows")]
    row_count: int = Field(description="of the whole result, of which `rows` and `values` are the beginning")
    truncated: Annotated[Any, At("truncated")]
    program: Annotated[Any, At("program.text")] = None
    sparql: Annotated[Any, At("sparql.text")] = None
    bindings: Annotated[Any, At("bindings", _BINDING)]
    notes: Annotated[Any, At("warnings.message")]

    @classmethod
    def beginning(cls, document: Json, max_rows: int) -> Self:
        """The parts of a trace's document, with so many rows and values."""
        rows, values = document["table"]["rows"], document["answer"]["values"]
        return cls.of(document, rows=rows[:max_rows], values=values[:max_rows], row_count=len(rows))


class Explanation(Selection):
    """The way to an answer, or the reason why there is none."""

    trace: Annotated[Any, At("id")]
    dataset: Annotated[Any, At("dataset")]
    question: Annotated[Any, At("question")]
    status: Annotated[Any, At("status")]
    text: Annotated[Any, At("answer.text")]
    diagnosis: Annotated[Any, At("diagnosis"), Meaning("the step at which nothing was left")] = None
    reading: Annotated[Any, At("reading")] = None
    steps: list[Step]
    bindings: Annotated[Any, At("bindings", _BINDING)]
    attempts: Annotated[
        Any, At("attempts", _ATTEMPT), Meaning("the programs that were carried out, in order")
    ]
    sparql: Annotated[Any, At("sparql.text")] = None
    strategy: Annotated[Any, At("strategy")]
    confidence: Annotated[Any, At("confidence.score")]
    confidence_parts: Annotated[Any, At("confidence.parts")]
    notes: Annotated[Any, At("warnings.message")]

    @classmethod
    def why(cls, document: Json) -> Self:
        """The parts of a trace's document that say why."""
        return cls.of(document, steps=_steps(document))


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
    """The meanings of a name, best first; none if the graph has nothing like it."""

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
    """The schema of a graph, the commonest first."""

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
    """The program's steps, each as a call, with what it had."""
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
