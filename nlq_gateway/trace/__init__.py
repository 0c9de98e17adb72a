"""The whole story of one answer: what every stage made of the question, as one JSON document.

part.py      how a part declares what is sent of it; JSON and schemas are made of that
values.py    what stages report
parts.py     what is made of the compiler's values
table.py     the table
trace.py     all of it together: the document
events.py    what is told while it happens
recorder.py  where stages report to
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
