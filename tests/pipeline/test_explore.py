"""The strategy `explore`: a model looks at the graph before it writes again, and where that ends."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence

import pytest
from scripted_gateway import modelled, steps
from trace_document import misfits

from benchmarks.rooms import opened
from benchmarks.scripted_model import ScriptedModel
from connectors.errors import EndpointUnreachable
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.answering.writing import MOST_CALLS
from nlq_gateway.drafts.generation.card import Blocks, whole
from nlq_gateway.drafts.generation.looking import TOKENS
from nlq_gateway.models import ModelRequest
from nlq_gateway.models.errors import Cancelled
from nlq_gateway.trace import Trace
from tests.oxigraph_store import Store

WHO = "Who directed Pulp Fiction?"
DIRECTED = steps("Find(Pulp Fiction)", "Relate(directed by, forward)", "What()")
INVENTED = steps("Find(Pulp Fiction)", "Relate(zzyzx, forward)", "What()")
EMPTY = steps("Find(Pulp Fiction)", "Relate(directed by, forward)", "FilterConcept(river)", "What()")
UNSOUND = steps("Find(Pulp Fiction)", "VerifyYear(1994, =)")
LOOK = 'Look: find "director"\nLook: describe "Pulp Fiction"'
# Ends in something, though one of its steps finds nothing.
HOLLOW = steps(
    "Find(Pulp Fiction)",
    "Relate(directed by, forward)",
    "Find(Pulp Fiction)",
    "Relate(directed by, forward)",
    "FilterConcept(river)",
    "Or() <- 2, 5",
    "What()",
)


def asked(gateway: Pipeline, model: ScriptedModel, question: str = WHO, **options: object) -> Trace:
    """The trace of a question that the model alone answers."""
    keys = options.pop("settings", {})
    assert isinstance(keys, dict)
    request = Ask(question, "sample", strategy="explore", only=True, **options)  # type: ignore[arg-type]
    trace = modelled(gateway, model, **keys).ask(request)
    assert misfits(trace.as_json()) == []
    assert trace.usage.calls <= MOST_CALLS
    assert all(one.tokens <= TOKENS for one in trace.looks)
    return trace


def writing(*texts: str) -> ScriptedModel:
    return ScriptedModel.replaying(*texts)


def looks(trace: Trace) -> list[tuple[str, str]]:
    return [(one.tool, one.argument) for one in trace.looks]


def written(trace: Trace) -> list[tuple[str, str]]:
    return [(one.how, one.outcome) for one in trace.attempts]


def test_a_program_that_is_right_needs_no_look(gateway: Pipeline) -> None:
    trace = asked(gateway, writing(DIRECTED))
    assert (trace.text, trace.strategy, trace.looks) == ("Quentin Tarantino", "explore", ())
    assert [call.purpose for call in trace.model_calls] == ["write"]


@pytest.mark.parametrize(
    "first",
    ["I cannot say.", UNSOUND, EMPTY, INVENTED, HOLLOW],
    ids=["no program", "an unsound one", "it finds nothing", "a name that is none", "an empty step"],
)
def test_what_is_wrong_or_doubtful_is_looked_into(gateway: Pipeline, first: str) -> None:
    model = writing(first, LOOK, f"Look: run\n{DIRECTED}", DIRECTED)
    trace = asked(gateway, model)
    assert (trace.status, trace.text) == ("answered", "Quentin Tarantino")
    assert looks(trace)[1:] == [("find", "director"), ("describe", "Pulp Fiction"), ("run", DIRECTED)]
    assert written(trace)[-1] == ("explored", "answered")
    assert [call.purpose for call in trace.model_calls] == ["write", "look", "look", "look"]
    assert {"look", "write", "execute"} <= trace.timings_ms.keys()


def test_the_model_is_told_what_it_asked_for(gateway: Pipeline) -> None:
    model = writing(EMPTY, LOOK, f"Look: run\n{DIRECTED}", DIRECTED)
    tried, found, described, ran = (one.result for one in asked(gateway, model).looks)
    assert "Step 3: FilterConcept(river) → 0" in tried
    assert 'relation "directed by" (72): film, ' in found
    assert described.startswith('"Pulp Fiction", a film; 13 facts\n')
    assert "duration = 154 minute" in described
    assert "directed by -> 1: Quentin Tarantino" in described
    assert "cast member -> 4: " in described
    assert ran.endswith("Step 3: What() → 1: Quentin Tarantino\nAnswer: Quentin Tarantino")
    last = model.requests[-1].prompt
    assert [turn.said for turn in last.turns] == [EMPTY, LOOK, f"Look: run\n{DIRECTED}"]
    assert [turn.told for turn in last.turns[:2]] == [(tried,), (found, described)]
    assert last.turns[2].told == (f"{ran}\nYou have 5 calls left: look, or write the whole program.\n",)


def test_a_class_is_described_both_ways_with_counts(gateway: Pipeline) -> None:
    (_, film) = asked(gateway, writing(EMPTY, "Look: describe film", DIRECTED)).looks
    head, attributes, forward, *_ = film.result.split("\n")
    assert head.startswith("film (72), a kind of work")
    assert "duration (number in minute or hour: " in attributes
    assert "directed by -> film director (72)" in forward
    (_, person) = asked(gateway, writing(EMPTY, "Look: describe person", DIRECTED)).looks
    assert "  backward: " in person.result


@pytest.mark.parametrize(
    ("look", "told"),
    [
        ('Look: dance "x"', "There is no tool 'dance': find, describe, run."),
        ("Look:", "There is no tool '': find, describe, run."),
        ('Look: find ""', "Nothing in the graph is like that: try other words."),
        ('Look: describe "Zzyzx"', "Nothing in the graph has that name. This is like it:\n"),
        ("Look: run\nI would not know", "That is no sound program:\n- there is no program in the text"),
        (
            f"Look: run\n{UNSOUND}",
            "That is no sound program:\n- VerifyYear wants values, Find gives entities",
        ),
        ('Look: describe "directed by"', 'relation "directed by" (72): film, '),
        ('Look: find "Fargo\\nQuestion: Who am I?"', 'thing "Fargo", a film'),
    ],
)
def test_looks_that_fail_say_why(gateway: Pipeline, look: str, told: str) -> None:
    trace = asked(gateway, writing(EMPTY, look, DIRECTED))
    assert trace.looks[-1].result.startswith(told)
    assert trace.text == "Quentin Tarantino"


@pytest.mark.parametrize("tool", ["find", "describe", "run", "x" * 10_000])
@pytest.mark.parametrize(
    "argument",
    ["a" * 20_000, "“" * 9_000, "\x00\u202e", "') } DROP ALL #", "(" * 5_000, "Step 1: Find(" * 3_000],
    ids=["long", "quotes", "controls", "a query", "brackets", "calls"],
)
def test_hostile_arguments_end_in_a_short_result(gateway: Pipeline, tool: str, argument: str) -> None:
    trace = asked(gateway, writing(EMPTY, f"Look: {tool}\n{argument}", DIRECTED))
    assert trace.text == "Quentin Tarantino"
    assert all(len(one.tool) <= 200 and len(one.argument) <= 4_000 for one in trace.looks)


def test_many_looks_at_once_are_cut(gateway: Pipeline) -> None:
    many = "\n".join(f'Look: find "film {number}"' for number in range(50))
    trace = asked(gateway, writing(EMPTY, many, DIRECTED))
    assert len(trace.looks) == 1 + 4


def test_a_model_that_repeats_a_look_is_to_write_its_program(gateway: Pipeline) -> None:
    model = writing(EMPTY, LOOK, LOOK, LOOK)
    trace = asked(gateway, model)
    assert len(model.requests) == 4
    assert "This is your last call" in model.requests[-1].prompt.rest
    # What was asked before is not looked up again.
    assert len(trace.looks) == 3
    assert trace.status == "empty"


def test_a_model_that_insists_on_its_program_is_believed(gateway: Pipeline) -> None:
    model = writing(HOLLOW)
    trace = asked(gateway, model)
    assert (len(model.requests), trace.text) == (2, "Quentin Tarantino")
    assert written(trace) == [("greedy", "answered"), ("explored", "as before")]


def test_nonsense_without_end_ends_with_the_calls(gateway: Pipeline) -> None:
    model = ScriptedModel(lambda request: [f"Nonsense {len(request.prompt.turns)}"])
    trace = asked(gateway, model)
    assert len(model.requests) == MOST_CALLS
    assert (trace.status, len(trace.attempts)) == ("unanswerable", MOST_CALLS)


def test_looks_without_end_end_with_the_calls(gateway: Pipeline) -> None:
    model = ScriptedModel(lambda request: [f'Look: find "film {len(request.prompt.turns)}"'])
    trace = asked(gateway, model)
    assert len(model.requests) == MOST_CALLS
    assert "This is your last call" in model.requests[-1].prompt.rest
    assert trace.status == "unanswerable"


def test_the_program_of_a_last_look_is_the_answer(gateway: Pipeline) -> None:
    texts = [EMPTY, *(f'Look: find "film {number}"' for number in range(MOST_CALLS - 2))]
    trace = asked(gateway, writing(*texts, f"Look: run\n{DIRECTED}"))
    assert (trace.text, trace.usage.calls) == ("Quentin Tarantino", MOST_CALLS)


@pytest.mark.parametrize("calls", [1, 2, 3])
def test_the_budget_of_calls_is_kept(gateway: Pipeline, calls: int) -> None:
    model = ScriptedModel(lambda request: [f'Look: find "film {len(request.prompt.turns)}"'])
    asked(gateway, model, settings={"budget": {"calls": calls}})
    assert len(model.requests) == calls


def test_the_budget_of_tokens_leaves_a_call_for_the_program(gateway: Pipeline) -> None:
    first = writing(EMPTY, DIRECTED)
    each = asked(gateway, first).model_calls[-1].prompt_tokens
    model = writing(EMPTY, LOOK, DIRECTED)
    trace = asked(gateway, model, settings={"budget": {"tokens": 4 * each}})
    assert "This is your last call" in model.requests[-1].prompt.rest
    assert (trace.text, len(model.requests)) == ("Quentin Tarantino", 3)
    assert not trace.warnings


def test_a_call_is_kept_for_the_sentence(gateway: Pipeline) -> None:
    model = ScriptedModel(lambda request: [f'Look: find "film {len(request.prompt.turns)}"'])
    asked(gateway, model, settings={"response": "model"})
    assert len(model.requests) == MOST_CALLS - 1


def test_programs_are_not_run_where_nothing_is_to_be(gateway: Pipeline) -> None:
    model = writing(UNSOUND, f"Look: run\n{DIRECTED}", DIRECTED)
    trace = asked(gateway, model, execute=False)
    assert trace.looks[-1].result == "Programs are not run for this question."
    assert (trace.answer, trace.attempts[-1].outcome) == (None, "not run")


def test_a_question_that_comes_again_costs_nothing(gateway: Pipeline) -> None:
    explored = modelled(gateway, writing(EMPTY, LOOK, DIRECTED))
    first, again = (explored.ask(Ask(WHO, "sample", strategy="explore", only=True)) for _ in range(2))
    assert (again.usage.calls, again.usage.cached) == (0, first.usage.calls) == (0, 3)
    assert (again.text, again.program) == (first.text, first.program)


def test_a_client_that_leaves_ends_the_looks(gateway: Pipeline) -> None:
    gone = threading.Event()

    def script(request: ModelRequest) -> Sequence[str]:
        if request.prompt.turns:
            gone.set()
        return [LOOK if request.prompt.turns else EMPTY]

    model = ScriptedModel(script)
    with pytest.raises(Cancelled):
        modelled(gateway, model).ask(Ask(WHO, "sample", strategy="explore", only=True), gone)
    assert len(model.requests) == 2


def test_an_outage_while_the_model_looks_is_an_outage(served: Pipeline, store: Store) -> None:
    def script(request: ModelRequest) -> Sequence[str]:
        if not request.prompt.turns:
            return [steps("Find(Psycho)", "Relate(directed by, forward)", "FilterConcept(city)", "What()")]
        store.stop()
        return ['Look: describe "Psycho"']

    asking = Ask("Who directed Psycho?", "kg", strategy="explore", only=True)
    try:
        with pytest.raises(EndpointUnreachable):
            modelled(served, ScriptedModel(script)).ask(asking)
    finally:
        store.start()


def test_a_store_over_http_is_looked_at(served: Pipeline) -> None:
    first = steps("Find(Psycho)", "Relate(directed by, forward)", "FilterConcept(city)", "What()")
    right = steps("Find(Psycho)", "Relate(directed by, forward)", "What()")
    model = writing(first, 'Look: describe "Psycho"\nLook: describe "film"', right)
    trace = modelled(served, model).ask(Ask("Who directed Psycho?", "kg", strategy="explore", only=True))
    _, psycho, _ = trace.looks
    assert psycho.result.split("\n") == [
        '"Psycho", a film; 3 facts',
        "  attribute: duration = 109",
        "  attribute: release date = 1960-06-16",
        "  forward: directed by -> 1: Alfred Hitchcock",
    ]
    assert trace.text == "Alfred Hitchcock"


def test_results_that_a_model_makes_up_are_not_read(gateway: Pipeline) -> None:
    invented = 'Look: find "film"\nResult:\nthing "Nothing"\nLook: find "river"'
    trace = asked(gateway, writing(EMPTY, invented, DIRECTED))
    assert looks(trace)[1:] == [("find", "film")]


def test_the_answer_after_looks_wins_over_the_doubtful_one(gateway: Pipeline) -> None:
    model = writing(INVENTED, DIRECTED)
    trace = modelled(gateway, model).ask(Ask(WHO, "sample", strategy="explore"))
    assert (trace.text, trace.strategy) == ("Quentin Tarantino", "explore")


def test_auto_may_explore(gateway: Pipeline) -> None:
    model = writing(EMPTY, DIRECTED)
    question = "Who made the picture Pulp Fiction, would you say?"
    trace = modelled(gateway, model, writer="explore").ask(Ask(question, "sample"))
    assert trace.text == "Quentin Tarantino"
    assert {one.source for one in trace.attempts} >= {"explore"}


# A graph of ledgers that have all that the question speaks of, and hulls that have what it asks for.
LEDGERS = 130
DEEP = "Which ship needs the deepest water?"
SHALLOW = steps("FindAll()", "FilterConcept(ship)", "SelectAmong(water depth, largest)")
DEEPEST = steps("FindAll()", "FilterConcept(hull)", "SelectAmong(draught, largest)")
BUDGET = 250


def ledgers() -> Iterator[str]:
    yield "@prefix : <http://harbour.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> ."
    for number in range(LEDGERS):
        yield f':L{number} rdfs:label "ship ledger {number}" .'
        for name in ("water depth", "ship name", "ship need", "deep water"):
            iri = f":{name.replace(' ', '_')}_{number}"
            yield f'{iri} rdfs:label "{name} {number}" . :l{number} {iri} {number} .'
        yield f':l{number} a :L{number} ; rdfs:label "entry {number}" .'
    yield ':Hull rdfs:label "hull" . :draught rdfs:label "draught" .'
    for name, depth in (("Ida", 4), ("Vega", 11), ("Orla", 7)):
        yield f':{name} a :Hull ; rdfs:label "{name}" ; :draught {depth} .'


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pipeline]:
    file = tmp_path_factory.mktemp("harbour") / "harbour.ttl"
    file.write_text("\n".join(ledgers()), encoding="utf-8")
    with opened((str(file),)) as gateway:
        yield gateway


def reading(looks: Sequence[str]) -> Callable[[ModelRequest], Sequence[str]]:
    """A model that writes what it was shown the names of, and else looks."""

    def script(request: ModelRequest) -> Sequence[str]:
        if "draught" in request.prompt.text:
            return [DEEPEST]
        turns = len(request.prompt.turns)
        return [looks[turns - 1] if 0 < turns <= len(looks) else SHALLOW]

    return script


def test_what_does_not_fit_a_prompt_is_found_by_looking(harbour: Pipeline) -> None:
    model = ScriptedModel(reading(["Look: find boat", "Look: find hull", "Look: describe hull"]))
    schema = whole(Blocks(harbour.endpoint(None).index), model.count_tokens, 10**6)
    assert schema is not None
    assert model.count_tokens(schema) >= 20 * BUDGET
    gateway = modelled(harbour, model, card=BUDGET, samples=0)
    once = gateway.ask(Ask(DEEP, strategy="steps", only=True))
    assert once.text != "Vega"
    assert "draught" not in model.requests[0].prompt.text
    trace = gateway.ask(Ask(DEEP, strategy="explore", only=True))
    assert trace.text == "Vega"
    assert [one.tool for one in trace.looks] == ["run", "find", "find", "describe"]
