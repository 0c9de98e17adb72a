"""The commands as people run them, over the sample graph."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from nlq_gateway.edges.cli.arguments import parse
from nlq_gateway.offline.evaluation.report_text import report_lines

Nlq = Callable[..., "subprocess.CompletedProcess[str]"]
Written = Callable[[str, object], str]

SAMPLE = ("--data", "builtin:sample")
QUESTION = "Who directed Pulp Fiction?"
ANSWER = "Quentin Tarantino"
PROGRAM = "Find(Pulp Fiction)->Relate(directed by, forward)->What()"
BAD_TYPE = [
    {"function": "FindAll", "inputs": []},
    {"function": "VerifyStr", "inputs": ["x"], "dependencies": [0]},
]
GRAPH = """@prefix : <http://g.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:City rdfs:label "city" . :bonn a :City ; rdfs:label "Bonn" . :ulm a :City ; rdfs:label "Ulm" .
"""


def test_the_version(nlq: Nlq) -> None:
    done = nlq("--version")
    assert (done.returncode, done.stdout.split()[0]) == (0, "nlq-gateway")


def test_ask_prints_answer_program_and_query(nlq: Nlq) -> None:
    done = nlq("ask", *SAMPLE, QUESTION)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == ANSWER
    assert lines.index("Program") < lines.index("SPARQL")
    assert any("Find(Pulp Fiction)" in line for line in lines)
    assert done.stderr == ""


def test_ask_prints_the_trace_as_json_alone(nlq: Nlq) -> None:
    done = nlq("ask", QUESTION, "--json", *SAMPLE)
    document = json.loads(done.stdout)
    assert (document["status"], document["answer"]["text"]) == ("answered", ANSWER)


def test_a_question_without_an_answer_is_no_failure(nlq: Nlq) -> None:
    done = nlq("ask", *SAMPLE, "zzz qqq xxx")
    assert done.returncode == 0
    assert done.stdout.strip()


def test_several_files_are_one_graph_and_the_last_word_is_the_question(nlq: Nlq, written: Written) -> None:
    more = written("more.ttl", "<http://g.example/rom> a <http://g.example/City> .\n")
    done = nlq("ask", "--data", written("g.ttl", GRAPH), more, "How many cities are there?")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == "3"


@pytest.mark.parametrize(
    ("words", "data", "question"),
    [
        (["ask", "--data", "a.ttl", "why?"], ["a.ttl"], "why?"),
        (["ask", "--data", "a.ttl", "b.ttl", "why?", "--json"], ["a.ttl", "b.ttl"], "why?"),
        (["ask", "--data", "a.ttl", "--data", "b.ttl", "why?"], ["a.ttl", "b.ttl"], "why?"),
        (["ask", "why?", "--data", "a.ttl", "b.ttl"], ["a.ttl", "b.ttl"], "why?"),
        (["ask", "--data", "a.ttl", "b.ttl", "--json", "why?"], ["a.ttl", "b.ttl"], "why?"),
        (["ask", "--data", "a.ttl", "--", "-5 what?"], ["a.ttl"], "-5 what?"),
    ],
)
def test_where_the_files_end_and_the_question_begins(
    words: list[str], data: list[str], question: str
) -> None:
    options = parse(words)
    assert (options.data, options.question) == (data, question)


def test_with_json_lines_all_values_are_files() -> None:
    assert parse(["run", "--data", "a.ttl", "b.ttl", "--jsonl", "p.jsonl"]).data == ["a.ttl", "b.ttl"]
    assert parse(["index", "--data", "a.ttl", "b.ttl"]).data == ["a.ttl", "b.ttl"]


def test_run_executes_one_program(nlq: Nlq, written: Written) -> None:
    done = nlq("run", *SAMPLE, written("p.json", {"id": 7, "program": PROGRAM}))
    assert done.returncode == 0, done.stderr
    row = json.loads(done.stdout)
    assert (row["id"], row["answers"]) == (7, [ANSWER])
    assert row["sparql"].lstrip().startswith("PREFIX")
    assert "error" not in row


def test_run_warns_of_a_name_that_the_graph_lacks(nlq: Nlq, written: Written) -> None:
    warning = "warning: step 1: no entity 'Pulp Friction' in this graph; did you mean 'Pulp Fiction'?"
    done = nlq("run", *SAMPLE, "-", input="Find(Pulp Friction)->What()")
    assert (done.returncode, json.loads(done.stdout)["answers"], done.stderr) == (0, [], f"nlq: {warning}\n")
    programs = written("p.jsonl", [{"id": "a", "program": "Find(Pulp Friction)->What()"}])
    assert nlq("run", *SAMPLE, "--jsonl", programs).stderr == f"nlq: a: {warning}\n"


def test_run_says_why_it_finds_nothing(nlq: Nlq) -> None:
    done = nlq("run", *SAMPLE, "-", input="Find(Nile)->QueryAttr(population)")
    assert done.stderr == "nlq: warning: The graph states no “population” of Nile.\n"


def test_run_and_compile_print_text_where_it_is_wanted(nlq: Nlq) -> None:
    ran = nlq("run", *SAMPLE, "--text", "-", input=PROGRAM)
    compiled = nlq("compile", *SAMPLE, "--text", "-", input=PROGRAM)
    query = json.loads(nlq("compile", *SAMPLE, "-", input=PROGRAM).stdout)["sparql"]
    assert (ran.stdout, compiled.stdout) == (f"{ANSWER}\n\nSPARQL\n{query}", query)
    unknown = nlq("run", *SAMPLE, "--text", "-", input="Find(Pulp Friction)->What()")
    assert "Note: step 1: no entity 'Pulp Friction' in this graph; did you mean" in unknown.stdout
    assert (unknown.returncode, unknown.stderr) == (0, "")
    failed = nlq("run", *SAMPLE, "--text", "-", input="What()")
    assert (failed.returncode, failed.stdout) == (1, "")
    assert failed.stderr.startswith("nlq: step 1")


@pytest.mark.parametrize("command", ["run", "compile"])
def test_on_a_terminal_text_is_printed(environment: dict[str, str], written: Written, command: str) -> None:
    main, worker = pty.openpty()
    program = written("p.txt", PROGRAM)
    arguments = [sys.executable, "-m", "nlq_gateway", command, *SAMPLE, program]
    assert subprocess.run(arguments, stdout=worker, env=environment, timeout=120).returncode == 0
    printed = os.read(main, 4_000).decode()
    os.close(worker)
    os.close(main)
    assert "\r\n  # step 1: Find(Pulp Fiction)\r\n" in printed
    assert printed.startswith(ANSWER if command == "run" else "PREFIX")


def test_run_reads_text_from_standard_input(nlq: Nlq) -> None:
    done = nlq("run", *SAMPLE, "-", input=PROGRAM)
    assert json.loads(done.stdout)["answers"] == [ANSWER]


def test_run_goes_on_after_a_program_that_fails(nlq: Nlq, written: Written) -> None:
    good, bad = ({"id": name, "program": program} for name, program in (("a", PROGRAM), ("c", BAD_TYPE)))
    lines = [json.dumps(good), "{", json.dumps(bad), "7"]
    file = written("p.jsonl", "\n".join(lines) + "\n")
    done = nlq("run", *SAMPLE, "--jsonl", file)
    assert done.returncode == 1
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [row["id"] for row in rows] == ["a", 2, "c", 4]
    assert rows[0]["answers"] == [ANSWER]
    assert [row["answers"] for row in rows[1:]] == [None] * 3
    assert [row["error"]["code"] for row in rows[1:]] == [
        "invalid-request",
        "invalid-program",
        "invalid-request",
    ]
    assert all(row["error"]["message"] for row in rows[1:])
    assert len(done.stderr.splitlines()) == 3


def test_json_lines_come_through_a_pipe(environment: dict[str, str], written: Written) -> None:
    file = written("p.jsonl", [{"id": "a", "program": PROGRAM}])
    command = f'exec python -m nlq_gateway run --data builtin:sample --jsonl <(cat "{file}")'
    path = f"{Path(sys.executable).parent}:{environment['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command],
        capture_output=True,
        text=True,
        env={**environment, "PATH": path},
        timeout=120,
    )
    assert (done.returncode, json.loads(done.stdout)["answers"]) == (0, [ANSWER])


def test_compile_writes_the_query_with_its_source_map(nlq: Nlq, written: Written) -> None:
    done = nlq("compile", *SAMPLE, written("p.txt", PROGRAM), "--dialect", "virtuoso")
    assert done.returncode == 0, done.stderr
    row = json.loads(done.stdout)
    assert (row["id"], [place["step"] for place in row["source_map"]]) == ("p", [1, 2, 3])
    start, end = row["source_map"][0]["spans"][0]
    assert row["sparql"][start:end].strip()
    assert [probe["steps"] for probe in row["probes"]] == [[2], [2]]
    assert "# step 2: " in row["probes"][0]["sparql"]


def test_compile_by_layout_alone(nlq: Nlq, written: Written) -> None:
    file = written("p.jsonl", [{"id": 1, "program": PROGRAM}, {"id": 2, "program": "What()"}])
    done = nlq("compile", "--layout", "kqapro", "--jsonl", file)
    assert done.returncode == 1
    first, second = map(json.loads, done.stdout.splitlines())
    assert "directed_by" in first["sparql"]
    assert (second["sparql"], second["source_map"]) == (None, None)
    assert second["error"]["code"] == "invalid-program"
    assert "probes" not in first
    done = nlq("compile", "--layout", "kqapro", "--jsonl", file, "--probes")
    first, second = map(json.loads, done.stdout.splitlines())
    assert [probe["steps"] for probe in first["probes"]] == [[1, 2], [1, 2]]
    assert "probes" not in second


@pytest.mark.parametrize(
    "command", [("run", *SAMPLE), ("compile", *SAMPLE), ("compile", "--layout", "kqapro")]
)
def test_strict_refuses_extensions(nlq: Nlq, written: Written, command: tuple[str, ...]) -> None:
    programs = [{"id": 1, "program": PROGRAM}, {"id": 2, "program": "FindAll()->Exists()"}]
    done = nlq(*command, "--strict", "--jsonl", written("p.jsonl", programs))
    assert done.returncode == 1
    first, second = map(json.loads, done.stdout.splitlines())
    assert first["sparql"]
    assert second["error"]["code"] == "invalid-program"
    assert "Exists is not among KQA Pro's functions" in second["error"]["message"]


@pytest.mark.parametrize(
    ("layout", "stated"),
    {
        "reification": "?fact rdf:object <http://e.org/b> .",
        "rdf12": " <http://e.org/p> <http://e.org/b> )>> .",
        "rdf_star": " <http://e.org/p> <http://e.org/b> >> <http://e.org/q> ?",
        "singleton": "?fact rdf:singletonPropertyOf <http://e.org/p> .",
        "graph_per_fact": " <http://e.org/p> <http://e.org/b> . }",
    }.items(),
)
def test_compile_for_layouts_with_qualifiers(nlq: Nlq, written: Written, layout: str, stated: str) -> None:
    steps = (
        "Find(<http://e.org/b>)",
        "Relate(<http://e.org/p>, backward)",
        "QFilterStr(<http://e.org/q>, x)",
    )
    done = nlq("compile", "--layout", layout, written("p.txt", "->".join(steps)))
    assert done.returncode == 0, done.stderr
    assert stated in json.loads(done.stdout)["sparql"]


def test_index_says_what_is_in_it(nlq: Nlq) -> None:
    done = nlq("index", *SAMPLE)
    assert done.returncode == 0, done.stderr
    facts = dict(line.split(maxsplit=1) for line in done.stdout.splitlines()[1:])
    assert facts["layout"] == "kqapro"
    assert int(facts["relations"]) > 10


def test_eval_reports(nlq: Nlq, written: Written, tmp_path: Path) -> None:
    questions = [
        {"id": "a-1", "question": QUESTION, "answers": [ANSWER]},
        {"id": "b-1", "question": QUESTION, "answers": ["somebody else"]},
        {"id": "b-2", "question": QUESTION, "answers": []},
    ]
    report = tmp_path / "report.json"
    done = nlq("eval", *SAMPLE, "--questions", written("q.jsonl", questions), "--report", str(report))
    assert done.returncode == 0, done.stderr
    printed = json.loads(report.read_text(encoding="utf-8"))
    assert done.stdout.splitlines() == list(report_lines(printed))
    assert {"n", "hits_at_1", "f1", "exact", "answered", "by_kind", "latency_ms", "errors"} <= set(printed)
    assert (printed["n"], printed["f1"], printed["errors"], printed["empty_gold"]) == (2, 0.5, 0, 1)
    assert set(printed["by_kind"]) == {"a", "b"}
    assert "question" in done.stderr


def test_eval_says_which_questions_failed(nlq: Nlq, written: Written) -> None:
    questions = [{"id": "long", "question": "x" * 5_000, "answers": ["a"]}]
    done = nlq("eval", *SAMPLE, "--questions", written("q.jsonl", questions), "--limit", "1", "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["errors"] == 1
    assert "long: " in done.stderr


def test_the_configuration_may_stand_in_the_environment(
    environment: dict[str, str], nlq: Nlq, written: Written
) -> None:
    file = written("nlq.yaml", "endpoints: [{id: sample, aliases: [films], data: ['builtin:sample']}]")
    for source in (("--config", file), ("--config", file, "--endpoint", "films")):
        assert json.loads(nlq("ask", *source, QUESTION, "--json").stdout)["dataset"] == "sample"
    done = nlq("index", env={**environment, "NLQ_CONFIG": file})
    assert done.stdout.startswith("sample")


def test_exploring_has_a_process_for_each_core(capsys: pytest.CaptureFixture[str]) -> None:
    """As the page and the help say."""
    cores = parse(["explore", *SAMPLE]).workers
    assert cores == len(os.sched_getaffinity(0))
    with pytest.raises(SystemExit):
        parse(["explore", "--help"])
    told = " ".join(capsys.readouterr().out.split())
    assert f"default: one for each core (here {cores})" in told
    page = Path(__file__).parents[2] / "docs" / "exploration.md"
    assert "default: one for each core" in page.read_text("utf-8")
