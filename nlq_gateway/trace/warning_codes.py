"""Every code that a warning of a trace can have; `docs/errors.md` is written from this table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class WarningKind:
    """The meaning of a warning's code for a reader of the answer, and its remedy."""

    meaning: str
    remedy: str


WARNINGS: dict[str, WarningKind] = {
    "ambiguous-name": WarningKind(
        "Another entity has the same name, and would give another answer.",
        "Pin the intended entity (`pins`), or describe it in the question.",
    ),
    "other-reading": WarningKind(
        "Another program, nearly as likely, gives another answer.",
        "Run that program (`POST /run`) if it is the intended one.",
    ),
    "likelier-reading-empty": WarningKind(
        "A likelier program found nothing, so the next one was used.",
        "Check the first program: if it is the intended one, the graph has no answer.",
    ),
    "reading": WarningKind(
        "The reading of the question is not explicit in its words.",
        "The message has the reading; rephrase the question if it is wrong.",
    ),
    "name-replaced": WarningKind(
        "A name or text of the program is not in the graph; the nearest one was used.",
        "Write the graph's name or text, or the IRI in angle brackets.",
    ),
    "unknown-name": WarningKind(
        "A name of the program is not in the graph, and no other was taken for it.",
        "Write a name that the message offers, look it up (`GET /datasets/ID/schema?q=`), or add an "
        "alternative label to the graph.",
    ),
    "value-in-node": WarningKind(
        "An attribute of the program stands in a node of its own in the graph; the program went through it.",
        "Nothing, or write `Relate` and then `QueryAttr`, as the message does.",
    ),
    "unit-added": WarningKind(
        "A number of the program has no unit, and the graph states the attribute in one; that one was added.",
        "Write the unit if another one is meant, as in `100 watt`.",
    ),
    "unit-ignored": WarningKind(
        "A number of the program has a unit, and the graph states the attribute without one.",
        "Write the number as the graph has it, or ask for the attribute's values.",
    ),
    "year-as-number": WarningKind(
        "The program compares a year with what the graph states as a number; so it was compared.",
        "Nothing, or write `FilterNum` (`QFilterNum`, `VerifyNum`).",
    ),
    "number-as-year": WarningKind(
        "The program compares a number with what the graph states as a year or date; it was read as a year.",
        "Nothing, or write `FilterYear` (`QFilterYear`).",
    ),
    "year-as-text": WarningKind(
        "The program asks for a year of what the graph states as a text; it was compared letter by letter.",
        "Nothing, or write `FilterStr` (`QFilterStr`, `VerifyStr`).",
    ),
    "texts-not-compared": WarningKind(
        "The program compares dates or years with values of which some are texts; these never match.",
        'Correct the graph: `"1987"^^xsd:gYear`; `FilterStr` finds a text itself.',
    ),
    "pin-ignored": WarningKind(
        "A pin refers to a place of the program without a name.",
        "Count steps from 1 and arguments from 0, as `bindings` does.",
    ),
    "unknown-pin": WarningKind(
        "A pin has an IRI that is nowhere in the graph.",
        "Correct the IRI; `GET /datasets/ID/describe?name=` has those of the graph.",
    ),
    "left-out": WarningKind(
        "Some members of a set are in no row of the table, and in none of its counts.",
        "Ask for the set, or its count, alone; in a program, `OptionalTable` keeps them, with empty cells.",
    ),
    "unconnected-columns": WarningKind(
        "Columns of a table share no step: each row of one is paired with each row of the other.",
        "Take all columns from one step: `Table() <- 2, 3, 4`, where `<- 2` feeds steps 3 and 4.",
    ),
    "not-compared": WarningKind(
        "The graph states no value for one of two things that are compared, so the other one is the answer.",
        "Add the value to the graph, or doubt the answer.",
    ),
    "tied": WarningKind(
        "Others tie with the last row of the table, which was cut; or the first so many are more, for a tie.",
        "Ask for more of them, or for the number of each.",
    ),
    "step-not-counted": WarningKind(
        "The store did not count the members of some steps in time; the answer is not affected.",
        "Raise `limits.query_ms`, or ignore these counts.",
    ),
    "answered-in-stages": WarningKind(
        "The store gave up on the whole query; the gateway ran it in parts.",
        "Nothing; the whole query may exceed the store's limits when run directly.",
    ),
    "relation-followed": WarningKind(
        "A transitive relation was followed step by step, because Virtuoso's paths lose rows.",
        "Nothing; the query lists the entities found, and is right until the graph changes.",
    ),
    "endpoint-retried": WarningKind(
        "A query was repeated until the store answered it.",
        "Nothing; if it happens often, check the store's log.",
    ),
    "endpoint-untyped": WarningKind(
        "The store sent plain text instead of typed results; texts that look like IRIs were read as IRIs.",
        "Make the store answer in `application/sparql-results+json`; a proxy may have changed `Accept`.",
    ),
    "facts-missing": WarningKind(
        "The store did not return the facts around the question's names; the model wrote without them.",
        "Ask again; raise `limits.query_ms` if the store is slow.",
    ),
    "model-unavailable": WarningKind(
        "The language model failed or was too slow; the question was answered without it.",
        "Run `nlq doctor` to check the model, or raise `pipeline.budget`.",
    ),
    "cut-in-thought": WarningKind(
        "A reply of the language model ended during its reasoning.",
        "Raise `model.max_tokens`, or lower `model.reasoning`.",
    ),
    "trace-not-kept": WarningKind(
        "The answer's trace was not stored: the database of traces is down.",
        "Nothing for this answer; the operator checks `server.trace_store`.",
    ),
    "response-unavailable": WarningKind(
        "No model worded the answer; the sentence is from the template.",
        "As for `model-unavailable`.",
    ),
    "response-refused": WarningKind(
        "The model's sentence contradicted the answer, or added to it, and was not used.",
        "Nothing: the template's sentence is shown.",
    ),
}
