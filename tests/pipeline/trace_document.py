"""The shape of the trace document (the JSON of an answered question), as a table."""

from __future__ import annotations

from typing import Any

NUMBER = (int, float)
STEP = {"function": str, "inputs": [str], "dependencies": [int]}
VALUE = {
    "value": str,
    "type": str,
    "label?": str,
    "datatype?": str,
    "lang?": str,
    "unit?": str,
    "qualifier?": str,
}
BINDING = {
    "step": int,
    "argument": int,
    "mention": str,
    "kind": str,
    "iri": str,
    "label": str,
    "score": NUMBER,
    "how": str,
    "about": str,
    "alternatives": [{"iri": str, "label": str, "score": NUMBER, "about": str}],
}
REPAIR = {"step": int, "argument?": int, "before": str, "after": str, "why": str}
DOCUMENT = {
    "id": str,
    "question": str,
    "dataset": str,
    "status": str,
    "answer": {"text": str, "values": [VALUE], "evidence?": [VALUE]},
    "table": {
        "columns": [str],
        "rows": [[str]],
        "fields?": [
            {"type": str, "units?": [(str, None)], "iris?": [(str, None)], "amounts?": [(float, None)]}
        ],
    },
    "truncated": bool,
    "program": ({"steps": [STEP], "text": str}, None),
    "bindings": [BINDING],
    "sparql": ({"text": str, "source_map": [{"step": int, "spans": [[int]]}]}, None),
    "steps": [
        {"step": int, "function": str, "count": (int, None), "examples": [str], "ms": NUMBER},
    ],
    "diagnosis?": str,
    "confidence": {"score": NUMBER, "parts": {"*": NUMBER}},
    "strategy": str,
    "tuned?": str,
    "attempts": [
        {
            "program": str,
            "source": str,
            "score": NUMBER,
            "outcome": str,
            "how?": str,
            "repairs?": [REPAIR],
        },
    ],
    "reading?": str,
    "reading_language?": str,
    "readings?": [{"reading": str, "program": str}],
    "ignored?": [str],
    "repairs?": [REPAIR],
    "demonstrations?": [{"question": str, "source": str, "similarity": NUMBER}],
    "facts?": [str],
    "looks?": [{"tool": str, "argument": str, "result": str, "ms": NUMBER, "tokens": int}],
    "sub_questions?": [
        {
            "text": str,
            "template": str,
            "chain": str,
            "similarity": NUMBER,
            "probability": NUMBER,
            "others": [str],
        },
    ],
    "model?": str,
    "model_calls?": [
        {
            "purpose": str,
            "prompt_tokens": int,
            "completion_tokens": int,
            "ms": NUMBER,
            "cached?": bool,
            "request_id?": str,
            "failure?": str,
        },
    ],
    "stages?": [{"sparql": str, "rows": (int, None), "ms": NUMBER, "outcome": str}],
    "warnings": [{"code": str, "message": str}],
    "timings_ms": {"*": NUMBER},
    "usage": {
        "calls": int,
        "prompt_tokens": int,
        "completion_tokens": int,
        "seconds?": NUMBER,
        "cached?": int,
    },
    "index_version": str,
}
STATUSES = {"answered", "empty", "ambiguous", "unanswerable"}
VALUE_TYPES = {"iri", "literal", "boolean", "number"}


def misfits(value: Any, shape: Any = DOCUMENT, place: str = "$") -> list[str]:
    """The places at which a JSON value does not have a shape.

    A dictionary lists all keys (`key?` may be missing, `*` stands for any), a list of one shape any number
    of it, a tuple the choices, None and a type themselves.
    """
    match shape:
        case dict():
            return _of_object(value, shape, place)
        case list():
            if not isinstance(value, list):
                return [f"{place}: not a list"]
            return [
                misfit for n, item in enumerate(value) for misfit in misfits(item, shape[0], f"{place}[{n}]")
            ]
        case tuple():
            tried = [misfits(value, choice, place) for choice in shape]
            return [] if [] in tried else tried[0]
        case None:
            return [] if value is None else [f"{place}: not null"]
    fits = isinstance(value, shape) and not (isinstance(value, bool) and shape is not bool)
    return [] if fits else [f"{place}: {value!r} is no {shape.__name__}"]


def _of_object(value: Any, shape: dict[str, Any], place: str) -> list[str]:
    if not isinstance(value, dict):
        return [f"{place}: not an object"]
    if "*" in shape:
        return [m for key, item in value.items() for m in misfits(item, shape["*"], f"{place}.{key}")]
    known = {key.removesuffix("?"): part for key, part in shape.items()}
    missing = [f"{place}: no {key}" for key in shape if not key.endswith("?") and key not in value]
    extra = [f"{place}: {key} is not in the contract" for key in value if key not in known]
    inner = [
        m for key in known.keys() & value.keys() for m in misfits(value[key], known[key], f"{place}.{key}")
    ]
    return sorted(missing + extra + inner)
