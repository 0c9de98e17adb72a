"""What can be done about a problem, by its code; the problem's page and `docs/errors.md` say it."""

from __future__ import annotations

REMEDIES: dict[str, str] = {
    "invalid-request": "Put right what `detail` names; `/openapi.json` has every field. A retry does "
    "not help.",
    "invalid-program": "Correct the steps that `issues` names; the codes are explained below.",
    "query-refused": "Ask a plain read. To allow SERVICE to a host, the operator lists it under "
    "`services`; updates go to the store itself.",
    "unauthorized": "Send the credentials that the operator gave you, in the way that "
    "`WWW-Authenticate` names.",
    "forbidden": "Ask a dataset that your credentials allow (`GET /datasets` lists them), or ask the "
    "operator.",
    "not-found": "Check the address. Of traces only the newest are kept.",
    "unknown-dataset": "Take an id or alias from `GET /datasets`.",
    "too-large": "Ask in fewer words, or raise `server.max_question`; the limit on bodies is fixed.",
    "unsupported-program": "Leave out what `detail` names; docs/layouts.md says what each layout can state.",
    "rate-limited": "Wait as long as `Retry-After` says, then send the same request again.",
    "internal": "Report it with the log's lines of the id in `X-Request-Id`.",
    "endpoint-unreachable": "The operator looks whether the store runs and `url` is right: `nlq "
    "doctor`. A retry helps when it is back.",
    "endpoint-error": "The operator looks into the store's log; `store_says` has its own words. A "
    "simpler question may be answered.",
    "endpoint-unauthorized": "The operator corrects `auth` of the endpoint; `nlq doctor` tries it.",
    "incomplete-result": "Ask again; raise `limits.max_bytes`, or the store's own cap on rows, where "
    "it comes back.",
    "overloaded": "Wait as long as `Retry-After` says. Where it lasts: `/readyz` says what is "
    "loading, `limits.concurrency` what the store is asked at a time.",
    "cancelled": "Nothing, where the client meant to go; else look for a proxy that closes "
    "connections early.",
    "traces-unavailable": "The operator looks at the database of `server.trace_store`. Ask again when it "
    "is back.",
    "unanswerable": "Ask in the graph's own words; `POST /nlq` tells what was not understood.",
    "model-unavailable": "Leave `strategy` out or ask with `auto`; the operator looks at `model` "
    "(`nlq doctor`).",
    "endpoint-timeout": "Ask for less, or raise `timeout_ms` or the endpoint's `limits.query_ms`. A "
    "retry may help a busy store.",
}
