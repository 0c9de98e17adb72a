"""All problems: one row for each code, with all its texts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ProblemKind:
    """The meaning of a code: the HTTP status, a title, the text of its page, and the remedy."""

    status: int
    title: str
    explanation: str
    remedy: str


KINDS: dict[str, ProblemKind] = {
    "invalid-request": ProblemKind(
        400,
        "The request cannot be understood",
        "A field is missing, unknown or of the wrong type, the body is not JSON, or (405, 406, 415) the "
        "method or media type is not supported at this address. `detail` names the place.",
        "Correct the part that `detail` names; `/openapi.json` has every field. A retry does not help.",
    ),
    "invalid-program": ProblemKind(
        400,
        "The program does not check",
        "The program cannot be read, or breaks a rule of the function table. `issues` lists every breach "
        "with its step, counted from 1, and the fix.",
        "Correct the steps that `issues` names; the codes are explained below.",
    ),
    "query-refused": ProblemKind(
        400,
        "The query is refused",
        "The gateway forwards only reads: SELECT, ASK, CONSTRUCT or DESCRIBE, of the endpoint's own "
        "graphs, without SERVICE to hosts and functions that the endpoint does not list; or the query is "
        "malformed, or the store itself refuses it as malformed or too expensive.",
        "Send a plain read. The operator lists hosts for SERVICE under `services` and functions beyond "
        "SPARQL's own under `functions`; updates go to the store itself.",
    ),
    "unauthorized": ProblemKind(
        401,
        "Credentials are required",
        "This gateway requires credentials; none, or wrong ones, were sent.",
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
        "Check the address. Only the newest traces are kept.",
    ),
    "unknown-dataset": ProblemKind(
        404,
        "No such dataset",
        "No endpoint has this id or alias. `GET /datasets` lists the datasets.",
        "Use an id or alias from `GET /datasets`.",
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
        "`Host` is not a name of the gateway. Without `server.auth`, the gateway "
        "answers only under the names of the machine and of `server.hosts`, so that pages of "
        "other sites cannot ask it through a browser (DNS rebinding).",
        "The operator lists the name under `server.hosts`.",
    ),
    "unsupported-program": ProblemKind(
        422,
        "The graph cannot state this",
        "The program is valid, but needs a feature that this graph's layout lacks, such as "
        "qualifiers of facts in a graph of plain triples; or no program can express the query that is "
        "to be explained.",
        "Remove the part that `detail` names; docs/layouts.md lists features of layouts, docs/from_sparql.md "
        "the queries that have a program.",
    ),
    "unanswerable": ProblemKind(
        422,
        "No query fits the question",
        "The graph has no items with the question's names, or the confidence of the closest reading is too "
        "low. Only addresses that return just a query report this as an error: `/nlq` answers "
        "with the status `unanswerable`.",
        "Use the graph's own words; `POST /nlq` names the unknown words.",
    ),
    "rate-limited": ProblemKind(
        429,
        "Too many requests",
        "The client has reached a limit of `server.rate`.",
        "Wait for the seconds in `Retry-After`, then send the same request again.",
    ),
    "internal": ProblemKind(
        500,
        "Internal error of the gateway",
        "This is a fault of the gateway. Its log has the details under the id in `X-Request-Id`.",
        "Report it with the log lines of this id.",
    ),
    "endpoint-unreachable": ProblemKind(
        502,
        "The store cannot be reached",
        "No connection to the store could be made, or the connection broke.",
        "The operator checks that the store runs and `url` is right: `nlq doctor`. A retry helps when "
        "it is back.",
    ),
    "endpoint-error": ProblemKind(
        502,
        "The store failed",
        "The store reported an internal failure, gave up on a valid query, as a whole and in "
        "parts, or its data cannot be used.",
        "The operator checks the store's log; `store_says` has its message. A simpler question may "
        "be answered.",
    ),
    "endpoint-unauthorized": ProblemKind(
        502,
        "The store refused the gateway",
        "The store does not accept the gateway's credentials: see `auth` in the configuration.",
        "The operator corrects `auth` of the endpoint; `nlq doctor` tries it.",
    ),
    "incomplete-result": ProblemKind(
        502,
        "The store's answer was cut",
        "The answer ended early, or answers another query. It is never shown as if it were complete.",
        "Ask again; if it recurs, raise `limits.max_bytes` or the store's own cap on rows.",
    ),
    "overloaded": ProblemKind(
        503,
        "Not ready, or too busy",
        "The endpoint is still being prepared; or, with status 429, there are more requests than could be "
        "answered in time. Wait for the seconds in `Retry-After`.",
        "Wait for the seconds in `Retry-After`. If it persists: `/readyz` lists what is loading, "
        "`limits.concurrency` bounds the concurrent queries of the store.",
    ),
    "cancelled": ProblemKind(
        503,
        "The client has disconnected",
        "The client closed its connection, which ends the work for it.",
        "Nothing if this was intended; else check for a proxy that closes connections early.",
    ),
    "model-unavailable": ProblemKind(
        503,
        "No language model",
        "The requested strategy needs a language model, and none is configured, or it failed: `retryable` "
        "says which. The strategy `auto` needs none.",
        "Omit `strategy` or use `auto`; the operator checks `model` (`nlq doctor`).",
    ),
    "traces-unavailable": ProblemKind(
        503,
        "Traces cannot be reached",
        "The database of traces and feedback is down, so the existence of the trace is "
        "unknown. Questions are still answered, but their traces are not stored.",
        "The operator checks the database of `server.trace_store`. Ask again when it is back.",
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
        "The gateway's own work on the question exceeds its processor time: `timeout_ms`, or the "
        "endpoint's `limits.query_ms`, at least five seconds; with a language model plus its budget.",
        "Ask in fewer words, or raise `timeout_ms`.",
    ),
}

# Codes that do not concern a client, and the codes shown instead.
PUBLIC = {
    "compiler-error": "internal",
    "invalid-configuration": "internal",
    "invalid-data": "endpoint-error",
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
