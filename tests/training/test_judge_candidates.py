"""The judge's training data: candidates of all sources, and right programs made of gold queries."""

from __future__ import annotations

from contextlib import closing
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from compilers.kopl.notations import read_program
from nlq_gateway.answering import Pipeline
from nlq_gateway.offline.evaluation import GoldQuestion
from nlq_gateway.settings import Settings
from training.judging import removed
from training.judging.collect import Collecting, Part, parts
from training.judging.mutants import mutants
from training.written import own_graphs, read_written

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"


@pytest.mark.data
@pytest.mark.skipif(not DATA.is_dir(), reason="the benchmark data are not there")
def test_gold_queries_become_right_programs_with_mutants(tmp_path: Path) -> None:
    part = next(one for one in parts(DATA, tmp_path, 2, 0) if one.name == "club_1")
    collecting = Collecting(part)
    lines = list(islice(collecting.lines([]), 8))
    collecting.gateway.close()
    made = [one for line in lines for one in line["candidates"]]
    assert any(one["sources"] == ["gold"] and one["right"] for one in made)
    assert any(one["sources"] == ["mutant"] and not one["right"] for one in made)


def test_hardly_a_candidate_is_right_where_what_is_asked_is_gone() -> None:
    made = read_written()
    source = own_graphs(["own_circus"])["own_circus"]
    asked = list(removed.lines("own_circus", source, made["own_circus"]))
    proposed = [one for one in asked if one["candidates"]]
    answered = [one for one in proposed if any(candidate["right"] for candidate in one["candidates"])]
    assert len(proposed) >= 8
    assert 4 * len(answered) <= len(proposed)


def test_a_gold_program_may_call_a_relation_by_its_inverse() -> None:
    """Its graph states only what is broader."""
    program = read_program("Find(Sandy soils)->Relate(has narrower, forward)->What()")
    question = GoldQuestion("1", "What is narrower than sandy soils?", "", program=program)
    data = (str(own_graphs(["own_soiltypes"])["own_soiltypes"]),)
    collecting = Collecting(Part("soil", data, tuple, mutated=False))
    with closing(collecting.gateway):
        found = collecting.gateway.endpoint(None).name_of
        named = {found(iri) for iri in collecting.gold(question)}
    assert named == {"Plaggen sand", "Drift sand", "Podzols"}


def test_a_chain_is_one_relation_too_short() -> None:
    chain = "Find(X)->Relate(written by, forward)->{}Relate(directed by, {})->What()"
    whole = read_program(chain.format("Relate(written by, backward)->", "forward"))
    with closing(Pipeline(Settings.for_data(["builtin:sample"]))) as gateway:
        endpoint = gateway.endpoint(None)
        endpoint.prepare()
        made = list(mutants(whole, {}, endpoint.index, Random(1)))
    short = [one.program for one in made if one.kind == "shortened"]
    assert read_program(chain.format("", "backward")) in short
    assert all(len(program) == len(whole) - 1 for program in short)
