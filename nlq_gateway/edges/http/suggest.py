"""`/datasets/ID/suggest`: completions of a partly written question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice

from flask import Blueprint, Response, jsonify

from nlq_gateway.answering import Pipeline
from nlq_gateway.core.types import Hit
from nlq_gateway.edges.http.access import endpoint_for
from nlq_gateway.edges.http.negotiation import negotiate
from nlq_gateway.edges.http.requests import SuggestQuery, arguments_of
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.index.text import fold
from nlq_gateway.trace import Json

QUESTION = "question"


def routes(pipeline: Pipeline) -> Blueprint:
    """`GET /datasets/ID/suggest`."""
    blueprint = Blueprint("suggest", __name__)

    @blueprint.get("/datasets/<dataset>/suggest")
    def suggest(dataset: str) -> Response:
        negotiate(("application/json",))
        asked = arguments_of(SuggestQuery)
        endpoint = endpoint_for(pipeline, dataset).snapshot()
        return jsonify(suggestions(endpoint, asked.q, asked.limit))

    return blueprint


def suggestions(endpoint: Endpoint, text: str, limit: int) -> list[Json]:
    """Whole questions for at most half of the places, then names, then more questions where there is room."""
    asked = questions_like(endpoint, text)
    first = list(islice(asked, limit // 2))
    names = [_named(hit) for hit in endpoint.index.completions(text, limit - len(first))]
    found = [*map(_question, first), *names]
    return [*found, *map(_question, islice(asked, limit - len(found)))]


def questions_like(endpoint: Endpoint, text: str) -> Iterator[str]:
    """Questions that are known to have answers: those that begin so, then those with such a word in them."""
    known = _folded((*endpoint.examples, *endpoint.demonstrations.questions))
    begun = fold(text)
    within = f" {begun}"
    starting = (question for question, folded in known if folded.startswith(begun))
    holding = (question for question, folded in known if within in folded and not folded.startswith(begun))
    return chain(starting, holding)


@lru_cache(maxsize=16)
def _folded(questions: Sequence[str]) -> tuple[tuple[str, str], ...]:
    return tuple((question, fold(question)) for question in dict.fromkeys(questions))


def _question(text: str) -> Json:
    return {"text": text, "kind": QUESTION}


def _named(hit: Hit) -> Json:
    """The completed name, with its owner's label if that differs."""
    label = {"label": hit.label} if hit.label != hit.matched else {}
    return {"text": hit.matched, "kind": str(hit.kind), "iri": hit.iri, **label}
