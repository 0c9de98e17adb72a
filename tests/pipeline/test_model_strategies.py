"""The ways that a question goes with a language model, and what its trace tells of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from scripted_gateway import asked_to_write, modelled, steps, writing
from trace_document import misfits

from benchmarks.scripted_model import ScriptedModel
from compilers.kopl.notations import NOTATIONS
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.answering.grounding import Pin
from nlq_gateway.models import ModelRequest
from nlq_gateway.trace import Trace

WORLD = "http://world.example/"
WHO = "Who directed Pulp Fiction?"
DIRECTED = steps("Find(Pulp Fiction)", "Relate(directed by, forward)", "What()")
UNSOUND = steps("Find(Pulp Fiction)", "VerifyYear(1994, =)")
NO_PROGRAM = "I cannot say."
# The graph speaks of heights and of mountains, not of overlooking.
HIGHEST = "Which mountain overlooks every other one?"
LARGEST = steps("FindAll()", "FilterConcept(mountain)", "SelectAmong(elevation, largest)")
SMALLEST = steps("FindAll()", "FilterConcept(mountain)", "SelectAmong(elevation, smallest)")
LANDS = "Which lands does the Danube cross?"
THROUGH = steps("Find(Danube)", "Relate(flows through, forward)", "What()")
INTO = steps("Find(Danube)", "Relate(flows into, forward)", "What()")
BY_KING = "What did Stephen King direct?"
OF_KING = steps("Find(Stephen King)", "Relate(author, backward)", "Relate(based on, backward)", "What()")
ELSE = "What else did the director of Pulp Fiction make?"
MADE = steps(
    "Find(Pulp Fiction)",
    "Relate(directed by, forward)",
    "Relate(directed by, backward)",
    "FilterConcept(film)",
    "What()",
)
GROSS = "Which film has the biggest gross?"
LONGEST = steps("FindAll()", "FilterConcept(film)", "SelectAmong(duration, largest)")
RICHEST = steps("FindAll()", "FilterConcept(film)", "SelectAmong(box office, largest)")
NONE_YET = steps(
    "FindAll()",
    "FilterConcept(film)",
    "FilterYear(publication date, 2090, >)",
    "SelectAmong(box office, largest)",
)
LINK = ("link", "generate", "draft", "demonstrate", "judge")
RUN = ("ground", "compile", "execute", "probe")


def asked(
    gateway: Pipeline, model: ScriptedModel, question: str, strategy: str = "steps", **options: Any
) -> Trace:
    """The trace of a question to the sample graph; `settings` are keys of `pipeline`."""
    keys = options.pop("settings", {})
    trace = modelled(gateway, model, **keys).ask(Ask(question, "sample", strategy=strategy, **options))
    document = trace.as_json()
    assert misfits(document) == []
    assert document["usage"]["calls"] == len(
        [one for one in document.get("model_calls", []) if "cached" not in one]
    )
    assert {"total", *LINK[:2]} <= document["timings_ms"].keys()
    return trace


def answers(trace: Trace) -> tuple[str, ...]:
    assert trace.answer is not None
    return trace.answer.strings


def of_model(trace: Trace) -> list[tuple[str, str]]:
    """The way in which the model wrote each program, and its outcome."""
    return [(one.how, one.outcome) for one in trace.attempts if one.how]


def codes(trace: Trace) -> list[str]:
    return [warning.code for warning in trace.warnings]


def batches(*texts: Sequence[str]) -> ScriptedModel:
    """A model that writes each of these groups of texts to one request, the last again and again."""
    left = list(texts)
    return ScriptedModel(lambda _: left.pop(0) if len(left) > 1 else left[0])


@pytest.mark.parametrize("strategy", ["steps", "code"])
def test_a_good_program_takes_one_call(gateway: Pipeline, strategy: str) -> None:
    text = NOTATIONS[strategy].write(NOTATIONS["steps"].read(DIRECTED))
    trace = asked(gateway, writing(text), WHO, strategy)
    assert (trace.status, trace.strategy, answers(trace)) == ("answered", strategy, ("Quentin Tarantino",))
    assert of_model(trace) == [("greedy", "answered")]
    assert [call.purpose for call in trace.model_calls] == ["write"]
    assert {*LINK, *RUN, "facts", "write", "resolve"} <= trace.timings_ms.keys()
    assert trace.facts == ("Pulp Fiction: directed by (forward)",)
    assert trace.model == "scripted"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (NO_PROGRAM, "there is no program in the text"),
        (UNSOUND, "VerifyYear wants values, Find gives entities"),
    ],
    ids=["no program", "an unsound one"],
)
def test_what_is_unsound_is_written_anew_with_its_faults(gateway: Pipeline, text: str, fault: str) -> None:
    model = writing(text, DIRECTED)
    trace = asked(gateway, model, WHO)
    assert answers(trace) == ("Quentin Tarantino",)
    assert of_model(trace) == [("greedy", fault), ("corrected", "answered")]
    first, second = trace.attempts[-2:]
    assert (first.program, second.program) == (text, DIRECTED)
    assert fault in model.requests[1].prompt.body
    assert text in model.requests[1].prompt.body


def test_after_two_unsound_programs_others_are_sampled(gateway: Pipeline) -> None:
    model = writing(UNSOUND, UNSOUND, DIRECTED)
    trace = asked(gateway, model, WHO)
    assert [how for how, _ in of_model(trace)] == ["greedy", "corrected", "sampled"]
    assert [(one.sampling.temperature, one.samples) for one in model.requests] == [(0, 1), (0, 1), (0.3, 2)]
    assert answers(trace) == ("Quentin Tarantino",)


def test_where_all_are_unsound_the_default_answers(gateway: Pipeline) -> None:
    trace = asked(gateway, writing(UNSOUND), WHO)
    assert (trace.strategy, answers(trace)) == ("bottom-up", ("Quentin Tarantino",))
    fault = "VerifyYear wants values, Find gives entities"
    assert [(one.source, one.outcome) for one in trace.attempts] == [
        ("bottom-up", "answered"),
        ("steps", fault),
        ("steps", fault),
    ]
    assert trace.repairs == ()
    assert len(trace.model_calls) == 3


@pytest.mark.parametrize("text", [NO_PROGRAM, steps("Find(Qwrtz)", "What()")])
def test_a_question_of_nothing_in_the_graph_stays_unanswerable(gateway: Pipeline, text: str) -> None:
    trace = asked(gateway, writing(text), "Qwrtz xyzzy?")
    assert (trace.status, trace.answer) == ("unanswerable", None)
    assert trace.text == "Nothing in this graph is called “Qwrtz xyzzy”."
    assert of_model(trace)


def test_auto_does_not_ask_where_it_is_sure(gateway: Pipeline) -> None:
    model = writing(DIRECTED)
    trace = asked(gateway, model, WHO, "auto")
    assert answers(trace) == ("Quentin Tarantino",)
    assert (model.requests, trace.model_calls, trace.model) == ([], (), "")


def test_auto_takes_the_models_answer_where_that_is_surer(gateway: Pipeline) -> None:
    before = gateway.ask(Ask(HIGHEST, "sample", guess=True))
    assert len(answers(before)) > 1
    trace = asked(gateway, writing(LARGEST), HIGHEST, "auto")
    assert (trace.strategy, answers(trace)) == ("steps", ("Mount Everest",))
    assert trace.confidence > before.confidence


def test_auto_writes_as_the_settings_say(gateway: Pipeline) -> None:
    text = NOTATIONS["code"].write(NOTATIONS["steps"].read(LARGEST))
    assert asked(gateway, writing(text), HIGHEST, "auto", settings={"writer": "code"}).strategy == "code"


def test_agreement_makes_surer_and_disagreement_less_sure(gateway: Pipeline) -> None:
    alone = gateway.ask(Ask(LANDS, "sample", guess=True))
    auto = {"writer": "steps"}
    agreed = asked(gateway, writing(THROUGH), LANDS, "auto", settings=auto)
    split = asked(gateway, writing(INTO), LANDS, "auto", settings=auto)
    assert answers(alone) == answers(agreed)
    assert alone.confidence < agreed.confidence
    assert (answers(split), split.confidence < agreed.confidence) == (("Black Sea",), True)
    assert "agreement" not in alone.confidence_parts
    assert agreed.confidence_parts["agreement"] == 1
    assert split.confidence_parts["agreement"] == 0


def test_another_answer_that_is_sure_enough_is_told_of(gateway: Pipeline) -> None:
    trace = asked(gateway, writing(MADE), ELSE)
    assert (trace.strategy, "Django Unchained" in answers(trace)) == ("steps", True)
    (warning,) = trace.warnings
    assert warning.code == "other-reading"
    # It says what it read instead, as a question about the same film.
    assert "read as “W" in warning.message
    assert "Pulp Fiction" in warning.message


def test_warnings_of_an_answer_that_is_not_given_are_not_told(gateway: Pipeline) -> None:
    assert "likelier-reading-empty" in codes(gateway.ask(Ask(BY_KING, "sample")))
    trace = asked(gateway, writing(OF_KING), BY_KING)
    assert (trace.strategy, codes(trace)) == ("steps", [])


def test_runs_vote(gateway: Pipeline) -> None:
    one = asked(gateway, batches([LARGEST]), HIGHEST)
    model = batches([LARGEST], [LARGEST, LARGEST])
    three = asked(gateway, model, HIGHEST, settings={"runs": 3})
    assert [how for how, _ in of_model(three)] == ["greedy", "sampled", "sampled"]
    assert model.requests[1].samples == 2
    assert three.confidence > one.confidence
    assert three.confidence_parts["agreement"] == 1.0
    apart = asked(gateway, batches([LARGEST], [LARGEST, SMALLEST]), HIGHEST, settings={"runs": 3})
    assert apart.confidence_parts["agreement"] == 0.5
    assert apart.confidence < three.confidence


def test_the_answer_of_most_runs_is_taken(gateway: Pipeline) -> None:
    model = batches([SMALLEST], [LARGEST, LARGEST])
    trace = asked(gateway, model, HIGHEST, settings={"runs": 3})
    assert answers(trace) == ("Mount Everest",)
    assert of_model(trace) == [("greedy", "answered"), ("sampled", "answered"), ("sampled", "as before")]
    assert "Table Mountain" in trace.warnings[0].message


@pytest.mark.parametrize(
    ("first", "second", "outcome", "answer"),
    [
        (LONGEST, RICHEST, "answered", "Avatar"),
        (RICHEST, LONGEST, "answered", "Seven Samurai"),
        (RICHEST, NONE_YET, "empty", "Avatar"),
        (RICHEST, RICHEST, None, "Avatar"),
        (RICHEST, NO_PROGRAM, None, "Avatar"),
        (RICHEST, UNSOUND, "VerifyYear wants values, Find gives entities", "Avatar"),
    ],
    ids=["another", "another back", "nothing", "the same", "none", "unsound"],
)
def test_a_second_look_is_taken_where_it_does_not_find_nothing_instead(
    gateway: Pipeline, first: str, second: str, outcome: str | None, answer: str
) -> None:
    model = writing(first, second)
    trace = asked(gateway, model, GROSS, settings={"refine": True})
    refined = [("refined", outcome)] if outcome else []
    assert of_model(trace) == [("greedy", "answered"), *refined]
    assert (trace.strategy, answers(trace)) == ("steps", (answer,))
    assert [call.purpose for call in trace.model_calls] == ["write", "refine"]
    assert {"refine", "probe"} <= trace.timings_ms.keys()
    assert "1: " in model.requests[1].prompt.body


@pytest.mark.parametrize(
    ("sentence", "text", "warned"),
    [
        (
            "Pulp Fiction was directed by Quentin Tarantino.",
            "Pulp Fiction was directed by Quentin Tarantino.",
            [],
        ),
        (
            "Pulp Fiction was directed by Steven Spielberg.",
            "Quentin Tarantino",
            ["response-refused"],
        ),
    ],
    ids=["faithful", "unfaithful"],
)
@pytest.mark.parametrize("strategy", ["auto", "steps"])
def test_the_models_sentence_is_shown_where_it_is_true(
    gateway: Pipeline, strategy: str, sentence: str, text: str, warned: list[str]
) -> None:
    texts = (DIRECTED, sentence) if strategy == "steps" else (sentence,)
    trace = asked(gateway, writing(*texts), WHO, strategy, settings={"response": "model"})
    assert (trace.text, codes(trace)) == (text, warned)
    assert trace.model_calls[-1].purpose == "respond"
    assert "respond" in trace.timings_ms


@pytest.mark.parametrize("strategy", ["steps", "code"])
@pytest.mark.parametrize(("grammar", "bound"), [("names", True), ("types", True), ("none", False)])
def test_the_grammar_that_binds_the_model(
    gateway: Pipeline, grammar: str, bound: bool, strategy: str
) -> None:
    model = writing(NOTATIONS[strategy].write(NOTATIONS["steps"].read(DIRECTED)))
    model.grammar = True
    trace = asked(gateway, model, WHO, strategy, settings={"grammar": grammar})
    assert answers(trace) == ("Quentin Tarantino",)
    (request,) = model.requests
    rules = request.grammar or ""
    assert rules.startswith("root ::= ") == bound
    assert ("directed by" in rules) == (grammar == "names")
    # What is bound ends by itself, and begins with its first step.
    assert (request.sampling.stop == ()) == bound
    assert request.prompt.body.endswith(("Program:\n", "}\n")) == bound


def test_a_model_that_follows_no_grammar_is_given_none(gateway: Pipeline) -> None:
    model = writing(DIRECTED)
    asked(gateway, model, WHO)
    assert [request.grammar for request in model.requests] == [None]


def test_what_is_not_run_is_the_programs_query(gateway: Pipeline) -> None:
    model = writing(DIRECTED)
    trace = asked(gateway, model, WHO, execute=False, settings={"runs": 3, "refine": False})
    assert (trace.strategy, trace.answer, of_model(trace)) == ("steps", None, [("greedy", "not run")])
    assert trace.query is not None
    assert "execute" not in trace.timings_ms
    assert len(model.requests) == 1


def test_a_name_that_several_bear_is_one_of_them(gateway: Pipeline) -> None:
    question, text = "What is the population of Paris?", steps("Find(Paris)", "QueryAttr(population)")
    default, trace = gateway.ask(Ask(question, "sample")), asked(gateway, writing(text), question)
    assert (trace.strategy, trace.status, default.status) == ("steps", "ambiguous", "ambiguous")
    assert answers(trace) == answers(default)
    assert codes(trace) == ["ambiguous-name"]
    assert trace.bindings[0].iri == f"{WORLD}Paris"
    pins = (Pin(0, 0, f"{WORLD}Paris_Texas"),)
    pinned = asked(gateway, writing(text), question, pins=pins)
    assert (pinned.strategy, pinned.status, answers(pinned)) == ("steps", "answered", ("24000",))
    assert pinned.bindings[0].how == "pinned"


def test_a_german_question(gateway: Pipeline) -> None:
    text = steps("Find(Tschechien)", "Relate(shares border with, forward)", "What()")
    question = "Welche Länder grenzen an Tschechien?"
    trace = asked(gateway, writing(text), question, language="de")
    assert trace.strategy == "steps"
    assert set(answers(trace)) == {"Deutschland", "Österreich", "Polen", "Slowakei"}


def preferring(*words: str) -> ScriptedModel:
    """A model that finds programs with these words probable, and asks no program to be written."""

    def prefer(_: object, text: str) -> float:
        return 0.0 if all(word in text for word in words) else -5.0 * len(text)

    return ScriptedModel(lambda _: pytest.fail("asked to write"), prefer)


def test_bottom_up_is_in_the_order_of_the_model_that_scores(gateway: Pipeline) -> None:
    question = "Who made Batman?"
    plain = asked(gateway, ScriptedModel(lambda _: pytest.fail("asked")), question, "bottom-up")
    assert answers(plain) == ("Tim Burton",)
    assert plain.model_calls == ()
    trace = asked(gateway, preferring("cast member", "What"), question, "bottom-up")
    assert trace.strategy == "bottom-up"
    assert set(answers(trace)) == {"Michael Keaton", "Jack Nicholson"}
    assert trace.attempts[0].program != plain.attempts[0].program
    assert {call.purpose for call in trace.model_calls} == {"score"}
    assert "score" in trace.timings_ms


def split(*lines: str, prefer: Sequence[str] = ()) -> ScriptedModel:
    """A model that writes these sub-questions."""
    return writing("\n".join(f"#{at}: {line}" for at, line in enumerate(lines, 1)), prefer=prefer)


def test_sub_questions_are_told_with_what_they_were_taken_for(gateway: Pipeline) -> None:
    model = split(
        "who directed [Pulp Fiction]?", "which films were made by #1?", prefer=["Which films did #1 direct?"]
    )
    trace = asked(gateway, model, ELSE, "decompose")
    assert (trace.strategy, "Django Unchained" in answers(trace)) == ("decompose", True)
    assert of_model(trace) == [("decomposed", "answered")]
    first, second = trace.as_json()["sub_questions"]
    assert first["text"] == "who directed [Pulp Fiction]?"
    assert first["template"] == "Who directed Pulp Fiction?"
    assert first["chain"] == "Find(Pulp Fiction) → Relate(directed by, forward)"
    assert first["others"]
    assert first["template"] not in first["others"]
    assert second["template"] == "Which films did #1 direct?"
    assert 0.4 < second["similarity"] < 1
    assert 0.5 < second["probability"] <= 1
    assert 0 < trace.confidence_parts["run"] < 1


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (
            ["who directed [Pulp Fiction]?", "which capital is #3?"],
            "sub-question 2 refers to a result that no",
        ),
        (["who directed [Qwrtz]?"], "the graph has no 'Qwrtz'"),
        (["what smells like [Pulp Fiction]?"], "no template means"),
    ],
)
def test_a_decomposition_that_leads_nowhere_is_an_attempt(
    gateway: Pipeline, lines: list[str], reason: str
) -> None:
    trace = asked(gateway, split(*lines, prefer=["none of these"]), WHO, "decompose")
    assert (trace.strategy, answers(trace)) == ("bottom-up", ("Quentin Tarantino",))
    told = [one for one in trace.attempts if one.source == "decompose"]
    assert [one.how for one in told] == ["decomposed"] * 3
    assert all(reason in one.outcome for one in told), told
    assert lines[0] in told[0].program


def test_what_no_template_means_is_not_answered_by_the_nearest(gateway: Pipeline) -> None:
    trace = asked(gateway, split("who founded [Pulp Fiction]?"), "Who founded Pulp Fiction?", "decompose")
    assert trace.status in ("empty", "unanswerable")


def test_runs_of_decompositions_vote(gateway: Pipeline) -> None:
    def script(request: ModelRequest) -> Sequence[str]:
        asks = "who starred in" if request.sampling.seed == 1 else "who directed"
        return [f"#1: {asks} [Pulp Fiction]?"]

    trace = asked(gateway, ScriptedModel(script), WHO, "decompose", settings={"runs": 3})
    assert answers(trace) == ("Quentin Tarantino",)
    assert [outcome for _, outcome in of_model(trace)] == ["answered", "answered", "as before"]
    # Of three others, one run and the default agree.
    assert trace.confidence_parts["agreement"] == pytest.approx(2 / 3)
    assert [one.text for one in trace.sub_questions] == ["who directed [Pulp Fiction]?"]


def test_a_kept_reply_costs_nothing(gateway: Pipeline) -> None:
    model = writing(DIRECTED)
    with_model = modelled(gateway, model)
    first, second = (with_model.ask(Ask(WHO, "sample", strategy="steps")) for _ in range(2))
    assert len(asked_to_write(model)) == 1
    assert (first.usage.calls, second.usage.calls, second.usage.cached) == (1, 0, 1)
    assert answers(first) == answers(second)
