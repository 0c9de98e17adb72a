"""An answer as HTML for notebooks. Everything in it comes from graphs and questions, and is escaped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from nlq_gateway.language.wording.english import cell_text
from nlq_gateway.trace import Json

SHOWN_ROWS = 20
_LINKED = ("http", "https")


@dataclass(frozen=True, slots=True)
class RichCell:
    """A cell's text, and the address that it leads to; "" for none."""

    text: str
    link: str = ""


def answer_html(document: Mapping[str, Any]) -> str:
    """The answer of a trace's document as a fragment of HTML."""
    table = document["table"]
    rows = list(_rows(table))
    return _template().render(document=document, rows=rows, hidden=len(table["rows"]) - len(rows))


def _rows(table: Json) -> Iterator[list[RichCell]]:
    fields = table.get("fields") or [{}] * len(table["columns"])
    iris = [field.get("iris") for field in fields]
    for at, row in enumerate(table["rows"][:SHOWN_ROWS]):
        yield [
            RichCell(cell_text(text), _link(of[at]) if of else "") for text, of in zip(row, iris, strict=True)
        ]


def _link(iri: str | None) -> str:
    """The IRI where a browser may follow it: others, such as `javascript:`, are no links."""
    try:
        return iri if iri and urlsplit(iri).scheme in _LINKED else ""
    except ValueError:
        return ""


@lru_cache(maxsize=1)
def _template() -> Template:
    loader = PackageLoader("nlq_gateway", "client")
    environment = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.get_template("answer.html")
