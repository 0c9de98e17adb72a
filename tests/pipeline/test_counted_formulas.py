"""How many of a calculation there are is no question: "times" also says how often."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks.rooms import opened
from compilers.kopl.check import require_valid
from nlq_gateway.answering import Pipeline
from nlq_gateway.answering.sources import Sources
from nlq_gateway.core.types import Question
from nlq_gateway.question.linking import Linker
from nlq_gateway.question.reading.reading import QuestionReading
from nlq_gateway.trace import Recorder

INN = "http://inn.example/"
GRAPH = f"@prefix : <{INN}> . @prefix room: <{INN}rooms#> . @prefix r: <{INN}reservations#> .\n" + "".join(
    (
        *(
            f':{n} a :rooms ; room:roomname "{name}" ; room:baseprice {50 + n} .\n'
            for n, name in enumerate(("Abscond", "Frugal"))
        ),
        *(
            f":r{n} a :reservations ; r:room :{n % 2} ; r:adults {n % 3} ; r:rate {90 + n} ;"
            f' r:lastname "{name}" .\n'
            for n, name in enumerate(("Ames", "Boyle", "Crane", "Dow", "Eads"))
        ),
    )
)


@pytest.fixture(scope="module")
def inn(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pipeline]:
    file = tmp_path_factory.mktemp("inn") / "inn.ttl"
    file.write_text(GRAPH, encoding="utf-8")
    with opened((file,)) as gateway:
        yield gateway


@pytest.mark.parametrize(
    "question",
    [
        "For each room, find its name and the number of times reservations were made for it.",
        "Find the count of the sum of rate and adults for each room.",
    ],
)
def test_drafts_are_programs_of_the_language(inn: Pipeline, question: str) -> None:
    endpoint = inn.endpoint(None)
    endpoint.prepare()
    links = Linker(endpoint.index).link(Question(question))
    proposed = Sources(endpoint).propose(QuestionReading.of(links, endpoint.index), Recorder())
    drafts = [candidate.draft for stage in proposed for candidate in stage]
    assert drafts
    for draft in drafts:
        require_valid(draft.program)
