"""Tables and labels as lines of a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from nlq_gateway.language.wording.english import cell_text

SHOWN_ROWS = 20
LONGEST_CELL = 50


def plain(line: str) -> str:
    """The line without characters that a terminal acts on: labels come from graphs."""
    return "".join(one if one.isprintable() or one in "\n\t" else "�" for one in line)


def clipped(text: str, longest: int = LONGEST_CELL) -> str:
    """The text on one line, cut where it is longer."""
    line = " ".join(text.split())
    return line if len(line) <= longest else line[:longest] + "…"


def table_lines(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The first rows under the names of their columns."""
    shown = [[clipped(cell_text(cell)) for cell in row] for row in rows[:SHOWN_ROWS]]
    lines = [list(columns), *shown]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        yield "  " + "  ".join(f"{cell:<{width}}" for cell, width in zip(line, widths, strict=True)).rstrip()
    if hidden := len(rows) - len(shown):
        yield f"  and {hidden} more"
