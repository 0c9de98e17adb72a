"""Writers: greedy, corrected once, then sampled; nothing more is generated once a program is good."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from benchmarks.scripted_model import ScriptedModel
from compilers.kopl.notations import read_program
from compilers.kopl.program import Program, Step
from compilers.kopl.repair import Repair, Repaired
from nlq_gateway.drafts.generation.known import Example, Known, KnownName, Written
from nlq_gateway.drafts.generation.prompting.examples import example_of
from nlq_gateway.drafts.generation.prompting.prompt import FORMS
from nlq_gateway.drafts.generation.writer import SAMPLES, TEMPERATURE, TOP_K, ProgramWriter
from nlq_gateway.models import Deadline, ModelError, ModelRequest
from nlq_gateway.models.errors import Cancelled

KNOWN = Known("Who directed Fargo?", (KnownName("Fargo"),))
LIKE = (example_of("Who wrote Emma?", read_program("Find(Emma)->Relate(author, forward)->What()"), 0.9),)
SAME_FORM = (example_of("How many by Cary?", read_program("Find(Cary)->Relate(a, backward)->Count()"), 0.7),)

GOOD = {
    "steps": " Find(Fargo)\nStep 2: Relate(directed by, forward)\nStep 3: What()",
    "code": " START()\nexpression_1 = FIND('Fargo', expression_1)\n"
    "expression_1 = RELATE('directed by', 'forward', expression_1)\nexpression_1 = WHAT(expression_1)\n"
    "expression_1 = STOP(expression_1)",
}
BAD = {
    "steps": " Find(Fargo)\nStep 2: Relate(directed by, onward)\nStep 3: What()",
    "code": " START()\nexpression_1 = FIND('Fargo', expression_1)\n"
    "expression_1 = RELATE('directed by', 'onward', expression_1)\nexpression_1 = WHAT(expression_1)\n"
    "expression_1 = STOP(expression_1)",
}
FARGO = read_program("Find(Fargo)->Relate(directed by, forward)->What()")


def alike(_: Program) -> Sequence[Example]:
    return SAME_FORM


def hows(found: Sequence[Written]) -> list[tuple[str, bool]]:
    return [(one.how, one.sound) for one in found]


@pytest.mark.parametrize("notation", FORMS)
def test_good_at_once_is_one_call(notation: str) -> None:
    model = ScriptedModel.replaying(GOOD[notation])
    first = next(ProgramWriter(model, notation).write(KNOWN, LIKE, Deadline(), alike=alike))
    assert (first.how, first.program, first.sound, first.issues) == ("greedy", FARGO, True, ())
    assert (first.log_probability, first.tokens) == (-0.1, model.count_tokens(GOOD[notation]))
    (asked,) = model.requests
    assert (asked.sampling.temperature, asked.sampling.stop) == (0, FORMS[notation].stop)
    assert (asked.samples, asked.grammar) == (1, None)
    assert asked.prompt.body.endswith(FORMS[notation].cue)
    assert "Who wrote Emma?" in asked.prompt.body


@pytest.mark.parametrize("notation", FORMS)
def test_a_grammar_binds_all_that_is_written_from_the_first_line(notation: str) -> None:
    model = ScriptedModel.replaying(BAD[notation])
    list(ProgramWriter(model, notation).write(KNOWN, LIKE, Deadline(), grammar='root ::= "x"'))
    assert [asked.grammar for asked in model.requests] == ['root ::= "x"'] * 3
    for asked in model.requests:
        assert asked.prompt.body.endswith("\n")
        assert not asked.prompt.body.rstrip().endswith(FORMS[notation].cue)


@pytest.mark.parametrize("notation", FORMS)
def test_what_is_wrong_is_shown_with_programs_like_it_and_corrected(notation: str) -> None:
    model = ScriptedModel.replaying(BAD[notation], GOOD[notation])
    writing = ProgramWriter(model, notation).write(KNOWN, LIKE, Deadline(), alike=alike)
    found = [next(writing), next(writing)]
    assert hows(found) == [("greedy", False), ("corrected", True)]
    assert [issue.code for issue in found[0].issues] == ["bad-choice"]
    body = model.requests[1].prompt.body
    assert (
        "Relate(directed by, onward): 'onward' is not a known direction (choose one of forward backward)"
        in body
    )
    assert "How many by Cary?" in body
    assert "Who wrote Emma?" not in body
    assert model.requests[0].prompt.prefix == model.requests[1].prompt.prefix
    assert len(model.requests) == 2


@pytest.mark.parametrize("notation", FORMS)
def test_samples_come_last_and_only_once(notation: str) -> None:
    def script(request: ModelRequest) -> list[str]:
        return [BAD[notation]] if request.samples == 1 else [BAD[notation], GOOD[notation], GOOD[notation]]

    model = ScriptedModel(script)
    found = list(ProgramWriter(model, notation).write(KNOWN, LIKE, Deadline(), alike=alike, samples=3))
    assert hows(found) == [("greedy", False), ("corrected", False), ("sampled", True)]
    drawn = model.requests[2]
    assert (drawn.sampling.temperature, drawn.sampling.top_k, drawn.samples) == (TEMPERATURE, TOP_K, 3)
    assert (TEMPERATURE, TOP_K, SAMPLES) == (0.3, 30, 2)
    assert drawn.prompt == model.requests[0].prompt


def test_samples_that_repeat_a_program_are_kept_where_they_count() -> None:
    model = ScriptedModel(lambda request: [GOOD["steps"]] * request.samples)
    writer = ProgramWriter(model, "steps")
    once, again = (
        [one.how for one in writer.write(KNOWN, LIKE, Deadline(), samples=2, repeated=repeated)]
        for repeated in (False, True)
    )
    assert once == ["greedy"]
    assert again == ["greedy", "sampled", "sampled"]


def test_what_is_sound_is_not_corrected_but_sampled_where_more_is_asked_for() -> None:
    model = ScriptedModel.replaying(GOOD["steps"], " Find(Fargo)\nStep 2: QueryAttr(director)")
    found = list(ProgramWriter(model, "steps").write(KNOWN, LIKE, Deadline(), alike=alike, samples=1))
    assert [one.how for one in found] == ["greedy", "sampled"]


@pytest.mark.parametrize("samples", [0, 1])
def test_no_program_is_corrected_with_the_same_examples(samples: int) -> None:
    model = ScriptedModel.replaying("I do not know.")
    found = list(ProgramWriter(model, "steps").write(KNOWN, LIKE, Deadline(), alike=alike, samples=samples))
    assert hows(found) == [("greedy", False), ("corrected", False)]
    assert [issue.code for issue in found[0].issues] == ["no-program"]
    body = model.requests[1].prompt.body
    assert "Step 1: I do not know." in body
    assert "Who wrote Emma?" in body


def test_repairs_are_kept_and_what_they_leave_is_checked() -> None:
    def repair(program: Program) -> Repaired:
        steps = list(program.steps)
        steps[1] = replace(steps[1], inputs=(steps[1].inputs[0], "forward"))
        change = Repair(1, 1, "onward", "forward", "no such direction")
        return Repaired(Program(tuple(steps)), (change,))

    writer = ProgramWriter(ScriptedModel.replaying(BAD["steps"]), "steps", repair=repair)
    first = next(writer.write(KNOWN, LIKE, Deadline()))
    assert (first.program, first.sound, len(first.repairs)) == (FARGO, True, 1)


def test_what_was_written_stays_when_the_model_fails() -> None:
    deadline = Deadline()
    writing = ProgramWriter(ScriptedModel.replaying(BAD["steps"]), "steps").write(KNOWN, LIKE, deadline)
    found = [next(writing)]
    deadline.gone.set()
    with pytest.raises(Cancelled):
        found.append(next(writing))
    assert hows(found) == [("greedy", False)]


def test_nothing_is_generated_for_a_question_that_is_too_long() -> None:
    model = ScriptedModel.replaying(GOOD["steps"])
    with pytest.raises(ModelError, match="too long"):
        next(ProgramWriter(model, "steps", budget=1_000).write(KNOWN, LIKE, Deadline()))
    assert not model.requests


def test_a_program_that_was_cut_is_not_sound() -> None:
    class Cut(ScriptedModel):
        def generate(self, request, deadline):
            reply = super().generate(request, deadline)
            cut = tuple(replace(one, finished=False) for one in reply.generations)
            return replace(reply, generations=cut)

    model = Cut(lambda _: [" Find(Fargo)\nStep 2: What()"])
    first = next(ProgramWriter(model, "steps").write(KNOWN, LIKE, Deadline()))
    assert first.program == Program((Step("Find", ("Fargo",)), Step("What", (), (0,))))
    assert ([issue.code for issue in first.issues], first.sound) == (["cut-off"], False)
