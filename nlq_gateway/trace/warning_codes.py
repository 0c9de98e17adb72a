"""Every code that a warning of a trace can have; `docs/errors.md` is written from this table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WarningKind:
    """What a warning's code means for a reader of the answer, and what can be done."""

    meaning: str
    remedy: str


WARNINGS: dict[str, WarningKind] = {
    "ambiguous-name": WarningKind(
        "Something else has the same name, and with it the answer would be another.",
        "Pin the one that is meant (`pins`), or name more of it in the question.",
    ),
    "other-reading": WarningKind(
        "Another program that is hardly less likely gives another answer.",
        "Run that program (`POST /run`) where it is the one that was meant.",
    ),
    "likelier-reading-empty": WarningKind(
        "A likelier program found nothing, so the next one was taken.",
        "Look whether the first one is what was meant: then the graph has no answer.",
    ),
    "reading": WarningKind(
        "The question was read in a way that its words do not say outright.",
        "The message has the reading; ask in other words where it is wrong.",
    ),
    "name-replaced": WarningKind(
        "A name of the program is not in the graph; the nearest one was taken.",
        "Write the name as the graph has it, or its IRI in angle brackets.",
    ),
    "unknown-name": WarningKind(
        "A name of the program is not in the graph, and none is near enough.",
        "Look the name up (`GET /datasets/ID/schema?q=`), or add an alternative label to the graph.",
    ),
    "pin-ignored": WarningKind(
        "A pin stands for a place of the program that has no name.",
        "Count steps from 1 and arguments from 0, as `bindings` does.",
    ),
    "step-not-counted": WarningKind(
        "The store did not count the members of some steps in time; the answer is not concerned.",
        "Raise `limits.query_ms`, or do without these counts.",
    ),
    "answered-in-stages": WarningKind(
        "The store gave up on the query as one, and answered it in parts.",
        "Nothing; whoever copies the query to the store may meet the same limit.",
    ),
    "relation-followed": WarningKind(
        "A relation of any depth was followed step by step, as Virtuoso's own paths lose rows.",
        "Nothing; the query names what the relation led to, and is right while the graph stays as it is.",
    ),
    "endpoint-retried": WarningKind(
        "A query was sent again until the store answered it.",
        "Nothing, once; look into the store's log where it happens often.",
    ),
    "endpoint-untyped": WarningKind(
        "The store sent bare text instead of typed results: what looks like an IRI was taken for one.",
        "Let the store answer in `application/sparql-results+json`; a proxy may have changed `Accept`.",
    ),
    "facts-missing": WarningKind(
        "The store did not tell the facts around what the question names; the model wrote without them.",
        "Ask again; raise `limits.query_ms` where the store is slow.",
    ),
    "model-unavailable": WarningKind(
        "The language model failed or was too slow; the question was answered without it.",
        "`nlq doctor` tells what is wrong with the model; `pipeline.budget` is what it may take.",
    ),
    "cut-in-thought": WarningKind(
        "A text of the language model ended while it was still thinking.",
        "Allow it more by `model.max_tokens`, or ask it to think less by `model.reasoning`.",
    ),
    "response-unavailable": WarningKind(
        "No model put the answer into words; the sentence is the template's.",
        "As for `model-unavailable`.",
    ),
    "response-refused": WarningKind(
        "The model's sentence said what the answer does not, and was not used.",
        "Nothing: the template's sentence is shown.",
    ),
}
