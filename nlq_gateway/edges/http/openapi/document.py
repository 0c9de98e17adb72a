"""The OpenAPI 3.1 document, made of the operations and of the models that requests are read with."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib import resources
from itertools import groupby
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import JsonSchemaMode

from nlq_gateway.core.version import __version__
from nlq_gateway.edges.http.answers import EVENTS, JSON
from nlq_gateway.edges.http.downloads import XLSX
from nlq_gateway.edges.http.openapi import documents
from nlq_gateway.edges.http.openapi.operations import ANY, OPERATIONS, ApiOperation
from nlq_gateway.edges.http.problems import KINDS
from nlq_gateway.edges.http.problems import MEDIA_TYPE as PROBLEM
from nlq_gateway.edges.http.sparql.formats import JSON_LD
from nlq_gateway.trace.part import Json, component_of

_TEXT = {"type": "string"}
_REF = "#/components/schemas/{model}"
_DESCRIPTION = "Questions in plain words for SPARQL endpoints, with the whole trace of each answer."
# Other statuses of an invalid request.
_METHODS_AND_TYPES = (405, 406, 415)
_PARAMETERS: Mapping[str, Json] = {
    "dataset": {"description": "the id of a dataset, or an alias that is no address", "example": "sample"},
    "trace_id": {"description": "the `id` of an answer"},
    "name": {"description": "the id of a dataset, or an alias", "example": "sample"},
    "number": {"description": "the `feedback` number of the response", "schema": {"type": "integer"}},
    "code": {"description": "the last part of a problem's `type`", "example": "internal"},
}
# Responses of these types are described neither by a model nor as text.
_BARE: Mapping[str, Json] = {
    EVENTS: {"$ref": _REF.format(model="StreamEvent")},
    JSON_LD: {},
    XLSX: {},
}
# Said by the server, before a request comes to the gateway.
_TOO_LONG = {"description": "the address has more than 8 kB", "content": {"text/html": {}}}
_HEADERS = {
    "Link": ('but for streams, the trace: `</traces/ID>; rel="describedby"`', r"^<[^>]+>"),
    "ETag": ("the version, for `If-None-Match`", None),
    "Retry-After": ("seconds to wait, where a retry may help", r"^[0-9]+$"),
    "WWW-Authenticate": ("the scheme of credentials", None),
}
_AT_TIMES = ("Link", "Retry-After")
_CREDENTIALS: Mapping[str, Json] = {
    "bearer": {"type": "http", "scheme": "bearer", "description": "where `server.auth.type` is `bearer`"},
    "key": {
        "type": "apiKey",
        "in": "header",
        "name": "X-API-Key",
        "description": "where it is `header`; the name is that of `server.auth.header`",
    },
}
_BY_STATUS = {401: ("WWW-Authenticate",), 429: ("Retry-After",), 503: ("Retry-After",)}


@lru_cache(maxsize=1)
def examples() -> Mapping[str, Json]:
    """Requests with what the built-in sample graph answers, by name: `request`, `response`."""
    text = (resources.files(__package__) / "examples.json").read_text(encoding="utf-8")
    found: dict[str, Json] = json.loads(text)
    return found


@lru_cache(maxsize=1)
def document() -> Json:
    """The whole document; it is the same for every configuration."""
    schemas = _schemas()
    paths: Json = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method] = _operation(operation, schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "nlq-gateway",
            "version": __version__,
            "description": _DESCRIPTION,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        # `server.auth` decides which of them is required, if any.
        "security": [{}, *({name: []} for name in _CREDENTIALS)],
        "paths": paths,
        "components": {
            "schemas": {**schemas["definitions"], "StreamEvent": _event()},
            "headers": _headers(),
            "securitySchemes": _CREDENTIALS,
        },
    }


def _schemas() -> Json:
    """`definitions` by name, and what refers to each type, by the type's key."""
    answers = [shape for operation in OPERATIONS for shape in operation.answers.values()]
    answers += [operation.errors for operation in OPERATIONS]
    bodies = [model for operation in OPERATIONS for model in (operation.body, operation.query)]
    modes: dict[Any, JsonSchemaMode] = dict.fromkeys(bodies, "validation")
    modes |= dict.fromkeys((*answers, *documents.EVENTS.values(), documents.Problem), "serialization")
    inputs = [(_key(shape), mode, TypeAdapter(shape)) for shape, mode in modes.items() if shape is not None]
    found, shared = TypeAdapter.json_schemas(inputs, ref_template=_REF)
    return {"definitions": shared["$defs"], **{key: schema for (key, _), schema in found.items()}}


def _key(shape: Any) -> str:
    return str(id(shape))


def _operation(operation: ApiOperation, schemas: Json) -> Json:
    problems = _problems(operation, schemas)
    parts: Json = {
        "operationId": operation.id,
        "tags": [operation.tag],
        "summary": operation.summary,
        "description": operation.description,
        "security": [{}] if operation.open else [],
        "parameters": _parameters(operation, schemas),
        "requestBody": _request_body(operation, schemas),
        "responses": {
            "200": _answer(operation, schemas),
            **_more(operation),
            **problems,
        },
    }
    return {name: part for name, part in parts.items() if part}


