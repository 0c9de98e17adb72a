"""`nlq feedback list | approve | reject | export`: clients' feedback, and decisions on it."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from compilers.kopl.notations import NOTATIONS
from nlq_gateway.drafts.demonstrations.files import record_of
from nlq_gateway.edges.cli.source import CONFIGURED, settings_of
from nlq_gateway.edges.trace_store import Review, State, TraceStore
from nlq_gateway.trace import Json

# Under which name decisions of the command line are kept.
OPERATOR = "operator"


def list_(options: argparse.Namespace) -> int:
    """Print the feedback in a state, oldest first."""
    state: State | None = None if options.state == "all" else options.state
    with _opened(options) as (store, datasets):
        for review in store.reviews(state=state):
            if review.said.dataset in datasets:
                print(json.dumps(_record(review), ensure_ascii=False) if options.json else _line(review))
    return 0


def approve(options: argparse.Namespace) -> int:
    """Use feedback as demonstrations; 1 if a number does not exist."""
    return _decided(options, "approved")


def reject(options: argparse.Namespace) -> int:
    """Stop using feedback as demonstrations; 1 if a number does not exist."""
    return _decided(options, "rejected")


def export(options: argparse.Namespace) -> int:
    """Print the approved questions with their programs, as lines of an examples file."""
    with _opened(options) as (store, datasets):
        for dataset in datasets:
            for demonstration in store.confirmed(dataset):
                print(json.dumps(record_of(demonstration), ensure_ascii=False))
    return 0


def _decided(options: argparse.Namespace, state: State) -> int:
    missing = 0
    with _opened(options) as (store, datasets):
        for number in options.ids:
            found = [one for one in store.reviews(number=number) if one.said.dataset in datasets]
            if found:
                store.decide(number, state, OPERATOR)
                print(_plain(f"{number} is {state}: {found[0].said.question}"))
            else:
                print(f"nlq: there is no feedback {number}", file=sys.stderr)
                missing += 1
    return 1 if missing else 0


@contextmanager
def _opened(options: argparse.Namespace) -> Iterator[tuple[TraceStore, tuple[str, ...]]]:
    """The store of traces and the ids of the endpoints that the source names."""
    settings = settings_of(options, missing=CONFIGURED)
    store = TraceStore.of(settings.server)
    try:
        yield store, tuple(endpoint.id for endpoint in settings.endpoints)
    finally:
        store.close()


def _line(review: Review) -> str:
    said = review.said
    by = f" by {review.by}" if review.by else ""
    verdict = f"{'right' if said.correct else 'wrong'}, says {said.client or 'a client'}"
    lines = [
        f"{review.number}  {review.state}{by}  {said.dataset}  {review.given}  {said.question}",
        f"    {verdict}" + (f": {said.comment}" if said.comment else ""),
        f"    {_program(review)}" if said.right else "",
    ]
    return "\n".join(_plain(line) for line in lines if line)


def _plain(text: str) -> str:
    """Replace control characters in clients' text, which a terminal could execute."""
    return "".join(letter if letter.isprintable() else " " for letter in text)


def _program(review: Review) -> str | None:
    return NOTATIONS["chain"].write(review.said.right.program) if review.said.right else None


def _record(review: Review) -> Json:
    said = review.said
    return {
        "id": review.number,
        "state": review.state,
        "by": review.by,
        "given": review.given,
        "dataset": said.dataset,
        "question": said.question,
        "correct": said.correct,
        "program": _program(review),
        "comment": said.comment,
        "client": said.client,
        "trace": said.trace,
    }
