"""`nlq ask` with a language model: what was repaired in what it wrote, and what it took."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterator

import pytest
from protocol_server import Asked, Manners, ProtocolServer

from compilers.kopl.program import Program, Step
from compilers.kopl.repair import Repair
from nlq_gateway.edges.cli.ask import readable
from nlq_gateway.trace import ModelCall, Trace

Nlq = Callable[..., "subprocess.CompletedProcess[str]"]

# Without a model hardly a word of it is understood.
QUESTION = "Wer hat bei Pulp Fiction Regie geführt?"


def write(asked: Asked) -> str:
    """A program with two mistakes; of names that are offered, the one that the program means."""
    if offered := re.findall(r"(?m)^(\d+)\. (.*)$", asked.prompt):
        return next(number for number, name in offered if name.startswith("directed by "))
    return " Find(Pulp Fiction)\nStep 2: Relate(helmed by)\nStep 3: What()"


@pytest.fixture
def server() -> Iterator[ProtocolServer]:
    """A model server."""
    running = ProtocolServer(Manners(write=write, log_probabilities=False))
    yield running
    running.close()


def test_repairs_and_the_cost_of_the_model_are_printed(nlq: Nlq, server: ProtocolServer) -> None:
    done = nlq("ask", QUESTION, "--data", "builtin:sample", "--model", server.url, "--strategy", "steps")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "Quentin Tarantino"
    assert [line.partition(" chose ")[0] for line in lines if line.startswith("Repaired: ")] == [
        "Repaired: step 2, added 'forward': the direction was missing; this one is a guess",
        "Repaired: step 2, 'helmed by' → 'directed by': the graph has no relation 'helmed by': the model",
    ]
    assert lines.index("Program") < lines.index("SPARQL")
    assert re.search(rf", tiny at {server.url}: \d calls, \d+ tokens, \d+\.\d s$", lines[-1])


def test_alone_the_model_answers_against_all_others(nlq: Nlq) -> None:
    model = ProtocolServer(Manners(write=lambda _: " Find(Pulp Fiction)\nStep 2: QueryAttr(duration)"))
    source = ("--data", "builtin:sample", "--model", model.url, "--strategy", "steps", "--only")
    done = nlq("ask", "Who directed Pulp Fiction?", *source)
    model.close()
    assert done.stdout.splitlines()[0] == "154 minutes", done.stderr
    refused = nlq("ask", "Who directed Pulp Fiction?", *source)
    assert refused.returncode != 0
    assert "the model failed" in refused.stderr


@pytest.mark.parametrize(
    ("repair", "line"),
    [
        (Repair(1, 0, "helmed by", "directed by", "so"), "step 2, 'helmed by' → 'directed by': so"),
        (Repair(2, None, "", "What()", "so"), "step 3, added 'What()': so"),
        (Repair(0, None, "FilterConcept(film)", "", "so"), "step 1, left out 'FilterConcept(film)': so"),
    ],
)
def test_a_repair_says_what_became_of_what(repair: Repair, line: str) -> None:
    program = Program((Step("Find", ("Pulp Fiction",), ()),))
    trace = Trace("t", "Who?", "sample", "answered", "Someone", program=program, repairs=(repair,))
    assert f"Repaired: {line}" in list(readable(trace))


def test_calls_that_cost_nothing_are_not_counted() -> None:
    calls = (ModelCall("write", 900, 40, 1_234.0), ModelCall("ground", 70, 1, 0.1, cached=True))
    trace = Trace("t", "Who?", "sample", "answered", "Someone", model="tiny", model_calls=calls)
    assert list(readable(trace))[-1] == "sample, 0 ms, confidence 0.00, tiny: 1 call, 940 tokens, 1.2 s"


def test_without_a_model_none_is_named() -> None:
    trace = Trace("t", "Who?", "sample", "answered", "Someone", confidence=0.9)
    assert list(readable(trace))[-1] == "sample, 0 ms, confidence 0.90"
