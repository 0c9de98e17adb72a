"""The trace of an answer: the output of every stage, as one JSON document.

part.py      declarations of parts of the document, from which JSON and schemas are made
values.py    reports of stages
parts.py     programs, queries and values
table.py     the table
warning_codes.py  the codes of warnings
trace.py     the whole document
events.py    events while a question runs
recorder.py  the recorder to which stages report
"""

from __future__ import annotations

from nlq_gateway.trace.events import (
    DoneEvent,
    Event,
    GroundingEvent,
    LinksEvent,
    Listener,
    ProgramEvent,
    SparqlEvent,
)
from nlq_gateway.trace.part import Json
from nlq_gateway.trace.parts import compiled_json, program_json, sparql_json
from nlq_gateway.trace.recorder import Recorder
from nlq_gateway.trace.trace import Trace, new_trace_id
from nlq_gateway.trace.values import (
    Alternative,
    Attempt,
    BindingTrace,
    Look,
    ModelCall,
    PossibleReading,
    Retrieved,
    Sent,
    Stage,
    StepTrace,
    SubQuestion,
    Warning,
)

__all__ = [
    "Alternative",
    "Attempt",
    "BindingTrace",
    "DoneEvent",
    "Event",
    "GroundingEvent",
    "Json",
    "LinksEvent",
    "Listener",
    "Look",
    "ModelCall",
    "PossibleReading",
    "ProgramEvent",
    "Recorder",
    "Retrieved",
    "Sent",
    "SparqlEvent",
    "Stage",
    "StepTrace",
    "SubQuestion",
    "Trace",
    "Warning",
    "compiled_json",
    "new_trace_id",
    "program_json",
    "sparql_json",
]
