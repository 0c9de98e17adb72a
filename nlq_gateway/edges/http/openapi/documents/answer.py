"""An answer with its whole trace."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from nlq_gateway.edges.http.openapi.documents.numbers import Count, Milliseconds, Probability, StepNumber


class Value(TypedDict):
    """One value of an answer: an IRI with its label, or a literal.

    Where one thing has several values, `qualifier` says when it had each.
    """

    value: str
    type: Literal["iri", "literal", "boolean", "number"]
    label: NotRequired[str]
    datatype: NotRequired[str]
    lang: NotRequired[str]
    unit: NotRequired[str]
    qualifier: NotRequired[str]


class AnswerText(TypedDict):
    """The answer as a sentence and as values; `evidence` has the values that a verdict rests on."""

    text: str
    values: list[Value]
    evidence: NotRequired[list[Value]]


class TableField(TypedDict):
    """What a column's cells are; `units` and `iris` have an entry for each row where one has any.

    Where units differ and convert, `amounts` are the numbers in the unit of the first row that has one.
    """

    type: Literal["iri", "number", "boolean", "date", "year", "text"]
    units: NotRequired[list[str | None]]
    iris: NotRequired[list[str | None]]
    amounts: NotRequired[list[float | None]]


class Table(TypedDict):
    """The answer as rows of text; `fields` has an entry for each column where there is one."""

    columns: list[str]
    rows: list[list[str]]
    fields: NotRequired[list[TableField]]


class ProgramStep(TypedDict):
    """One step of a program; `dependencies` are the positions of earlier steps, from 0 (KQA Pro)."""

    function: str
    inputs: list[str]
    dependencies: list[Count]


class Program(TypedDict):
    """A KoPL program, as steps and in the notation of steps."""

    steps: list[ProgramStep]
    text: str


class Alternative(TypedDict):
    """Another IRI that an argument could have stood for; `about` says in a few words what it is."""

    iri: str
    label: str
    score: float
    about: str


class Binding(TypedDict):
    """What an argument of a step was taken for."""

    step: StepNumber
    argument: Count
    mention: str
    kind: str
    iri: str
    label: str
    score: float
    how: str
    about: str
    alternatives: list[Alternative]


class SourceSpans(TypedDict):
    """The stretches of the query that come from a step, as character offsets."""

    step: StepNumber
    spans: list[Annotated[list[Count], Field(min_length=2, max_length=2)]]


class Sparql(TypedDict):
    """A query with its source map."""

    text: str
    source_map: list[SourceSpans]


class Step(TypedDict):
    """What a step had; `count` is null where that is not known or means nothing."""

    step: StepNumber
    function: str
    count: Count | None
    examples: list[str]
    ms: Milliseconds


class Confidence(TypedDict):
    """How probable it is that the answer is right, and what that was told by."""

    score: Probability
    parts: dict[str, float]


class Repair(TypedDict):
    """What was changed in a program that a language model wrote."""

    step: StepNumber
    argument: NotRequired[Count]
    before: str
    after: str
    why: str


class Attempt(TypedDict):
    """A program that was tried, and what became of it."""

    program: str
    source: str
    score: float
    outcome: str
    how: NotRequired[str]
    repairs: NotRequired[list[Repair]]


class Warning(TypedDict):
    """Something a reader of the answer should know."""

    code: str
    message: str


class Usage(TypedDict):
    """What the language model cost."""

    calls: Count
    prompt_tokens: Count
    completion_tokens: Count
    seconds: NotRequired[float]
    cached: NotRequired[Count]


class Retrieved(TypedDict):
    """A demonstration that was near to the question."""

    question: str
    source: str
    similarity: float


class Stage(TypedDict):
    """A query that was sent for a part of the program."""

    sparql: str
    rows: Count | None
    ms: Milliseconds
    outcome: str


class SubQuestion(TypedDict):
    """A part of the question, and what it was taken for."""

    text: str
    template: str
    chain: str
    similarity: float
    probability: float
    others: list[str]


class Look(TypedDict):
    """A look at the graph that a language model took, and what it was shown."""

    tool: str
    argument: str
    result: str
    ms: Milliseconds
    tokens: Count


class ModelCall(TypedDict):
    """A call of the language model."""

    purpose: str
    prompt_tokens: Count
    completion_tokens: Count
    ms: Milliseconds
    cached: NotRequired[bool]
    request_id: NotRequired[str]
    failure: NotRequired[str]


class Answer(TypedDict):
    """An answer with its whole trace."""

    id: str
    question: str
    dataset: str
    status: Literal["answered", "empty", "ambiguous", "unanswerable"]
    answer: AnswerText
    table: Table
    truncated: bool
    program: Program | None
    bindings: list[Binding]
    sparql: Sparql | None
    steps: list[Step]
    diagnosis: NotRequired[str]
    confidence: Confidence
    strategy: str
    attempts: list[Attempt]
    warnings: list[Warning]
    timings_ms: dict[str, Milliseconds]
    usage: Usage
    index_version: str
    reading: NotRequired[str]
    ignored: NotRequired[list[str]]
    tuned: NotRequired[str]
    demonstrations: NotRequired[list[Retrieved]]
    stages: NotRequired[list[Stage]]
    repairs: NotRequired[list[Repair]]
    facts: NotRequired[list[str]]
    sub_questions: NotRequired[list[SubQuestion]]
    looks: NotRequired[list[Look]]
    model: NotRequired[str]
    model_calls: NotRequired[list[ModelCall]]
