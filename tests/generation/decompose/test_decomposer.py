"""Whole decompositions over the sample graph: the programs they make, and the answers of these."""

from __future__ import annotations

from typing import Any

import pytest

from benchmarks.scripted_model import ScriptedModel, of_options
from compilers.kopl.functions import NAMING_KINDS
from compilers.kopl.notations import read_program
from nlq_gateway.answering.attempt import Ask, carry_out
from nlq_gateway.core.types import Draft
from nlq_gateway.drafts.generation.decompose import Decomposed
from nlq_gateway.models import ModelRequest, Prompt
from nlq_gateway.models.choice import ABOUT, NONE_OF_THESE
from nlq_gateway.models.errors import ModelTimeout
from nlq_gateway.trace import Recorder
from tests.generation.decompose.conftest import Bench, cases

CASES = cases("decompositions.jsonl")
CHOOSING = "The number of the right one"


def numbered(lines: list[str]) -> str:
    return "\n".join(f"#{number}: {line}" for number, line in enumerate(lines, 1))


def scoring(case: dict[str, Any], *, sure: float = 8.0) -> ScriptedModel:
    """Writes the case's lines, and prefers what it says that they mean."""

    def prefer(_: Prompt, option: str) -> float:
        return 0.0 if option in case["means"] else -sure * len(option)

    return ScriptedModel(lambda _: [numbered(case["lines"])], prefer=of_options(prefer))


def counting(case: dict[str, Any]) -> ScriptedModel:
    """The same without scores: it writes the number of what it prefers."""

    def script(request: ModelRequest) -> list[str]:
        if CHOOSING not in request.prompt.body:
            return [numbered(case["lines"])]
        options = dict(line.split(". ", 1)[::-1] for line in _listed(request.prompt.body))
        return [f"{options[text]}." for text in case["means"] if text in options][:1] or [
            options[NONE_OF_THESE]
        ]

    return ScriptedModel(script)


def _listed(body: str) -> list[str]:
    return [line.split(ABOUT)[0] for line in body.splitlines() if line.partition(". ")[0].isdigit()]


def strings(bench: Bench, found: Decomposed) -> list[str]:
    """The answers of the program, its names meaning what was chosen."""
    assert found.written.program is not None, found.written.issues
    draft = Draft(found.written.program, "decompose", 1.0, choices=dict(found.choices))
    outcome = carry_out(bench.endpoint, Ask(""), draft, {}, Recorder())
    assert outcome.answer is not None
    return sorted(outcome.answer.strings)


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_programs_of_decompositions(bench: Bench, case: dict[str, Any]) -> None:
    found = bench.decompose(scoring(case), case["question"])
    assert found.written.sound, found.written.issues
    assert found.written.program == read_program(case["program"])
    assert found.written.how == "decomposed"
    assert strings(bench, found) == sorted(case["answers"])
    assert sorted(bench.gateway.run(found.written.program).answer.strings) == sorted(case["answers"])


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_model_without_scores_chooses_by_number(bench: Bench, case: dict[str, Any]) -> None:
    found = bench.decompose(counting(case), case["question"])
    assert found.written.program == read_program(case["program"])


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_every_schema_name_has_its_item(bench: Bench, case: dict[str, Any]) -> None:
    found = bench.decompose(scoring(case), case["question"])
    assert found.written.program is not None
    for number, step in enumerate(found.written.program.steps):
        for place, parameter in enumerate(step.signature.parameters):
            if parameter.kind in NAMING_KINDS:
                assert found.choices[number, place], (number, place)
                for iri in found.choices[number, place]:
                    item = bench.endpoint.index.item(parameter.kind, iri) or bench.endpoint.index.entity(iri)
                    assert item is not None
                    assert item.label == step.inputs[place]


def case_of(*lines: str, means: tuple[str, ...] = ()) -> dict[str, Any]:
    return {"lines": list(lines), "means": list(means)}


