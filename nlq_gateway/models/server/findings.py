"""What a server was found to have and to do."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Findings:
    """The model that answers, the path that it is asked at, and what it can do besides writing.

    `grammar` and `scoring` name how grammars are sent (a key of `bodies.GRAMMARS`) and how continuations are
    scored (a key of `scoring.WAYS`), None where neither works. `log_probabilities` says whether they come
    along with a text.
    """

    model: str
    path: str
    log_probabilities: bool = False
    grammar: str | None = None
    scoring: str | None = None
