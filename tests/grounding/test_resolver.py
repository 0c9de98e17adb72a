"""QUACK: programs as models write them, made programs over the names of the sample graph."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from benchmarks.scripted_model import ScriptedModel, of_options
from compilers.kopl.check import check
from compilers.kopl.notations import NOTATIONS, read_program
from compilers.kopl.program import Program, Step
from compilers.kopl.repair import Repair, Repaired, repair
from nlq_gateway.answering import Pipeline
from nlq_gateway.answering.grounding import Grounder, Resolver, types_in
from nlq_gateway.answering.grounding.kinds import with_right_kinds
from nlq_gateway.answering.grounding.members import FactsAhead
from nlq_gateway.answering.grounding.resolver import Resolved
from nlq_gateway.answering.store_surroundings import StoreSurroundings
from nlq_gateway.core.types import Question
from nlq_gateway.models import Deadline, ModelRequest, Prompt
from nlq_gateway.models.errors import Cancelled, ModelUnreachable
from nlq_gateway.question.linking import Linker
from nlq_gateway.sample import __file__ as sample_file

WORLD = "http://world.example/"
MISTAKES = [
    json.loads(line)
    for line in (Path(__file__).parent / "fixtures" / "mistakes.jsonl").read_text("utf-8").splitlines()
]
GOLD = [
    json.loads(line)
    for line in (Path(sample_file).parent / "questions.jsonl").read_text("utf-8").splitlines()
]
INVENTED = "Find(Stanley Kubrick)->Relate(helmed by, backward)->What()"
WHICH = "Which movies did Stanley Kubrick make?"


@pytest.fixture(scope="module")
def around(gateway: Pipeline) -> FactsAhead:
    ready = gateway.endpoint(None).prepared
    return StoreSurroundings(ready.connector, ready.index, ready.layout, ready.traits, ready.options)


@pytest.fixture(scope="module")
def resolver(gateway: Pipeline) -> Resolver:
    return Resolver(gateway.endpoint(None).index)


def preferring(*labels: str) -> ScriptedModel:
    """A model that finds these probable and nothing else."""
    return ScriptedModel(
        lambda _: [], prefer=of_options(lambda _, text: 0.0 if text in labels else -9.0 * len(text))
    )


def resolved(
    resolver: Resolver,
    program: Program | str,
    question: str,
    model: ScriptedModel | None = None,
    around: FactsAhead | None = None,
) -> Resolved:
    links = Linker(resolver.index).link(Question(question))
    sound = read_program(program) if isinstance(program, str) else program
    return resolver.resolve(sound, links, model, around=around)


@pytest.mark.parametrize("row", MISTAKES, ids=[row["id"] for row in MISTAKES])
def test_a_mistake_is_resolved(
    gateway: Pipeline, resolver: Resolver, around: FactsAhead, row: dict[str, Any]
) -> None:
    mechanical = repair(NOTATIONS["steps"].read(row["written"]), types_in(resolver.index))
    model = preferring(*row["prefer"]) if row["prefer"] else None
    found = resolved(resolver, mechanical.program, row["question"], model, around)
    assert found.program == NOTATIONS["steps"].read(row["program"])
    assert check(found.program) == ()
    repairs = (*mechanical.repairs, *found.repairs)
    assert [(one.step, one.argument, one.before, one.after) for one in repairs] == [
        (one["step"], one["argument"], one["before"], one["after"]) for one in row["repairs"]
    ]
    assert all(why in one.why for why, one in zip(row["why"], repairs, strict=True))
    trace = gateway.run(found.program)
    assert trace.answer is not None
    assert sorted(trace.answer.strings) == sorted(row["answers"])


@pytest.mark.parametrize("row", MISTAKES, ids=[row["id"] for row in MISTAKES])
def test_choices_ground_the_program_and_every_name_has_a_margin(
    resolver: Resolver, around: FactsAhead, row: dict[str, Any]
) -> None:
    program = repair(NOTATIONS["steps"].read(row["written"]), types_in(resolver.index)).program
    found = resolved(resolver, program, row["question"], preferring(*row["prefer"]), around)
    grounding = Grounder(resolver.index).ground(found.program, choices=found.choices, near=False)
    assert grounding.warnings == ()
    assert found.margins.keys() == {(one.step, one.argument) for one in grounding.bindings}
    assert all(0 <= margin <= 1 for margin in found.margins.values())
    again = resolved(resolver, found.program, row["question"], None, around)
    assert (again.program, again.repairs) == (found.program, ())


@pytest.mark.parametrize("gold", GOLD, ids=[gold["id"] for gold in GOLD])
def test_a_program_over_the_graphs_own_names_stays_as_it_is(
    resolver: Resolver, around: FactsAhead, gold: dict[str, Any]
) -> None:
    program = NOTATIONS["json"].read(json.dumps(gold["program"]))
    model = ScriptedModel(lambda _: pytest.fail("asked"), prefer=lambda _, __: pytest.fail("asked"))
    found = resolved(resolver, program, gold["question"], model, around)
    assert (found.program, found.repairs) == (program, ())
    assert set(found.margins.values()) <= {1.0}


def test_the_model_reads_the_question_and_what_the_members_have(
    resolver: Resolver, around: FactsAhead
) -> None:
    seen: list[tuple[Prompt, str]] = []

    def prefer(prompt: Prompt, text: str) -> float:
        seen.append((prompt, text))
        return 0.0 if text == "directed by" else -99.0

    model = ScriptedModel(lambda _: [], prefer=of_options(prefer))
    found = resolved(resolver, INVENTED, WHICH, model, around)
    assert found.choices[1, 0] == (f"{WORLD}directed_by",)
    options = {text for _, text in seen}
    assert {"directed by", "place of birth"} <= options
    assert "flows into" not in options
    (text,) = {prompt.text for prompt, _ in seen}
    assert WHICH in text
    assert "helmed by" in text
    assert all(option in text for option in options)


def test_without_the_store_every_relation_may_be_meant(resolver: Resolver, around: FactsAhead) -> None:
    program = "Find(Pulp Fiction)->Relate(person who made it, forward)->What()"
    asked: dict[bool, set[str]] = {}
    for known in (around, None):
        texts: set[str] = set()
        model = ScriptedModel(
            lambda _: [], prefer=of_options(lambda _, text, into=texts: float(into.add(text) or 0))
        )
        resolved(resolver, program, "Who made Pulp Fiction?", model, known)
        asked[known is None] = texts
    assert asked[True] - asked[False]
    assert 2 < len(asked[True]) <= 11
    assert all("none of these" in texts for texts in asked.values())


def test_a_model_without_scores_is_given_numbers(resolver: Resolver, around: FactsAhead) -> None:
    def numbered(request: ModelRequest) -> Sequence[str]:
        lines = request.prompt.body.splitlines()
        return [next(line.partition(".")[0] for line in lines if ". directed by — " in line)]

    model = ScriptedModel(numbered)
    found = resolved(resolver, INVENTED, WHICH, model, around)
    assert found.program.steps[1].inputs == ("directed by", "backward")
    assert len(model.requests) == 1
    assert model.requests[0].prompt.body.count("directed by") == 1


def test_a_model_that_fails_is_asked_once(resolver: Resolver, around: FactsAhead) -> None:
    calls = []

    def fail(prompt: Prompt, _: str) -> float:
        calls.append(prompt)
        raise ModelUnreachable("gone")

    program = "Find(Batman)->FilterConcept(movy)->Relate(directed from, forward)->QueryAttr(day of birth)"
    question = "When was the director of Batman born?"
    failing = ScriptedModel(lambda _: [], prefer=fail)
    found = resolved(resolver, program, question, failing, around)
    assert found == resolved(resolver, program, question, None, around)
    assert len(calls) == 1
    assert [step.inputs[0] for step in found.program.steps[1:]] == ["film", "directed by", "date of birth"]
    assert all("it is " in one.why for one in found.repairs)


def test_a_question_that_nobody_waits_for_is_given_up(resolver: Resolver) -> None:
    deadline = Deadline()
    deadline.gone.set()
    links = Linker(resolver.index).link(Question(WHICH))
    with pytest.raises(Cancelled):
        resolver.resolve(read_program(INVENTED), links, preferring("directed by"), deadline)


def test_an_answer_that_is_no_option_leaves_the_nearest(resolver: Resolver, around: FactsAhead) -> None:
    silent = ScriptedModel(lambda _: ["none that I know"])
    program = "Find(Pulp Fiction)->Relate(directed from, forward)->What()"
    found = resolved(resolver, program, "Who directed Pulp Fiction?", silent, around)
    assert found.program.steps[1].inputs[0] == "directed by"
    assert "it is the nearest" in found.repairs[0].why


TAKINGS = (
    "Step 1: FindAll()\nStep 2: FilterConcept(person)\nStep 3: Relate(directed by, backward)\n"
    "Step 4: QueryAttr(box office)"
)


@pytest.mark.parametrize(
    ("end", "stated"),
    [
        (
            "Step 5: Sum()\nStep 6: Table() <- 2, 5\nStep 7: FilterTable(2, 600, >)",
            ("2", "600 United States dollar", ">"),
        ),
        (
            "Step 5: And() <- 2, 2\nStep 6: What()\nStep 7: FilterAggregate(sum, 600, >) <- 5, 4",
            ("sum", "600", ">"),
        ),
        ("Step 5: FilterAggregate(sum, 600, >) <- 2, 4", ("sum", "600 United States dollar", ">")),
        ("Step 5: Maximum()\nStep 6: Number(10)\nStep 7: Calculate(-) <- 5, 6", ("10 United States dollar",)),
        ("Step 5: Maximum()\nStep 6: Number(10)\nStep 7: Calculate(/) <- 5, 6", ("10",)),
    ],
)
def test_a_bare_number_has_the_unit_of_what_it_goes_with(
    resolver: Resolver, around: FactsAhead, end: str, stated: tuple[str, ...]
) -> None:
    """An unsound program is left alone: what feeds what is not known there."""
    found = resolved(resolver, f"{TAKINGS}\n{end}", "Who made money?", around=around)
    assert stated in [step.inputs for step in found.program.steps]


def test_a_name_that_nothing_is_near_is_left_and_has_no_margin(resolver: Resolver) -> None:
    found = resolved(
        resolver, "Find(Qwrtz Xyzzy)->Relate(directed by, backward)->What()", "Who is Qwrtz Xyzzy?"
    )
    assert found.program.steps[0].inputs == ("Qwrtz Xyzzy",)
    assert found.margins[0, 0] == 0.0
    assert found.repairs == ()


def test_everything_is_not_counted_in_place_of_a_concept(resolver: Resolver) -> None:
    program = "FindAll()->FilterConcept(zzgrmpf)->Count()"
    found = resolved(resolver, program, "How many zzgrmpfs are there?", preferring("none of these"))
    assert found.program == read_program(program)


def test_linking_says_which_bearer_of_a_name_is_meant(resolver: Resolver) -> None:
    found = resolved(resolver, "Find(Marie Curie)->QueryAttr(date of birth)", "When was Marie Curie born?")
    assert found.choices == {(0, 0): (f"{WORLD}Marie_Curie",), (1, 0): (f"{WORLD}date_of_birth",)}


def test_an_iri_stays(resolver: Resolver, around: FactsAhead) -> None:
    program = f"Find(<{WORLD}Nile>)->QueryAttr(<{WORLD}length>)"
    found = resolved(resolver, program, "How long is the Nile?", None, around)
    assert (found.program, found.repairs, found.choices) == (read_program(program), (), {})


@pytest.mark.parametrize(
    "name", ["> } DROP ALL", "a" * 2000, "%s%n", "{{ 7 * 7 }}", "{% for %}", "*", "<x", "\x00", "\u202e" * 9]
)
def test_hostile_names_are_only_unknown(resolver: Resolver, around: FactsAhead, name: str) -> None:
    steps = (Step("Find", (name,)), Step("Relate", (name, "forward"), (0,)), Step("What", (), (1,)))
    found = resolved(resolver, Program(steps), name, preferring("none of these"), around)
    assert found.program.steps[0].inputs == (name,)
    assert {one.step for one in found.repairs} <= {1}


def test_every_repair_of_a_direction_says_both_ways(resolver: Resolver, around: FactsAhead) -> None:
    found = resolved(
        resolver, "Find(Germany)->Relate(capital, backward)->What()", "Capital of Germany?", None, around
    )
    why = "'capital' leads nowhere backward from what is found before, and somewhere forward"
    assert found.repairs == (Repair(1, 1, "backward", "forward", why),)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Find(Australia)->QueryAttr(capital)", "Find(Australia)->Relate(capital, forward)->What()"),
        (
            "Find(Germany)->QueryAttr(shares border with)->CountValues()",
            "Find(Germany)->Relate(shares border with, forward)->Count()",
        ),
        ("Find(Nile)->Relate(length, forward)->What()", "Find(Nile)->QueryAttr(length)"),
        ("Find(Nile)->Relate(length, forward)->Count()", "Find(Nile)->QueryAttr(length)->CountValues()"),
        (
            "FindAll()->FilterHasAttr(spouse)->Count()",
            "FindAll()->FilterHasRelation(spouse, forward)->Count()",
        ),
        ("FindAll()->FilterHasRelation(motto, forward)->Count()", "FindAll()->FilterHasAttr(motto)->Count()"),
        ("Find(Nile)->QueryAttr(length)", "Find(Nile)->QueryAttr(length)"),
        (
            "Find(Apple)->Relate(length, forward)->Relate(spouse, forward)->What()",
            "Find(Apple)->Relate(length, forward)->Relate(spouse, forward)->What()",
        ),
    ],
)
def test_an_attribute_may_be_a_relation_and_a_relation_an_attribute(
    resolver: Resolver, before: str, after: str
) -> None:
    found = with_right_kinds(read_program(before), resolver.index)
    assert found.program == read_program(after)
    assert (found.repairs == ()) == (before == after)
    assert with_right_kinds(found.program, resolver.index) == Repaired(found.program)


def test_a_direction_is_told_by_the_index_where_the_store_is_not_asked(resolver: Resolver) -> None:
    chain = "FindAll()->FilterConcept(film)->Relate(directed by, {})->Count()"
    question = "How many people have directed a film?"
    found = resolved(resolver, chain.format("backward"), question)
    assert found.program == read_program(chain.format("forward"))
    assert resolved(resolver, found.program, question).repairs == ()


def test_members_of_a_concept_have_what_the_index_says(resolver: Resolver) -> None:
    texts: set[str] = set()
    model = ScriptedModel(lambda _: [], prefer=of_options(lambda _, text: float(texts.add(text) or 0)))
    resolved(resolver, "FindAll()->FilterConcept(mountain)->SelectAmong(hight, largest)", "Which?", model)
    assert texts == {"elevation", "first ascent", "none of these"}
