"""Tables of columns that do not meet, over a thousand things, keep no question from its answer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from compilers.kopl.notations import read_program
from connectors.errors import EndpointTimeout
from nlq_gateway.answering import Pipeline
from nlq_gateway.settings import Settings

THINGS = 1_000
KINDS = "->".join(f"FindAll()->FilterConcept({kind})" for kind in ("engine", "valve", "pump"))
BAD = (
    f"{KINDS}->Table()->SortTable(1, ascending)->LimitTable(3)",
    f"{KINDS}->Table()->CountTable()",
    f"{KINDS}->Count()->Table()",
)
GOOD = "Find(engine 7)->QueryAttr(weight)"


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pipeline]:
    file = tmp_path_factory.mktemp("things") / "things.ttl"
    lines = ["@prefix : <urn:x:> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> ."]
    for kind in ("engine", "valve", "pump"):
        lines.append(f':{kind} rdfs:label "{kind}" .')
        lines += [
            f':{kind}{number} a :{kind} ; rdfs:label "{kind} {number}" ; :weight {number} .'
            for number in range(THINGS)
        ]
    file.write_text("\n".join(lines), encoding="utf-8")
    endpoint = Settings.for_data((str(file),)).endpoints[0].model_copy(update={"layout": "direct"})
    with closing(Pipeline(Settings(endpoints=(endpoint,)))) as gateway:
        gateway.endpoint(None).prepare()
        yield gateway


def test_ten_in_a_row_keep_no_question_from_its_answer(gateway: Pipeline) -> None:
    good = read_program(GOOD)
    assert gateway.run(good).text == "7"
    for number in range(10):
        with pytest.raises(EndpointTimeout, match="no answer within the deadline"):
            gateway.run(read_program(BAD[number % len(BAD)]), timeout_ms=400)
    assert gateway.run(good, timeout_ms=20_000).text == "7"
