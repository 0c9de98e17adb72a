"""Tables on the command line: what `nlq run` and `nlq compile` write, and what `nlq ask` prints."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from compilers.answers import AnswerValue
from nlq_gateway.client.plain import LONGEST_CELL, SHOWN_ROWS
from nlq_gateway.edges.cli.ask import readable
from nlq_gateway.trace import Trace
from nlq_gateway.trace.table import Cells

Nlq = Callable[..., "subprocess.CompletedProcess[str]"]

SAMPLE = ("--data", "builtin:sample")
FILE = Path(__file__).parents[1] / "sample" / "extension_programs.jsonl"
RECORDS = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]


def test_run_writes_a_line_of_cells_for_each_row(nlq: Nlq) -> None:
    done = nlq("run", *SAMPLE, "--jsonl", str(FILE))
    assert done.returncode == 0, done.stderr
    for record, line in zip(RECORDS, done.stdout.splitlines(), strict=True):
        written = json.loads(line)
        is_sorted = "SortTable" in record["program"]
        answers = written["answers"] if is_sorted else sorted(written["answers"])
        assert (written["id"], answers) == (record["id"], record["answers"])
        assert "error" not in written


def test_compile_writes_every_query(nlq: Nlq) -> None:
    done = nlq("compile", *SAMPLE, "--jsonl", str(FILE))
    assert done.returncode == 0, done.stderr
    queries = [json.loads(line)["sparql"] for line in done.stdout.splitlines()]
    assert [query.count("# step 1: ") for query in queries] == [1] * len(RECORDS)


def cells(rows: Iterable[Sequence[str]]) -> Cells:
    return tuple(tuple(AnswerValue(text, "literal") if text else None for text in row) for row in rows)


def traced(columns: tuple[str, ...], *rows: tuple[str, ...]) -> list[str]:
    return list(
        readable(Trace("id", "", "graph", "answered", "Some rows.", columns=columns, cells=cells(rows)))
    )


def test_ask_prints_a_table_under_the_answer() -> None:
    assert traced(("river", "length"), ("Nile", "6650 kilometre"), ("Main", ""))[:5] == [
        "Some rows.",
        "",
        "  river  length",
        "  Nile   6650 kilometres",
        "  Main",
    ]


def test_ask_prints_no_table_of_what_the_answer_says() -> None:
    for lines in (traced(("river",), ("Nile",), ("Main",)), traced(("river", "length"), ("Nile", "1"))):
        assert lines[:2] == ["Some rows.", ""]
        assert lines[2].startswith("graph, ")


def test_ask_says_which_words_the_program_does_not_use() -> None:
    trace = Trace(
        "id", "", "graph", "answered", "Nile", reading="Which rivers?", ignored=("old", "so purple")
    )
    assert list(readable(trace))[1:3] == [
        "Read as: Which rivers?",
        "Not taken into account: “old”, “so purple”",
    ]


def test_ask_prints_the_first_rows_of_a_long_table_and_the_beginning_of_a_long_cell() -> None:
    rows = [(str(number), "two\nlines " + "x" * 100) for number in range(SHOWN_ROWS + 7)]
    lines = traced(("number", "text"), *rows)
    assert lines[SHOWN_ROWS + 2] == "  19      " + ("two lines " + "x" * 100)[:LONGEST_CELL] + "…"
    assert lines[SHOWN_ROWS + 3] == "  and 7 more"