def test_the_confidence_is_the_mean_of_similarity_times_probability(bench: Bench) -> None:
    book = "One Hundred Years of Solitude"
    case = case_of(f"who penned [{book}]?", "where was #1 born?", means=(f"Who wrote {book}?",))
    found = bench.decompose(scoring(case, sure=0.1), f"Where was the author of {book} born?")
    first, second = found.subquestions
    assert first.candidate is not None
    assert 0.5 < first.candidate.similarity < 1.0
    assert 0.2 < first.candidate.probability < 0.9
    assert second.candidate is not None
    assert second.candidate.similarity == pytest.approx(1.0, abs=1e-3)
    assert second.candidate.probability == 1.0
    parts = [one.candidate.similarity * one.candidate.probability for one in (first, second)]
    assert found.confidence == pytest.approx(sum(parts) / 2)


def test_what_is_said_in_a_templates_own_words_needs_no_choice(bench: Bench) -> None:
    model = scoring(case_of("Who directed [Pulp Fiction]?"))
    model.prefer = None
    found = bench.decompose(model, "Who directed Pulp Fiction?")
    assert found.written.sound
    assert len(model.requests) == 1


def test_the_model_is_told_what_the_items_of_chains_are(bench: Bench) -> None:
    model = counting(case_of("who made [Pulp Fiction]?"))
    bench.decompose(model, "Who made Pulp Fiction?")
    asked = model.requests[-1].prompt.body
    assert f"{ABOUT}directed by: relation from film or " in asked
    assert NONE_OF_THESE in asked


def test_candidates_are_kept_for_the_trace(bench: Bench) -> None:
    found = bench.decompose(scoring(case_of("who directed [Pulp Fiction]?")), "Who directed Pulp Fiction?")
    (solved,) = found.subquestions
    assert solved.text == "who directed [Pulp Fiction]?"
    assert solved.candidate is not None
    assert solved.candidate.chain == "Find(Pulp Fiction) → Relate(directed by, forward)"
    assert 1 < len(solved.candidates) <= 5
    similarities = [one.similarity for one in solved.candidates]
    assert similarities == sorted(similarities, reverse=True)


def test_fewer_candidates_where_fewer_are_asked_for(bench: Bench) -> None:
    case = case_of("who directed [Pulp Fiction]?")
    found = bench.decompose(scoring(case), "Who directed Pulp Fiction?", nearest=2)
    assert len(found.subquestions[0].candidates) == 2


def test_a_chain_that_leads_nowhere_is_no_candidate(bench: Bench) -> None:
    """Nobody is the spouse of a film: what other relations lead from it remains."""
    case = case_of("who is the spouse of [Pulp Fiction]?")
    chains = {
        leads: " ".join(
            candidate.chain
            for one in bench.decompose(scoring(case), "Who?", members=members).subquestions
            for candidate in one.candidates
        )
        for leads, members in (("told", bench.members), ("untold", lambda sets: [None] * len(sets)))
    }
    assert "spouse" in chains["untold"]
    assert "spouse" not in chains["told"]
    assert chains["told"]


def test_where_everything_leads_nowhere_the_issue_says_so(bench: Bench) -> None:
    case = case_of("who directed [Skyfall]?", "who directed [Pulp Fiction]?")

    def nothing_about_pulp_fiction(sets: Any) -> list[bool | None]:
        return [all(step.inputs != ("Pulp Fiction",) for step in program.steps) for program, _ in sets]

    found = bench.decompose(scoring(case), "Who?", members=nothing_about_pulp_fiction)
    assert found.written.program is None
    assert [(issue.code, issue.step) for issue in found.written.issues] == [("no-chain", 1)]
    assert [one.number for one in found.subquestions] == [1]
    assert found.confidence == 0.0


