"""Questions of MetaQA's one-hop dev split, asked over its graph."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from nlq_gateway.answering import Pipeline
from nlq_gateway.offline.evaluation import Measurer, Tally, read_questions
from nlq_gateway.settings import Settings

pytestmark = pytest.mark.data

DATA = Path(__file__).parents[3] / "shared" / "data" / "metaqa"
LEAST_HITS_AT_1 = 0.65
QUICK = 30


@pytest.fixture(scope="module")
def data() -> Path:
    if not DATA.is_dir():
        pytest.skip(f"the benchmark data folder {DATA} is missing")
    return DATA


@pytest.mark.benchmark
def test_three_hundred_questions_over_the_whole_graph(data: Path) -> None:
    report = _report(data, data / "kg.nt.gz", 300)
    assert report["n"] == 300
    assert report["hits_at_1"] >= LEAST_HITS_AT_1


def test_thirty_questions_over_what_is_near_them(data: Path, tmp_path: Path) -> None:
    part = tmp_path / "metaqa-part.nt"
    part.write_text("".join(_near(data, QUICK)), encoding="utf-8")
    report = _report(data, part, QUICK)
    assert report["n"] == QUICK
    assert report["hits_at_1"] >= LEAST_HITS_AT_1


def _report(data: Path, graph: Path, size: int) -> dict[str, float]:
    gateway = Pipeline(Settings.for_data([graph]))
    gateway.endpoint(None).prepare()
    try:
        asked = read_questions(str(data / "1hop.dev.jsonl.gz"), size)
        report = Tally(list(map(Measurer(gateway).measure, asked))).report()
    finally:
        gateway.close()
    assert report["errors"] == 0
    return report


def _near(data: Path, size: int) -> Iterator[str]:
    """The statements of the graph that are about the questions' topics, and names and types around them."""
    with gzip.open(data / "1hop.dev.jsonl.gz", "rt", encoding="utf-8") as lines:
        topics = {topic for line in islice(lines, size) for topic in json.loads(line)["topic"]}
    with gzip.open(data / "kg.nt.gz", "rt", encoding="utf-8") as lines:
        statements = [(line, *line.rstrip(" .\n").split(" ", 2)) for line in lines]
    labels = {f'"{json.dumps(topic, ensure_ascii=False)[1:-1]}"' for topic in topics}
    near = {subject for _, subject, _, value in statements if value in labels}
    links = [(s, o) for _, s, p, o in statements if re.search(r"/r/", p) and (s in near or o in near)]
    around = near | {iri for link in links for iri in link}
    for line, subject, predicate, value in statements:
        about = subject in around and ("/r/" not in predicate or subject in near or value in near)
        if about or "/c/" in subject or "/r/" in subject:
            yield line
