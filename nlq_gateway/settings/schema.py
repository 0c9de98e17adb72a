"""The JSON Schema of configuration files, for editors and other tools (2020-12).

It describes the file: text for times, and references wherever a value is allowed. It uses only keywords of
draft 7 beside `$defs`, because most editors support no others. Rules about other files or about several keys
(a missing file, a duplicate id) are left to
`nlq config check`.
"""

from __future__ import annotations

from datetime import timedelta
from importlib import resources
from typing import Any

from pydantic.json_schema import GenerateJsonSchema

from nlq_gateway.settings.configuration import Settings
from nlq_gateway.settings.values import REFERENCE, SECRET, as_text

ID = "urn:nlq-gateway:schema:configuration"
FILE = "schema.json"

Json = dict[str, Any]
_REFERENCE: Json = {"$ref": "#/$defs/Reference"}
_SCALARS = ("integer", "number", "boolean")


class _OfFiles(GenerateJsonSchema):
    """Defaults as a file has them."""

    def encode_default(self, dft: Any) -> Any:
        return as_text(dft) if isinstance(dft, timedelta) else super().encode_default(dft)


def schema() -> Json:
    """The schema, made from the models."""
    made = Settings.model_json_schema(schema_generator=_OfFiles)
    definitions = made.pop("$defs")
    sections = {name: _section(section) for name, section in definitions.items()}
    reference = {
        "description": "${NAME} stands for a variable of the environment, ${file:PATH} for a file's text",
        "type": "string",
        "pattern": REFERENCE,
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": ID,
        "title": "The configuration of nlq-gateway",
        **_section(made),
        "$defs": {**sections, "Reference": reference},
    }


def published() -> str:
    """The text of the shipped schema."""
    return resources.files("nlq_gateway.settings").joinpath(FILE).read_text(encoding="utf-8")


def _section(section: Json) -> Json:
    keys = {name: _key(value) for name, value in section["properties"].items()}
    return {**{k: v for k, v in section.items() if k != "title"}, "properties": keys}


def _key(value: Json) -> Json:
    """A key's schema: a reference may replace its value, and the title is dropped as it repeats the name."""
    about: Json = {name: value[name] for name in ("description", "default") if name in value}
    what = {name: inner for name, inner in value.items() if name not in (*about, "title")}
    if "$ref" in what or about.get("default") is None:
        # The default of a section is those of its keys; no value is a key that is left out, or a word for it.
        about.pop("default", None)
        about.update(("default", part["const"]) for part in what.get("anyOf", ()) if "const" in part)
    return {**about, **_or_reference(what)}


def _or_reference(value: Json) -> Json:
    if "items" in value:
        return {**value, "items": _or_reference(value["items"])}
    if "anyOf" in value:
        alternatives = [part for part in value["anyOf"] if part.get("type") != "null"]
        others = [part for part in value["anyOf"] if part.get("type") == "null"]
        if len(alternatives) == 1:
            alternatives = _or_reference(alternatives[0]).get("anyOf", alternatives)
        else:
            alternatives.append(_REFERENCE)
        return {"anyOf": [*alternatives, *others]}
    bound = value.get("type") in _SCALARS or "enum" in value or "pattern" in value
    return {"anyOf": [value, _REFERENCE]} if bound and value.get("pattern") != SECRET else value
