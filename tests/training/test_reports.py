"""Reports over a schema: programs that pass the checker, and questions that say what they tell."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from compilers.kopl.check import require_valid
from compilers.kopl.functions import Kind
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.index.text import humanise
from nlq_gateway.neural import open_tokenizer
from nlq_gateway.settings import Settings
from training.drafter.examples import made
from training.examples import Example
from training.reports.__main__ import reports
from training.reports.chance import FORMS, Chance

FIXTURES = Path(__file__).parent / "fixtures"
EACH = 60


@pytest.fixture(scope="module")
def examples() -> list[Example]:
    endpoint = Endpoint(Settings.for_data([FIXTURES / "kennel.nt"]).endpoints[0])
    endpoint.prepare()
    schema = endpoint.index.schema
    endpoint.close()
    found = list(reports("kennel", schema, EACH))
    assert list(reports("kennel", schema, EACH)) == found
    return found


def test_every_kind_of_report_is_there(examples: list[Example]) -> None:
    assert len(examples) == EACH
    ends = {one.program.steps[-1].function for one in examples}
    assert {"Table", "QueryAttr", "Count", "LimitTable", "VerifyNum"} <= ends


def test_each_of_some_things_is_one_of_those_that_state_it(examples: list[Example]) -> None:
    whole = [one for one in examples if "Except" in {step.function for step in one.program.steps}]
    assert whole
    for one in whole:
        *_, left, count, compared = one.program.steps
        members, stating = left.dependencies
        assert one.program.steps[stating].dependencies == (members,)
        assert (count.function, compared.inputs) == ("Count", ("0", "="))
        assert {"all", "every", "each"} & set(one.question.lower().split()), one.question


def test_programs_are_sound_and_their_questions_say_what_they_tell(examples: list[Example]) -> None:
    tokenizer = open_tokenizer(256)
    for one in examples:
        require_valid(one.program)
        assert made(one.record(), tokenizer) is not None, one.question
        said = one.question.lower()
        for step in one.program.steps:
            if step.signature.parameters[:1] and step.signature.parameters[0].kind == Kind.ATTRIBUTE:
                *_, last = humanise(step.inputs[0]).lower().split()
                assert last in said, (one.question, step)


def test_alternatives_are_chosen_and_parts_filled_in() -> None:
    texts = {Chance(Random(seed)).fill("[a|the [old|]] {noun}", noun="[ship]") for seed in range(20)}
    assert texts == {"a [ship]", "the old [ship]", "the  [ship]"}
    for seed in range(20):
        text = Chance(Random(seed)).fill(FORMS["asked"], number="the depth")
        assert "[" not in text
        assert text.endswith(" the depth")
