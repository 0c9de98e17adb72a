"""Every key with its values, its default and its meaning, as Markdown.

`docs/configuration.md` ends with it; `pytest tests/settings --update-goldens` writes it anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from nlq_gateway.settings.schema import schema

Json = dict[str, Any]
HEAD = "## All keys\n"
_COLUMNS = "| key | value | default | meaning |\n|---|---|---|---|\n"
_KINDS = {
    "integer": "whole number",
    "number": "number",
    "boolean": "`true` or `false`",
    "string": "text",
    "array": "list",
    "object": "mapping",
}


def key_tables() -> str:
    """A table for each section, from the whole inwards."""
    whole = schema()
    return HEAD + "".join(_tables(whole, "", whole["$defs"], {}))


def _tables(section: Json, path: str, sections: Json, told: dict[str, str]) -> Iterator[str]:
    required = section.get("required", ())
    rows = "".join(_row(name, key, name in required) for name, key in section["properties"].items())
    title = f"\n### `{path}`\n" if path else ""
    yield f"{title}\n{section['description']}\n\n{_COLUMNS}{rows}"
    for name, key in section["properties"].items():
        inner = next(filter(None, map(_referred, key.get("anyOf", [key]))), "")
        place = f"{path}.{name}" if path else name
        if inner in told:
            yield f"\n### `{place}`\n\nThe keys of `{told[inner]}`.\n"
        elif "properties" in sections.get(inner, {}):
            told[inner] = place
            yield from _tables(sections[inner], place, sections, told)


def _referred(part: Json) -> str:
    """The section that a value is, or that the items of a list are; "" for other values."""
    found: str = part.get("items", part).get("$ref", "")
    return found.removeprefix("#/$defs/")


def _row(name: str, key: Json, required: bool) -> str:
    default = "needed" if required else f"`{_text(key['default'])}`" if "default" in key else "–"
    cells = (f"`{name}`", _value(key), "" if "$ref" in key else default, key["description"])
    return "| " + " | ".join(cells) + " |\n"


def _value(key: Json) -> str:
    """Describe the possible values of a key; that references are possible is said above all tables."""
    if "$ref" in key:
        return "keys below"
    alternatives = [
        part for part in key.get("anyOf", [key]) if "$ref" not in part and part.get("type") != "null"
    ]
    return ", or ".join(map(_words, alternatives))


def _words(part: Json) -> str:
    if "items" in part:
        return "list of keys below" if "$ref" in part["items"] else "list"
    choices = part.get("enum") or ([part["const"]] if "const" in part else part.get("examples"))
    if choices:
        shown = ", ".join(f"`{choice}`" for choice in choices)
        return f"such as {shown}" if "examples" in part else shown
    return _KINDS[part["type"]] + _bounds(part)


def _bounds(part: Json) -> str:
    if "maximum" in part:
        return f", {part['minimum']} to {part['maximum']}"
    if "exclusiveMinimum" in part:
        return f" above {part['exclusiveMinimum']}"
    return f" from {part['minimum']}" if "minimum" in part else ""


def _text(default: Any) -> str:
    if isinstance(default, list):
        return f"[{', '.join(map(_text, default))}]"
    return default if isinstance(default, str) else json.dumps(default)
