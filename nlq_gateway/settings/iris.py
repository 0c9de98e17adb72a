"""Types of values that name things of a graph: IRIs, and language tags."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, PlainSerializer, WithJsonSchema

from compilers.iris import iri_in
from compilers.layouts.vocabulary import WELL_KNOWN_PREFIXES
from nlq_gateway.settings.values import stated

# RFC 3987 leaves these out; so does SPARQL's IRIREF (SPARQL 1.1, 19.8).
_CHARACTERS = r'[^\s<>"{}|\\^`]'
_ABSOLUTE = rf"[A-Za-z][A-Za-z0-9+.-]*:{_CHARACTERS}+"
# The part of BCP 47 (RFC 5646) that LANGMATCHES compares: subtags of letters and digits.
_TAG = r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*"
_NAME = rf"({'|'.join(WELL_KNOWN_PREFIXES)}):(?!//){_CHARACTERS}*"
_WHOLE = rf"[A-Za-z][A-Za-z0-9+.-]*:{_CHARACTERS}*/{_CHARACTERS}*"


def _iris(values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(iri for value in values for iri in _expand(value)))


def _expand(value: str) -> tuple[str, ...]:
    """Return the IRIs of a name: two for schema.org, which is written with http and with https."""
    text = iri_in(value) or value
    if re.fullmatch(_NAME, text):
        prefix, _, name = text.partition(":")
        if prefix == "schema":
            return (f"http://schema.org/{name}", f"https://schema.org/{name}")
        return (WELL_KNOWN_PREFIXES[prefix] + name,)
    if not re.fullmatch(_ABSOLUTE if text != value else _WHOLE, text):
        known = ", ".join(WELL_KNOWN_PREFIXES)
        raise ValueError(f"{value!r} is no IRI, and its prefix is none of {known}")
    return (text,)


def _written(values: tuple[str, ...]) -> list[str]:
    """The IRIs as a file has them: in brackets where they could be names with a prefix."""
    return [value if re.fullmatch(_WHOLE, value) else f"<{value}>" for value in values]


def _graph(value: str) -> str:
    text = iri_in(value) or value
    if not re.fullmatch(_ABSOLUTE, text):
        raise ValueError(f"{value!r} is no IRI: write the whole of it, such as https://kg.example.org/graph")
    return text


def _functions(values: tuple[str, ...]) -> tuple[str, ...]:
    """The same IRIs; those of vendors are of one function each."""
    if values:
        # With it comes a parser of SPARQL, which most configurations need not wait for.
        from connectors.guard import is_vendors

        for iri in values:
            if iri.endswith(("/", "#")) and is_vendors(iri):
                raise ValueError(f"{iri!r} is a vendor's namespace: name each function of it")
    return values


def _language(value: str) -> str:
    if not re.fullmatch(_TAG, value):
        raise ValueError(f"{value!r} is no language tag: write en, de or pt-BR")
    return value


_IRI_LIST = {"type": "array", "items": {"type": "string", "pattern": f"^(<{_ABSOLUTE}>|{_NAME}|{_WHOLE})$"}}

IriList = Annotated[
    tuple[str, ...],
    AfterValidator(_iris),
    PlainSerializer(_written, when_used="json"),
    WithJsonSchema(_IRI_LIST),
]
FunctionList = Annotated[IriList, AfterValidator(_functions)]
GraphIri = Annotated[str, AfterValidator(_graph), stated(f"<{_ABSOLUTE}>|{_ABSOLUTE}")]
Language = Annotated[str, AfterValidator(_language), stated(_TAG)]
