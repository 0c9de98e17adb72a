"""The parts of the document that are made of what the compiler gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, TypeAlias

from annotated_types import Len

from compilers.answers import AnswerValue
from compilers.compile import CompiledQuery
from compilers.kopl.notations import NOTATIONS
from compilers.kopl.program import Program, Step
from compilers.layouts.base import Column
from compilers.probes import Probe
from nlq_gateway.trace.part import Count, DocumentPart, Json, Meaning, SentAs, Sparse, StepIndex, written


@dataclass(frozen=True, slots=True)
class ValueTrace(DocumentPart):
    """One value of an answer: an IRI with its label, or a literal.

    If one thing has several values, `qualifier` is the time of each.
    """

    value: Annotated[str, Meaning("an IRI, a number, a text, a date, yes or no")]
    type: Literal["iri", "literal", "boolean", "number"]
    label: Annotated[Sparse[str | None], Meaning("the name of the IRI's entity")]
    datatype: Sparse[str | None]
    language: Sparse[str | None]
    unit: Sparse[str | None]
    qualifier: Sparse[str | None]

    MEMBERS: ClassVar = ("value", "type", "label", "datatype", "lang=language", "unit", "qualifier")


Values: TypeAlias = tuple[Annotated[AnswerValue, SentAs(ValueTrace)], ...]


@dataclass(frozen=True, slots=True)
class AnswerText(DocumentPart):
    """The answer as a sentence and as values; `evidence` has the values that a verdict rests on."""

    text: Annotated[str, Meaning("the answer in words, or the unknown words")]
    values: Values
    evidence: Sparse[Values] = ()


@dataclass(frozen=True, slots=True)
class ProgramStep(DocumentPart):
    """One step of a program; `dependencies` are the positions of earlier steps, from 0 (KQA Pro)."""

    function: str
    inputs: tuple[str, ...]
    dependencies: tuple[Count, ...]


@dataclass(frozen=True, slots=True)
class ProgramTrace(DocumentPart):
    """A KoPL program, as steps and in the notation of steps."""

    steps: tuple[Annotated[Step, SentAs(ProgramStep)], ...]
    text: Annotated[str, Meaning("the steps, in KoPL")]

    @classmethod
    def of(cls, program: Program) -> ProgramTrace:
        """The program as a part."""
        return cls(program.steps, NOTATIONS["steps"].write(program))


@dataclass(frozen=True, slots=True)
class SourceSpans(DocumentPart):
    """The stretches of the query that come from a step, as character offsets."""

    step: StepIndex
    spans: tuple[Annotated[tuple[Count, ...], Len(2, 2)], ...]


def _by_step(spans: Sequence[tuple[tuple[int, int], ...]]) -> tuple[SourceSpans, ...]:
    return tuple(SourceSpans(*one) for one in enumerate(spans))


@dataclass(frozen=True, slots=True)
class SparqlTrace(DocumentPart):
    """A query with its source map."""

    text: str
    spans: Annotated[tuple[tuple[tuple[int, int], ...], ...], SentAs(_by_step)]

    MEMBERS: ClassVar[tuple[str, ...]] = ("text", "source_map=spans")


ShownProgram: TypeAlias = Annotated[Program, SentAs(ProgramTrace.of)]
ShownQuery: TypeAlias = Annotated[CompiledQuery, SentAs(SparqlTrace)]


@dataclass(frozen=True, slots=True)
class ResultColumn(DocumentPart):
    """A column of the compiled query, and its content."""

    name: str
    role: str
    step: StepIndex
    unit: str
    cell: int


@dataclass(frozen=True, slots=True)
class ProbeQuery(DocumentPart):
    """A query that counts the members of steps, or shows a few."""

    steps: tuple[StepIndex, ...]
    text: str

    MEMBERS: ClassVar = ("steps", "sparql=text")


@dataclass(frozen=True, slots=True)
class CompiledTrace(DocumentPart):
    """A program with its query."""

    dataset: str
    program: ShownProgram
    query: ShownQuery
    columns: tuple[Annotated[Column, SentAs(ResultColumn)], ...]
    probes: tuple[Annotated[Probe, SentAs(ProbeQuery)], ...]

    MEMBERS: ClassVar = ("dataset", "program", "sparql=query", "columns", "probes")


@dataclass(frozen=True, slots=True)
class MeantHere(DocumentPart):
    """The IRI of a program's argument, as `/run` takes it."""

    step: StepIndex
    argument: Count
    iri: str


@dataclass(frozen=True, slots=True)
class ExplainedTrace(DocumentPart):
    """The program of a query; `source_map` is of the query that was sent, `sparql` the gateway's own."""

    dataset: str
    program: ShownProgram
    pins: tuple[MeantHere, ...]
    spans: Annotated[tuple[tuple[tuple[int, int], ...], ...], SentAs(_by_step)]
    query: ShownQuery

    MEMBERS: ClassVar = ("dataset", "program", "pins", "source_map=spans", "sparql=query")


def program_json(program: Program) -> Json:
    """A program as the HTTP interface shows it, with its steps notation."""
    return ProgramTrace.of(program).as_json()


def sparql_json(query: CompiledQuery) -> Json:
    """A query with its source map."""
    return written(SparqlTrace, query)


def compiled_json(dataset: str, query: CompiledQuery, probes: tuple[Probe, ...]) -> Json:
    """The document of `/compile`: a program's query with its columns, and the queries about its steps."""
    return CompiledTrace(dataset, query.program, query, query.columns, probes).as_json()
