"""Reports of stages, as parts of the document. Steps count from 0 here and from 1 in JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, TypeAlias

from compilers.kopl.repair import Repair
from nlq_gateway.trace.part import (
    Count,
    DocumentPart,
    Meaning,
    Milliseconds,
    Score,
    SentAs,
    Sparse,
    StepIndex,
)


@dataclass(frozen=True, slots=True)
class Alternative(DocumentPart):
    """Another IRI that an argument could have stood for.

    `about` says in a few words what it is.
    """

    iri: str
    label: str
    score: Score
    about: str = ""


@dataclass(frozen=True, slots=True)
class BindingTrace(DocumentPart):
    """The entity or item chosen for an argument of a step."""

    step: StepIndex
    argument: Annotated[Count, Meaning("counted from 0")]
    mention: Annotated[str, Meaning("the words of the question")]
    kind: str
    iri: str
    label: str
    score: Score
    how: str
    about: str = ""
    alternatives: Annotated[
        tuple[Alternative, ...], Meaning("pass one of their IRIs to `run` as a pin to choose it")
    ] = ()


@dataclass(frozen=True, slots=True)
class StepTrace(DocumentPart):
    """The result of a step: the number of entities, values or rows, with up to five examples.

    `count` is null if it is unknown or has no meaning: for numbers and verdicts, intermediate values, and
    `FindAll` if a later step narrows it. `ms` is the step's share of the queries that counted it.
    """

    step: StepIndex
    function: str
    count: Annotated[Count | None, Meaning("the number of members; null if not counted")] = None
    examples: tuple[str, ...] = ()
    ms: Milliseconds = 0.0

    # As an event: the final count of the step.
    name: ClassVar[str] = "step"


@dataclass(frozen=True, slots=True)
class RepairTrace(DocumentPart):
    """A change of a program that a language model wrote."""

    step: StepIndex
    argument: Sparse[Count | None]
    before: str
    after: str
    why: str


Repairs: TypeAlias = tuple[Annotated[Repair, SentAs(RepairTrace)], ...]


@dataclass(frozen=True, slots=True)
class Attempt(DocumentPart):
    """A program that was tried, and what became of it.

    `program` is what a language model wrote where that is none. `how` says in which way it did: greedy,
    corrected, sampled, decomposed, explored or refined.
    """

    program: str
    source: str
    score: Score
    outcome: str
    how: Sparse[str] = ""
    repairs: Sparse[Repairs] = ()


@dataclass(frozen=True, slots=True)
class Stage(DocumentPart):
    """A query that was sent for a part of the program.

    `rows` is null where the store gave up on it; `outcome` is then why.
    """

    sparql: str
    rows: Count | None
    ms: Milliseconds
    outcome: str = "answered"


@dataclass(frozen=True, slots=True)
class Retrieved(DocumentPart):
    """A demonstration that was near to the question, with the cosine of their vectors."""

    question: str
    source: str
    similarity: Score


@dataclass(frozen=True, slots=True)
class PossibleReading(DocumentPart):
    """A reading of the question in words, with its program."""

    reading: str
    program: str


@dataclass(frozen=True, slots=True)
class Sent:
    """The request to a model's server, apart from the prompt.

    `api` is chat or completions. `bound` names the parameter of a grammar or a JSON Schema, "" for neither.
    `effort` is that of reasoning, "" if it is left to the model. `left_out` are the parameters that the
    server does not take.
    """

    api: str
    bound: str = ""
    max_tokens: int = 0
    effort: str = ""
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ModelCall(DocumentPart):
    """A call of the language model: its purpose, its cost, and the server's name for it.

    A `cached` reply was known from an earlier question and cost nothing; `failure` explains a missing one.
    """

    purpose: str
    prompt_tokens: Count
    completion_tokens: Count
    ms: Milliseconds
    cached: Sparse[bool] = False
    request_id: Sparse[str] = ""
    failure: Sparse[str] = ""
    # Known of servers, and no part of the document.
    sent: Sent | None = None

    MEMBERS: ClassVar = (
        "purpose", "prompt_tokens", "completion_tokens", "ms", "cached", "request_id", "failure"
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class SubQuestion(DocumentPart):
    """A part of the question (Keqing), the template matched to it, and the template's steps.

    `similarity` is that of both texts, `probability` that of the choice; `others` are the templates not
    chosen.
    """

    text: str
    template: str
    chain: str
    similarity: Score
    probability: Score
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Look(DocumentPart):
    """A look at the graph that a model requested, or that its program caused, and the result.

    `tool` is find, describe or run, or what the model took for one; `tokens` are those of the result.
    """

    tool: str
    argument: str
    result: str
    ms: Milliseconds
    tokens: Count


@dataclass(frozen=True, slots=True)
class Warning(DocumentPart):
    """Something a reader of the answer should know."""

    code: str
    message: str
