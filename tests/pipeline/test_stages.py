"""A store that gives up on one query, and what the gateway makes of it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from compilers.compile import CompiledQuery, compile_program
from compilers.errors import UnsupportedProgram
from compilers.grounded import GroundedProgram
from compilers.kopl.notations import read_program
from compilers.layouts import Options
from connectors.errors import (
    EndpointError,
    EndpointRefusedQuery,
    EndpointTimeout,
    EndpointTooComplex,
    EndpointUnreachable,
)
from connectors.results import Result
from nlq_gateway.answering import Pipeline, execution
from nlq_gateway.trace import Trace
from tests.pipeline.trace_document import misfits

# Programs over the sample graph, each asked in the parts of its own.
PROGRAMS = {
    "a cut": "Find(Martin Scorsese)->Relate(directed by, backward)->FilterConcept(film)"
    "->Relate(cast member, forward)->What()",
    "a count": "FindAll()->FilterConcept(film)->Relate(directed by, forward)->Count()",
    "a set that is empty": "Find(Nile)->Relate(directed by, backward)->Relate(cast member, forward)->What()",
    "nothing to count": "Find(Nile)->Relate(directed by, backward)->FilterConcept(film)->Count()",
    "a verdict": "Find(Martin Scorsese)->Relate(directed by, backward)->FilterConcept(film)"
    "->QueryAttr(publication date)->VerifyYear(1800, >)",
    "an extreme": "FindAll()->SelectAmong(length, largest)",
    "either of two": "Find(Nile)->Find(Danube)->SelectBetween(length, less)",
    "a union": "Find(Nile)->Find(Danube)->Or()->What()",
    "how many in a union": "Find(Nile)->Find(Danube)->Or()->Count()",
    "a table": "FindAll()->FilterConcept(river)->FilterNum(length, 3000 kilometre, >)->QueryAttr(length)"
    "->Table()->SortTable(1, descending)",
}
# Every set of it is a place to go on from, and so is every set of its parts.
DEEP = (
    "FindAll()"
    + "->Relate(directed by, backward)->Relate(directed by, forward)->Relate(cast member, forward)" * 3
    + "->What()"
)
FAILURES: dict[str, Callable[[], EndpointError]] = {
    "too complex": lambda: EndpointTooComplex("the store expects the query to take too long"),
    "too slow": lambda: EndpointTimeout("the store stopped the query at its own time limit"),
}

Select = Callable[..., Result]


@dataclass
class Refusing:
    """A store that fails on the first queries."""

    select: Select
    times: int
    failure: Callable[[], EndpointError]
    asked: list[str] = field(default_factory=list)

    def __call__(self, text: str, *, timeout_ms: int | None = None, max_rows: int | None = None) -> Result:
        self.asked.append(text)
        if len(self.asked) <= self.times:
            raise self.failure()
        return self.select(text, timeout_ms=timeout_ms, max_rows=max_rows)


@pytest.fixture
def refuse(gateway: Pipeline, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Refusing]:
    """Make the sample graph's store fail so often."""
    endpoint = gateway.endpoint("sample")
    select = endpoint.select

    def made(times: int, failure: str = "too complex") -> Refusing:
        refusing = Refusing(select, times, FAILURES[failure])
        monkeypatch.setattr(endpoint, "select", refusing)
        return refusing

    return made


def run(gateway: Pipeline, text: str, **bounds: int) -> Trace:
    return gateway.run(read_program(text), "sample", probes=False, **bounds)


def require_right_or_given_up(gateway: Pipeline, text: str, expected: Trace, refusing: Refusing) -> None:
    """The same answer from a store that refuses, or its first error."""
    try:
        found = run(gateway, text).answer
    except EndpointTooComplex:
        assert len(refusing.asked) <= refusing.times
    else:
        assert expected.answer is not None
        assert found is not None
        assert sorted(found.strings) == sorted(expected.answer.strings)


@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_parts_answer_what_the_one_query_does(
    gateway: Pipeline, refuse: Callable[..., Refusing], name: str, failure: str
) -> None:
    whole = run(gateway, PROGRAMS[name])
    refusing = refuse(1, failure)
    parts = run(gateway, PROGRAMS[name])
    assert whole.answer is not None
    assert parts.answer is not None
    assert whole.answer.empty == name.startswith("a set that is empty")
    assert sorted(parts.answer.strings) == sorted(whole.answer.strings)
    assert (parts.answer.output, parts.status) == (whole.answer.output, whole.status)
    assert sorted(value.value for value in parts.answer.values) == sorted(
        v.value for v in whole.answer.values
    )
    assert parts.query == whole.query
    assert [stage.sparql for stage in parts.stages] == refusing.asked
    assert [warning.code for warning in parts.warnings] == ["answered-in-stages"]
    assert (whole.stages, whole.warnings) == ((), ())


