"""The detected features of a server."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Findings:
    """The model that answers, the path of requests, and its other abilities.

    `grammar`, `schema` and `scoring` name how grammars and JSON Schemas are sent (keys of `bodies.GRAMMARS`
    and `bodies.SCHEMAS`) and how continuations are scored (a key of `scoring.WAYS`), None where none works.
    `log_probabilities` says whether they come along with a text, `thinks` whether the model thinks first,
    `tools` whether it calls tools.
    """

    model: str
    path: str
    log_probabilities: bool = False
    thinks: bool = False
    grammar: str | None = None
    schema: str | None = None
    scoring: str | None = None
    tools: bool = False
