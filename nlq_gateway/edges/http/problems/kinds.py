"""The problems that there are: one row for each code, with all that is said of it anywhere."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ProblemKind:
    """What a code means: the HTTP status, a title, the text of its page, and what can be done about it."""

    status: int
    title: str
    explanation: str
    remedy: str


KINDS: dict[str, ProblemKind] = {
    "invalid-request": ProblemKind(
        400,
        "The request cannot be understood",
        "A field is missing, unknown or of the wrong type, the body is not JSON, or the method or media "
        "type is not one that this address takes. `detail` names the place.",
        "Put right what `detail` names; `/openapi.json` has every field. A retry does not help.",
    ),
    "invalid-program": ProblemKind(
        400,
        "The program does not check",
        "The program cannot be read, or breaks a rule of the function table. `issues` lists every breach "
        "with its step, counted from 1, and what would be right.",
        "Correct the steps that `issues` names; the codes are explained below.",
    ),
    "query-refused": ProblemKind(
        400,
        "The query is refused",
        "The gateway passes on reads only: SELECT, ASK, CONSTRUCT or DESCRIBE, of the endpoint's own "
        "graphs, without SERVICE to hosts and functions that the endpoint does not list; or the store "
        "itself calls the query malformed or too dear.",
        "Ask a plain read. The operator lists hosts for SERVICE under `services` and functions beyond "
        "SPARQL's own under `functions`; updates go to the store itself.",
    ),
    "unauthorized": ProblemKind(
        401,
        "Who is asking?",
        "This gateway wants credentials, and none were sent.",
        "Send the credentials that the operator gave you, in the way that `WWW-Authenticate` names.",
    ),
    "forbidden": ProblemKind(
        403,
        "Not allowed",
        "The credentials sent do not allow this.",
        "Ask a dataset that your credentials allow (`GET /datasets` lists them), or ask the operator.",
    ),
    "not-found": ProblemKind(
        404,
        "There is nothing here",
        "No page, file or trace has this address.",
        "Check the address. Of traces only the newest are kept.",
    ),
    "unknown-dataset": ProblemKind(
        404,
        "No such dataset",
        "No endpoint has this id or alias. `GET /datasets` lists those there are.",
        "Take an id or alias from `GET /datasets`.",
    ),
    "too-large": ProblemKind(
        413,
        "The request is too large",
        "The body or the question is beyond the limit; `detail` names it.",
        "Ask in fewer words, or raise `server.max_question`; the limit on bodies is fixed.",
    ),
    "misdirected": ProblemKind(
        421,
        "This is another server",
        "The request names a host that the gateway is not known by. Where no credentials are asked for, it "
        "answers under the names of the machine itself and of `server.hosts` alone, so that no page of "
        "another site has a browser ask it (DNS rebinding).",
        "The operator lists the name under `server.hosts`.",
    ),
    "unsupported-program": ProblemKind(
        422,
        "The graph cannot state this",
        "The program is right, but asks for what this graph's layout has no way to say, such as "
        "qualifiers of facts in a graph of plain triples; or a query that is to be explained asks for what "
        "no program states.",
        "Leave out what `detail` names; docs/layouts.md says what each layout can state, docs/from_sparql.md "
        "which queries have a program.",
    ),
    "unanswerable": ProblemKind(
        422,
        "No query fits the question",
        "Nothing in the graph is named as the question names it, or the reading that comes closest is too "
        "unsure. Only addresses that have nothing but a query to give say so by an error: `/nlq` answers "
        "with the status `unanswerable`.",
        "Ask in the graph's own words; `POST /nlq` tells what was not understood.",
    ),
    "rate-limited": ProblemKind(
        429,
        "Too many requests",
        "Wait as long as `Retry-After` says.",
        "Wait as long as `Retry-After` says, then send the same request again.",
    ),
    "internal": ProblemKind(
        500,
        "Something broke in the gateway",
        "This is a fault of the gateway. Its log has the details under the id in `X-Request-Id`.",
        "Report it with the log's lines of the id in `X-Request-Id`.",
    ),
    "endpoint-unreachable": ProblemKind(
        502,
        "The store cannot be reached",
        "No connection to the store could be made, or it broke.",
        "The operator looks whether the store runs and `url` is right: `nlq doctor`. A retry helps when "
        "it is back.",
    ),
    "endpoint-error": ProblemKind(
        502,
        "The store failed",
        "The store reported a failure of its own, gave up on a query that is right, in one piece and in "
        "parts, or its data cannot be used.",
        "The operator looks into the store's log; `store_says` has its own words. A simpler question may "
        "be answered.",
    ),
    "endpoint-unauthorized": ProblemKind(
        502,
        "The store refused the gateway",
        "The store wants other credentials than the gateway has: see `auth` in the configuration.",
        "The operator corrects `auth` of the endpoint; `nlq doctor` tries it.",
    ),
    "incomplete-result": ProblemKind(
        502,
        "The store's answer was cut",
        "The answer ended early or is not what was asked for. It is never shown as if it were complete.",
        "Ask again; raise `limits.max_bytes`, or the store's own cap on rows, where it comes back.",
    ),
    "overloaded": ProblemKind(
        503,
        "Not ready, or too busy",
        "The endpoint is still being prepared; or, with status 429, more is asked at once than could be "
        "answered in time. Wait as long as `Retry-After` says.",
        "Wait as long as `Retry-After` says. Where it lasts: `/readyz` says what is loading, "
        "`limits.concurrency` what the store is asked at a time.",
    ),
    "cancelled": ProblemKind(
        503,
        "Nobody waits any more",
        "The client closed its connection, and the work for it was ended.",
        "Nothing, where the client meant to go; else look for a proxy that closes connections early.",
    ),
    "model-unavailable": ProblemKind(
        503,
        "No language model",
        "The strategy asked for cannot do without a language model. The strategy `auto` can.",
        "Leave `strategy` out or ask with `auto`; the operator looks at `model` (`nlq doctor`).",
    ),
    "traces-unavailable": ProblemKind(
        503,
        "Traces cannot be reached",
        "The database of traces and feedback is down, so that it is not known whether there is such a "
        "trace. Questions are answered meanwhile, and their traces are not kept.",
        "The operator looks at the database of `server.trace_store`. Ask again when it is back.",
    ),
    "endpoint-timeout": ProblemKind(
        504,
        "The store was too slow",
        "The store did not answer within the deadline (`timeout_ms`).",
        "Ask for less, or raise `timeout_ms` or the endpoint's `limits.query_ms`. A retry may help a busy "
        "store.",
    ),
    "question-timeout": ProblemKind(
        504,
        "The question takes too long to read",
        "The gateway's own work on the question takes more processor time than it has: `timeout_ms`, or the "
        "endpoint's `limits.query_ms`, at least five seconds; with a language model its budget besides.",
        "Ask in fewer words, or raise `timeout_ms`.",
    ),
}

# Codes that do not concern a client, and what it is told instead.
PUBLIC = {
    "compiler-error": "internal",
    "invalid-configuration": "internal",
    "invalid-data": "endpoint-error",
    "invalid-graph": "invalid-request",
    "invalid-value": "invalid-program",
    "index-problem": "endpoint-error",
    "index-missing": "overloaded",
    "index-damaged": "endpoint-error",
    "index-busy": "overloaded",
    "model-damaged": "endpoint-error",
    "too-complex": "endpoint-error",
}


def public_code(error: Exception) -> str:
    """The code that a client sees for one of `nlq_gateway.core.errors.KNOWN_ERRORS`."""
    code = str(getattr(error, "code", "internal"))
    return PUBLIC.get(code, code)