def test_the_trace_tells_each_query(gateway: Pipeline, refuse: Callable[..., Refusing]) -> None:
    refuse(1)
    trace = run(gateway, PROGRAMS["a cut"])
    document = trace.as_json()
    assert misfits(document) == []
    first, members, rest = document["stages"]
    assert first["outcome"] == FAILURES["too complex"]().message
    assert (first["sparql"], first["rows"]) == (document["sparql"]["text"], None)
    assert members["rows"] > 0
    assert "VALUES" in rest["sparql"]
    assert document["warnings"][0]["message"].count(first["outcome"]) == 1


@pytest.mark.parametrize("times", range(2, 8))
@pytest.mark.parametrize("name", ["a cut", "a verdict", "an extreme", "a union"])
def test_parts_that_are_refused_are_cut_again(
    gateway: Pipeline, refuse: Callable[..., Refusing], name: str, times: int
) -> None:
    """Each failure costs one query; what is answered in the end is right, or the first error stands."""
    expected = run(gateway, PROGRAMS[name])
    refusing = refuse(times)
    require_right_or_given_up(gateway, PROGRAMS[name], expected, refusing)


@pytest.mark.parametrize("name", PROGRAMS)
def test_where_nothing_helps_the_first_error_stands(
    gateway: Pipeline, refuse: Callable[..., Refusing], name: str
) -> None:
    refusing = refuse(1_000)
    with pytest.raises(EndpointTooComplex, match="expects the query to take too long") as refused:
        run(gateway, PROGRAMS[name])
    asked = len(refusing.asked)
    refusing.times = 0
    assert refused.value.made == run(gateway, PROGRAMS[name]).query
    assert asked <= 16


@pytest.mark.parametrize("times", [2, 3, 1_000])
@pytest.mark.parametrize("name", ["a cut", "a verdict", "an extreme", "a union"])
def test_parts_that_the_store_calls_wrong_do_not_hide_the_first_error(
    gateway: Pipeline, refuse: Callable[..., Refusing], name: str, times: int
) -> None:
    expected = run(gateway, PROGRAMS[name])
    refusing = refuse(times)
    first = refusing.failure
    refusing.failure = lambda: first() if len(refusing.asked) == 1 else EndpointRefusedQuery("malformed")
    require_right_or_given_up(gateway, PROGRAMS[name], expected, refusing)


def test_parts_that_cannot_be_stated_do_not_hide_the_first_error(
    gateway: Pipeline, refuse: Callable[..., Refusing], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(grounded: GroundedProgram, *_: object) -> CompiledQuery:
        raise UnsupportedProgram("the query would be too large", step=len(grounded.program) - 1)

    monkeypatch.setattr(execution, "compile_program", refused)
    refusing = refuse(1)
    with pytest.raises(EndpointTooComplex):
        run(gateway, PROGRAMS["a cut"])
    assert len(refusing.asked) == 1


def test_nothing_is_compiled_when_no_query_is_left(
    gateway: Pipeline, refuse: Callable[..., Refusing], monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled: list[GroundedProgram] = []

    def counted(grounded: GroundedProgram, layout: str, options: Options) -> CompiledQuery:
        compiled.append(grounded)
        return compile_program(grounded, layout, options)

    monkeypatch.setattr(execution, "compile_program", counted)
    refusing = refuse(1_000)
    with pytest.raises(EndpointTooComplex):
        run(gateway, DEEP)
    assert len(refusing.asked) == execution.QUERIES
    assert len(compiled) == len(refusing.asked) - 1


def test_parts_have_no_more_time_than_the_whole(gateway: Pipeline, refuse: Callable[..., Refusing]) -> None:
    refusing = refuse(1, "too slow")
    slow = refusing.failure

    def late() -> EndpointError:
        time.sleep(0.2)
        return slow()

    refusing.failure = late
    with pytest.raises(EndpointTimeout):
        run(gateway, PROGRAMS["a cut"], timeout_ms=200)
    assert len(refusing.asked) == 1


def test_an_outage_is_not_asked_again(gateway: Pipeline, refuse: Callable[..., Refusing]) -> None:
    refusing = refuse(1)
    refusing.failure = lambda: EndpointUnreachable("no connection to the store")
    with pytest.raises(EndpointUnreachable):
        run(gateway, PROGRAMS["a cut"])
    assert len(refusing.asked) == 1


def test_no_more_rows_than_are_wanted(gateway: Pipeline, refuse: Callable[..., Refusing]) -> None:
    refuse(1)
    trace = run(gateway, PROGRAMS["a cut"], max_rows=1)
    assert (len(trace.rows), trace.truncated) == (1, True)
