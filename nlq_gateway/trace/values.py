"""What stages report, as parts of the document. Steps count from 0 here and from 1 in JSON."""

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
    """What an argument of a step was taken for."""

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
    """What a step had: how many entities, values or rows, with up to five examples.

    `count` is null where that is not known or means nothing: for numbers and verdicts, values on the way, and
    `FindAll` where a later step narrows it. `ms` is the step's share of the queries that asked about it.
    """

    step: StepIndex
    function: str
    count: Annotated[Count | None, Meaning("how many members; null where it was not counted")] = None
    examples: tuple[str, ...] = ()
    ms: Milliseconds = 0.0

    # As an event: a step has as many members as will ever be known.
    name: ClassVar[str] = "step"


@dataclass(frozen=True, slots=True)
class RepairTrace(DocumentPart):
    """What was changed in a program that a language model wrote."""

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
    """A reading of the question in English, with the program that finds what it asks for."""

    reading: str
    program: str


@dataclass(frozen=True, slots=True)
class Sent:
    """What a model's server was sent, apart from the prompt.

    `api` is chat or completions. `bound` names how a grammar or a JSON Schema was sent, "" where neither was.
    `effort` is that of reasoning, "" where it is left to the model. `left_out` are the parameters that the
    server does not take.
    """

    api: str
    bound: str = ""
    max_tokens: int = 0
    effort: str = ""
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ModelCall(DocumentPart):
    """A call of the language model: what for, what it took, and the server's name for it.

    A `cached` reply was known from an earlier question and cost nothing; `failure` says why there is none.
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
    """A part of the question (Keqing), the template it was taken for, and the steps that this stands for.

    `similarity` is that of both texts, `probability` that of the choice; `others` are the templates that were
    not taken.
    """

    text: str
    template: str
    chain: str
    similarity: Score
    probability: Score
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Look(DocumentPart):
    """A look at the graph that a model asked for, or that was taken at its program, and what it was shown.

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