def _parameters(operation: ApiOperation, schemas: Json) -> list[Json]:
    in_path = [
        {"name": name, "in": "path", "required": True, "schema": _TEXT, **_PARAMETERS[name]}
        for name in re.findall(r"{(\w+)}", operation.path)
    ]
    return [*in_path, *map(dict, operation.parameters), *_query_parameters(operation, schemas)]


def _query_parameters(operation: ApiOperation, schemas: Json) -> list[Json]:
    """The parameters of the query string's model; their schemas do not allow null."""
    if operation.query is None:
        return []
    model = _resolved(schemas[_key(operation.query)], schemas)
    required = model.get("required", ())
    return [
        {"name": name, "in": "query", "required": name in required, "schema": _not_null(schema)}
        for name, schema in model["properties"].items()
    ]


def _not_null(schema: Json) -> Json:
    choices = [choice for choice in schema.get("anyOf", ()) if choice != {"type": "null"}]
    if len(choices) != 1:
        return schema
    kept = {name: part for name, part in schema.items() if name not in ("anyOf", "default")}
    return {**kept, **choices[0]}


def _request_body(operation: ApiOperation, schemas: Json) -> Json:
    content: Json = {media_type: {"schema": schema} for media_type, schema in operation.body_content.items()}
    if operation.body is not None:
        content[JSON] = _content(schemas[_key(operation.body)], operation.example, "request")
    return {"required": True, "content": content} if content else {}


def _answer(operation: ApiOperation, schemas: Json) -> Json:
    content = {
        media_type: _content(
            schemas[_key(shape)], operation.example if media_type == JSON else "", "response"
        )
        if shape
        else {"schema": _BARE.get(media_type, _TEXT)}
        for media_type, shape in operation.answers.items()
    }
    return {"description": operation.summary, "headers": _of_response(operation.headers), "content": content}


def _content(schema: Json, example: str, part: str) -> Json:
    found = examples().get(example, {}).get(part)
    return {"schema": schema, **({"examples": {"sample": {"value": found}}} if found is not None else {})}


def _more(operation: ApiOperation) -> Json:
    told = {
        status: {"description": why, "headers": _of_response(())} for status, why in operation.more.items()
    }
    return told | ({"414": _TOO_LONG} if operation.method == "get" else {})


def _problems(operation: ApiOperation, schemas: Json) -> Json:
    """The possible codes of each status."""
    codes = sorted(dict.fromkeys((*ANY, *operation.problems)), key=lambda code: KINDS[code].status)
    if operation.open:
        codes = [code for code in codes if code not in ("unauthorized", "forbidden")]
    by_status = {status: tuple(group) for status, group in groupby(codes, lambda code: KINDS[code].status)}
    by_status |= dict.fromkeys(_METHODS_AND_TYPES, ("invalid-request",))
    return {
        str(status): {
            "description": "; ".join(f"`{code}`: {KINDS[code].title}" for code in codes),
            "headers": _of_response(_BY_STATUS.get(status, ())),
            "content": _problem_content(operation, codes, schemas),
        }
        for status, codes in sorted(by_status.items())
    }


def _problem_content(operation: ApiOperation, codes: Iterable[str], schemas: Json) -> Json:
    if operation.errors is not None:
        return {JSON: {"schema": schemas[_key(operation.errors)]}}
    types = [f"/problems/{code}" for code in codes]
    whole = {"$ref": _REF.format(model="Problem")}
    return {PROBLEM: {"schema": {"allOf": [whole], "properties": {"type": {"enum": types}}}}}


def _event() -> Json:
    """One event of a stream; its name determines the schema of its data."""
    return {
        "description": "one event; the schema of its data goes by its name",
        "oneOf": [
            {
                "type": "object",
                "properties": {
                    "id": {"type": "string", "pattern": "^[0-9]+$"},
                    "event": {"const": name},
                    "data": {
                        "type": "string",
                        "contentMediaType": JSON,
                        "contentSchema": {"$ref": _REF.format(model=component_of(shape))},
                    },
                },
                "required": ["id", "event", "data"],
            }
            for name, shape in documents.EVENTS.items()
        ],
    }


def _of_response(names: Iterable[str]) -> Json:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in ("X-Request-Id", *names)}


def _headers() -> Json:
    """The documented headers of responses."""
    found = {
        name: {
            "description": meaning,
            "required": name not in _AT_TIMES,
            "schema": {"type": "string", **({"pattern": pattern} if pattern else {})},
        }
        for name, (meaning, pattern) in _HEADERS.items()
    }
    told = "the id of the request, sent along or made"
    return {"X-Request-Id": {"description": told, "required": True, "schema": _TEXT}, **found}


def _resolved(schema: Json, schemas: Json) -> Json:
    name = schema.get("$ref", "").rpartition("/")[2]
    found: Json = schemas["definitions"][name] if name else schema
    return found
