"""What stages report, as plain values."""

from __future__ import annotations

from dataclasses import dataclass

from compilers.kopl.repair import Repair


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another IRI that an argument could have stood for; `about` says in a few words what it is."""

    iri: str
    label: str
    score: float
    about: str = ""


@dataclass(frozen=True, slots=True)
class BindingTrace:
    """What one argument was taken for. `step` counts from 0 here and from 1 in JSON."""

    step: int
    argument: int
    mention: str
    kind: str
    iri: str
    label: str
    score: float
    how: str
    alternatives: tuple[Alternative, ...] = ()
    about: str = ""


@dataclass(frozen=True, slots=True)
class StepTrace:
    """How many entities, values or rows a step had, with up to five examples.

    None and () where that is not known: for numbers and verdicts, values on the way, and `FindAll` where a
    later step narrows it. `ms` is the step's share of the queries that asked about it.
    """

    step: int
    function: str
    count: int | None = None
    examples: tuple[str, ...] = ()
    ms: float = 0.0


@dataclass(frozen=True, slots=True)
class Attempt:
    """A program that was tried, and what became of it; `program` is what a model wrote where that is none.

    `how` says in which way a language model wrote it: greedy, corrected, sampled, decomposed, explored or
    refined.
    """

    program: str
    source: str
    score: float
    outcome: str
    repairs: tuple[Repair, ...] = ()
    how: str = ""


@dataclass(frozen=True, slots=True)
class Stage:
    """A query that was sent where the store gave up on the one for the whole program.

    `rows` is None where it gave up on this one, too; `outcome` is then why.
    """

    sparql: str
    rows: int | None
    ms: float
    outcome: str = "answered"


@dataclass(frozen=True, slots=True)
class Retrieved:
    """A demonstration near to the question, with the cosine of their vectors."""

    question: str
    source: str
    similarity: float


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
class ModelCall:
    """One call of the language model: what for, what it took, and the server's name for it.

    A `cached` reply was known from an earlier question and cost nothing; `failure` says why there is none.
    `sent` is known of servers.
    """

    purpose: str
    prompt_tokens: int
    completion_tokens: int
    ms: float
    cached: bool = False
    request_id: str = ""
    failure: str = ""
    sent: Sent | None = None


@dataclass(frozen=True, slots=True)
class SubQuestion:
    """A part of the question (Keqing), the template it was taken for, and the steps that this stands for.

    `similarity` is that of both texts, `probability` that of the choice; `others` are the templates that were
    not taken.
    """

    text: str
    template: str
    chain: str
    similarity: float
    probability: float
    others: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Look:
    """A look at the graph that a model asked for, or that was taken at its program, and what it was shown.

    `tool` is find, describe or run, or what the model took for one; `tokens` are those of the result.
    """

    tool: str
    argument: str
    result: str
    ms: float
    tokens: int


@dataclass(frozen=True, slots=True)
class Warning:
    """Something a reader of the answer should know."""

    code: str
    message: str
