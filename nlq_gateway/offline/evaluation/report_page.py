"""The report of `nlq eval` as one page that needs no network: figures, charts, and each wrong question.

What it shows comes from graphs and question files, so all of it is escaped, and the page itself forbids every
script and style but its own.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from importlib import resources
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from compilers.kopl.notations import NOTATIONS
from nlq_gateway.core.version import __version__
from nlq_gateway.offline.evaluation import charts
from nlq_gateway.offline.evaluation.measure import Measurement
from nlq_gateway.offline.evaluation.mistakes import MEANINGS, Mistake
from nlq_gateway.offline.evaluation.questions import Gold

UNCOUNTED = "no gold answer"
_MOST_SHOWN = 50


@dataclass(frozen=True, slots=True)
class About:
    """The report's subject: the endpoint, the question file, the strategy, and the number of questions."""

    source: str
    questions: str
    strategy: str
    total: int


@dataclass(frozen=True, slots=True)
class Case:
    """A wrong question, or one that failed."""

    measured: Measurement
    mistake: str
    gold: tuple[tuple[str, ...], ...]
    more_gold: int
    gold_program: str
    trace: dict[str, Any]


def report_page(report: dict[str, Any], measurements: Sequence[Measurement], about: About) -> str:
    """The page, as HTML."""
    style = Markup(_file("edges/http/static/page.css") + _file("offline/evaluation/page/report.css"))
    script = Markup(_file("offline/evaluation/page/report.js"))
    return (
        _environment()
        .get_template("report.html")
        .render(
            about=about,
            report=report,
            version=__version__,
            made=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
            kinds=(
                ("By kind", "", charts.rows(report["by_kind"])),
                ("By relations", "of the gold program", charts.rows(report["by_hops"])),
                (
                    "By function",
                    "of the gold program; a program with several families counts in each",
                    charts.rows(report["by_function"]),
                ),
            ),
            measures=charts.MEASURES,
            histogram=charts.histogram([m.ms for m in measurements if m.ms is not None]),
            mistakes=[(mistake, report["error_table"][mistake], MEANINGS[mistake]) for mistake in Mistake],
            cases=[_case(m) for m in measurements if m.mistake or m.failure],
            style=style,
            script=script,
            policy=f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}",
        )
    )


def _case(measured: Measurement) -> Case:
    program = measured.gold_program
    return Case(
        measured,
        measured.mistake or UNCOUNTED,
        _cells(measured.gold[:_MOST_SHOWN]),
        max(0, len(measured.gold) - _MOST_SHOWN),
        NOTATIONS["steps"].write(program.program) if program else "",
        measured.trace or {},
    )


def _cells(gold: Gold) -> tuple[tuple[str, ...], ...]:
    return tuple((item,) if isinstance(item, str) else item for item in gold)


@lru_cache(maxsize=1)
def _environment() -> Environment:
    environment = Environment(
        autoescape=True,
        loader=PackageLoader("nlq_gateway.offline.evaluation", "page"),
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters |= {"duration": charts.duration, "percent": _percent}
    return environment


def _percent(share: float) -> str:
    """Format a share as a length in SVG."""
    return f"{100 * share:.3g}%"


def _file(name: str) -> str:
    return (resources.files("nlq_gateway") / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """Return the hash of a script or style for Content Security Policy Level 3, section 2.3.1."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
