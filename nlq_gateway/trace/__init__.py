"""The whole story of one answer: what every stage made of the question, as one JSON document.

values.py    what stages report
events.py    what is told while it happens
recorder.py  where they report to
parts.py     the parts of the document, each as JSON
table.py     its table
trace.py     all of it together, and the document
"""

from __future__ import annotations

from nlq_gateway.trace.events import Compiled, Counted, Drafted, Event, Grounded, Linked, Listener
from nlq_gateway.trace.parts import Json, compiled_json, program_json, sparql_json
from nlq_gateway.trace.recorder import Recorder
from nlq_gateway.trace.trace import Trace, new_trace_id
from nlq_gateway.trace.values import (
    Alternative,
    Attempt,
    BindingTrace,
    Look,
    ModelCall,
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
    "Compiled",
    "Counted",
    "Drafted",
    "Event",
    "Grounded",
    "Json",
    "Linked",
    "Listener",
    "Look",
    "ModelCall",
    "Recorder",
    "Retrieved",
    "Sent",
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
