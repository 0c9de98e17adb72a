"""An answer as plain values, read from the trace document: the same in this process and over HTTP."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from compilers.answers import AnswerValue
from nlq_gateway.client.plain import clipped, plain, table_lines
from nlq_gateway.trace import Json, PossibleReading
from nlq_gateway.trace.part import members_of
from nlq_gateway.trace.parts import ValueTrace

if TYPE_CHECKING:
    import pandas

# Characters of an answer's text in its `repr`.
_LONGEST = 80


@dataclass(frozen=True, slots=True, repr=False)
class GatewayAnswer:
    """One answered question.

    `str(answer)` is the answer for a terminal; notebooks show it with its table, program and query.

    Attributes:
        question: the question as asked, "" for a program that was run.
        dataset: the id of the graph that answered.
        status: answered, empty, ambiguous or unanswerable.
        text: the answer as a sentence or list, "" where there is none.
        values: the answer's values in order, each with `value`, `label`, `datatype`, `unit` and
            `qualifier`, which distinguishes several values of one thing.
        columns: the names of the table's columns.
        rows: the table's rows as texts; an empty cell is "".
        program: the program's steps as text, which `run` takes back; "" where there is none.
        sparql: the query that gave the rows, "" where there is none.
        confidence: the probability that the answer is right, in [0, 1].
        reading: the question as the gateway understood it, in the language of the graph or in English.
        readings: up to three readings to choose from, each with its `program`, if none is sure enough.
        diagnosis: the reason for an empty or missing answer.
        warnings: remarks on the answer, each with a code.
        truncated: True if rows were cut at the limit.
        trace: the whole document of `/nlq` (docs/http.md), with bindings, steps and timings.
    """

    question: str
    dataset: str
    status: str
    text: str
    values: tuple[AnswerValue, ...]
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    program: str
    sparql: str
    confidence: float
    reading: str
    readings: tuple[PossibleReading, ...]
    diagnosis: str
    warnings: tuple[str, ...]
    truncated: bool
    trace: Mapping[str, Any] = field(compare=False)

    def to_pandas(self, *, iris: bool = False) -> pandas.DataFrame:
        """The table as a data frame.

        Numbers, years, dates and booleans have their types; units are columns of their own, `NAME unit`.

        Args:
            iris: True to add columns with the IRIs of entities, `NAME IRI`.

        Raises:
            MissingPackage: pandas is not installed; `pip install '.[notebook]'` in the source folder.
        """
        from nlq_gateway.client.frame import frame_of

        return frame_of(self.trace, iris=iris)

    def _repr_html_(self) -> str:
        """The answer for notebooks: sentence, table with links, program and query. Labels are escaped."""
        from nlq_gateway.client.rich import answer_html

        return answer_html(self.trace)

    def __str__(self) -> str:
        return "\n".join(plain(line) for line in self._lines())

    def _lines(self) -> Sequence[str]:
        first = self.text or f"No answer ({self.status})."
        wide = len(self.columns) > 1 and len(self.rows) > 1
        table = ("", *table_lines(self.columns, self.rows)) if wide else ()
        notes = (f"Note: {one}" for one in self.warnings)
        return (first, *table, *filter(None, (self.diagnosis,)), *notes)

    def __repr__(self) -> str:
        said = clipped(self.text or self.status, _LONGEST)
        return f"GatewayAnswer({said!r}, confidence={self.confidence:.2f})"


@dataclass(frozen=True, slots=True)
class Compilation:
    """A program with the query that it compiles to; `str(compilation)` is the query.

    Attributes:
        dataset: the id of the graph that it was compiled for.
        program: the program's steps as text.
        sparql: the query.
        document: the whole document of `/compile`, with the source map and the queries about each step,
            or of `/explain`.
    """

    dataset: str
    program: str
    sparql: str
    document: Mapping[str, Any] = field(compare=False, repr=False)

    @property
    def pins(self) -> Sequence[Mapping[str, Any]]:
        """The IRIs that the names of an explained query stand for, as `run` takes them."""
        return tuple(self.document.get("pins", ()))

    def __str__(self) -> str:
        return self.sparql


def answer_of(document: Json) -> GatewayAnswer:
    """The answer that a trace document holds."""
    table = document["table"]
    return GatewayAnswer(
        question=document["question"],
        dataset=document["dataset"],
        status=document["status"],
        text=document["answer"]["text"],
        values=tuple(map(_value, document["answer"]["values"])),
        columns=tuple(table["columns"]),
        rows=tuple(map(tuple, table["rows"])),
        program=_text(document["program"]),
        sparql=_text(document["sparql"]),
        confidence=document["confidence"]["score"],
        reading=document.get("reading", ""),
        readings=tuple(PossibleReading(**one) for one in document.get("readings", ())),
        diagnosis=document.get("diagnosis", ""),
        warnings=tuple(one["message"] for one in document["warnings"]),
        truncated=document["truncated"],
        trace=document,
    )


def compilation_of(document: Json) -> Compilation:
    """The compilation that a document of `/compile` holds."""
    return Compilation(
        document["dataset"], _text(document["program"]), _text(document["sparql"]), document=document
    )


def _text(part: Json | None) -> str:
    return part["text"] if part else ""


def _value(value: Json) -> AnswerValue:
    parts: Json = {member.attribute: value.get(member.name) for member in members_of(ValueTrace)}
    return AnswerValue(**parts)