def test_the_bearer_of_a_name_is_the_one_that_leads_on(bench: Bench) -> None:
    """Two cities are called Paris; people of the graph were born in one of them."""
    case = case_of("who was born in [Paris]?")
    found = bench.decompose(scoring(case), "Who was born in Paris?")
    bearers = {item.iri for item in bench.endpoint.index.entities_named("Paris")}
    assert len(bearers) > 1
    (chosen,) = found.choices[0, 0]
    around = bench.surroundings.around(chosen)
    relation = found.choices[1, 0][0]
    assert (relation, "backward") in around


def test_none_of_the_templates(bench: Bench) -> None:
    case = case_of("who made [Pulp Fiction]?", means=(NONE_OF_THESE,))
    found = bench.decompose(scoring(case), "Who made Pulp Fiction?")
    assert [issue.code for issue in found.written.issues] == ["no-fitting-chain"]
    assert found.written.program is None
    assert found.subquestions[0].candidate is None
    assert found.subquestions[0].candidates


def test_an_answer_that_names_no_option_leaves_the_most_similar(bench: Bench) -> None:
    model = ScriptedModel.replaying("#1: who made [Pulp Fiction]?", "I do not know.")
    found = bench.decompose(model, "Who made Pulp Fiction?")
    (solved,) = found.subquestions
    assert solved.chosen == 0
    assert solved.candidates[0].probability == pytest.approx(1 / (len(solved.candidates) + 1))


@pytest.mark.parametrize(
    ("text", "code", "step"),
    [
        ("I am sorry, I cannot help with that.", "unreadable-decomposition", 0),
        ("", "unreadable-decomposition", 0),
        ("#1: where was #2 born?\n#2: who directed [Pulp Fiction]?", "bad-reference", 0),
        ("#1: what blorps the [Quux of Zanthor]?", "unknown-name", 0),
        ("#1: who directed [Pulp Fiction]?\n#2: is #1 taller than 5 and 6 and 7?", "no-chain", 1),
    ],
)
def test_what_cannot_be_solved(bench: Bench, text: str, code: str, step: int) -> None:
    model = ScriptedModel(lambda _: [text], prefer=lambda _, option: -len(option) / 10)
    found = bench.decompose(model, "Who directed Pulp Fiction?")
    assert found.written.program is None
    assert not found.written.sound
    assert [(issue.code, issue.step) for issue in found.written.issues] == [(code, step)]
    assert found.written.text == text


def test_what_no_sub_question_uses_is_left_out_and_said(bench: Bench) -> None:
    case = case_of("who directed [Skyfall]?", "who directed [Pulp Fiction]?")
    found = bench.decompose(scoring(case), "Who directed Pulp Fiction?")
    assert found.written.program == read_program("Find(Pulp Fiction)->Relate(directed by, forward)->What()")
    assert [(issue.severity, issue.code) for issue in found.written.issues] == [
        ("warning", "unused-sub-question")
    ]


def test_names_without_brackets_are_found(bench: Bench) -> None:
    found = bench.decompose(scoring(case_of("who directed Pulp Fiction?")), "Who directed Pulp Fiction?")
    assert strings(bench, found) == ["Quentin Tarantino"]


def test_a_grammar_binds_the_model_that_follows_one(bench: Bench) -> None:
    for follows in (True, False):
        model = scoring(case_of("who directed [Pulp Fiction]?"))
        model.grammar = follows
        bench.decompose(model, "Who directed Pulp Fiction?")
        assert (model.requests[0].grammar is not None) is follows


def test_the_deadline_ends_it(bench: Bench) -> None:
    case = case_of("who made [Pulp Fiction]?", means=("Who directed Pulp Fiction?",))
    model = scoring(case)

    def late(sets: Any) -> list[bool | None]:
        model.prefer = timeout
        return bench.members(sets)

    def timeout(_: Prompt, __: str) -> float:
        raise ModelTimeout("too late")

    with pytest.raises(ModelTimeout):
        bench.decompose(model, "Who made Pulp Fiction?", members=late)
