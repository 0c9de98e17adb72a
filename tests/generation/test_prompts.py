"""Prompts: their text, and the budget that they keep."""

from __future__ import annotations

import ast
import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from benchmarks.scripted_model import ScriptedModel
from compilers.kopl.check import check
from compilers.kopl.functions import FUNCTIONS, Kind
from compilers.kopl.notations import read_program
from nlq_gateway.drafts.generation.known import Example, Fact, Known, KnownName, Written
from nlq_gateway.drafts.generation.looking import prompt_of
from nlq_gateway.drafts.generation.prompting.definitions import LEFT_OUT
from nlq_gateway.drafts.generation.prompting.examples import builtin_examples, example_of
from nlq_gateway.drafts.generation.prompting.prompt import FORMS, Prompter
from nlq_gateway.drafts.generation.reading import read
from nlq_gateway.models import ModelError, Prompt
from nlq_gateway.neural.tokens import open_tokenizer

FIXTURES = Path(__file__).parent / "fixtures" / "prompts"
SHOTS = Path(__file__).parents[3] / "shared" / "data" / "kqapro" / "shots100.jsonl"

FACTS = (
    Fact("Fargo", Kind.ENTITY, Kind.RELATION, "directed by", "d", "forward", score=0.9),
    Fact("film", Kind.CONCEPT, Kind.ATTRIBUTE, "duration", "t", score=0.4),
    Fact("Fargo", Kind.ENTITY, Kind.RELATION, "cast member", "c", "forward", "role", 0.5),
)
KNOWN = Known(
    "Who directed the\nfilm Fargo?",
    (KnownName("Fargo", "film"), KnownName("Washington, D.C.", words="Washington")),
    ("film",),
    FACTS,
)
EXAMPLES = (
    example_of("When was Emma published?", read_program("Find(Emma)->QueryAttr(publication date)"), 0.8),
    example_of(
        "Who wrote the novel O'Hara?",
        read_program("Find(O'Hara)->FilterConcept(novel)->Relate(author, forward)->What()"),
        0.6,
    ),
)
ATTEMPTS = {
    "steps": " Find(Fargo)\nStep 2: Relate(directed by, onward)\nStep 3: Count()\nStep 4: What()",
    "code": " START()\nexpression_1 = FIND('Fargo', expression_1)\nexpression_1 = WHAT(",
}
NO_MODEL = ScriptedModel(lambda _: [])


def prompter(notation: str, fixed: tuple[Example, ...] = (), budget: int | None = None) -> Prompter:
    return Prompter(notation, NO_MODEL.count_tokens, fixed, budget=budget)


def attempt(notation: str) -> Written:
    text = ATTEMPTS[notation]
    found = read(text, notation)
    checked = check(found.program) if found.program else ()
    return Written(text, "greedy", found.program, (*found.issues, *checked))


@pytest.mark.parametrize("offered", [False, True], ids=["lines", "tools"])
def test_prompts_to_explore_are_the_golden_texts(offered: bool, request: pytest.FixtureRequest) -> None:
    made = prompt_of(prompter("steps").prompt(KNOWN, EXAMPLES, cue=False), offered)
    assert bool(made.tools) == offered
    golden = FIXTURES / f"explore_{'tools' if offered else 'lines'}.txt"
    if request.config.getoption("--update-goldens"):
        golden.write_text(made.text, encoding="utf-8")
    assert golden.read_text(encoding="utf-8") == made.text


@pytest.mark.parametrize("notation", FORMS)
@pytest.mark.parametrize("case", ["asked", "corrected", "builtin"])
def test_prompts_are_the_golden_texts(case: str, notation: str, request: pytest.FixtureRequest) -> None:
    made = {
        "asked": lambda: prompter(notation).prompt(KNOWN, EXAMPLES),
        "corrected": lambda: prompter(notation).prompt(KNOWN, EXAMPLES, attempt(notation)),
        "builtin": lambda: prompter(notation, builtin_examples()).prompt(replace(KNOWN, facts=()), ()),
    }[case]()
    golden = FIXTURES / f"{notation}_{case}.txt"
    if request.config.getoption("--update-goldens"):
        golden.write_text(made.text, encoding="utf-8")
    assert golden.read_text(encoding="utf-8") == made.text


@pytest.mark.parametrize("notation", FORMS)
def test_the_prefix_is_the_same_for_all_questions(notation: str) -> None:
    asking = prompter(notation, builtin_examples()[:3])
    one = asking.prompt(KNOWN, EXAMPLES)
    other = asking.prompt(Known("How long is Heat?"), ())
    assert one.prefix == other.prefix
    assert one.body.endswith(FORMS[notation].cue)
    assert other.body.endswith(FORMS[notation].cue)


@pytest.mark.parametrize("notation", FORMS)
def test_every_function_is_defined_once(notation: str) -> None:
    shown = Prompter(notation, len, budget=10**6).prompt(KNOWN, ()).prefix
    for function in FUNCTIONS.values():
        name = function.name.upper() if notation == "code" else function.name
        lines = [line for line in shown.splitlines() if line.removeprefix("def ").startswith(f"{name}(")]
        offered = function.name not in LEFT_OUT if function.extension else True
        assert len(lines) == offered


def test_the_definitions_of_code_are_python_whose_types_are_defined() -> None:
    module = ast.parse(prompter("code").prompt(KNOWN, ()).prefix)
    defined = {"str", "Literal", "None"}
    used: set[str] = set()
    for statement in module.body:
        match statement:
            case ast.ClassDef():
                defined.add(statement.name)
            case ast.Assign(targets=[ast.Name(id=name)]):
                defined.add(name)
            case ast.FunctionDef():
                annotations = [one.annotation for one in statement.args.args if one.annotation]
                used |= {
                    node.id
                    for annotation in (*annotations, statement.returns)
                    if annotation is not None
                    for node in ast.walk(annotation)
                    if isinstance(node, ast.Name)
                }
    assert used
    assert used <= defined


def shown(prompt: Prompt, examples: tuple[Example, ...]) -> list[Example]:
    """The examples that the prompt's body shows, in its order."""
    found = [one for one in examples if one.known.question in prompt.body]
    return sorted(found, key=lambda one: prompt.body.index(one.known.question))


@pytest.mark.parametrize("notation", FORMS)
def test_the_least_similar_are_dropped_first_then_the_weakest_facts_then_fixed(notation: str) -> None:
    examples = tuple(
        replace(EXAMPLES[0], known=Known(f"Question number {at}!"), similarity=at / 10) for at in (3, 9, 1, 5)
    )
    fixed = builtin_examples()[:2]
    least = NO_MODEL.count_tokens(prompter(notation).prompt(replace(KNOWN, facts=()), ()).text)
    full = NO_MODEL.count_tokens(prompter(notation, fixed, 10**5).prompt(KNOWN, examples).text)
    form, seen = FORMS[notation], []
    for room in range(full, least - 1, -2):
        made = prompter(notation, fixed, room + form.answer + 60).prompt(KNOWN, examples)
        kept = [one.similarity for one in shown(made, examples)]
        facts = [fact.label for fact in FACTS if fact.label in made.body.rpartition("Fargo?")[2]]
        held = [one for one in fixed if one.known.question in made.prefix]
        seen.append((len(kept), len(facts), len(held)))
        assert kept == sorted(kept)
        assert kept == sorted(sorted(one.similarity for one in examples)[len(examples) - len(kept) :])
        assert facts == [
            fact.label for fact in FACTS if fact.score >= {3: 0, 2: 0.5, 1: 0.9}.get(len(facts), 1)
        ]
        assert NO_MODEL.count_tokens(made.text) <= room
    steps = [(left, 3, 2) for left in (4, 3, 2, 1, 0)] + [(0, left, 2) for left in (2, 1, 0)]
    assert list(dict.fromkeys(seen)) == [*steps, (0, 0, 1), (0, 0, 0)]


texts = st.text(max_size=400) | st.sampled_from(
    ["Fargo", "\nQuestion: x", "{{ known }}", "'''", '"""', "a, b(c"]
)
facts = st.builds(
    Fact,
    texts,
    st.sampled_from([Kind.ENTITY, Kind.CONCEPT]),
    st.sampled_from([Kind.RELATION, Kind.ATTRIBUTE]),
    texts,
    texts,
    st.sampled_from(["", "forward"]),
    texts,
    st.floats(-1, 1),
)
names = st.lists(st.builds(KnownName, texts, texts, texts), max_size=3).map(tuple)
knowns = st.builds(
    Known,
    texts,
    names,
    st.lists(texts, max_size=3).map(tuple),
    st.lists(facts, max_size=5).map(tuple),
    names,
    names,
)
examples = st.builds(
    Example, knowns, st.sampled_from([one.program for one in builtin_examples()]), st.floats(-1, 1)
)


@pytest.mark.parametrize("notation", FORMS)
@given(
    known=knowns,
    shots=st.lists(examples, max_size=12),
    budget=st.integers(500, 5_000),
    corrected=st.booleans(),
)
def test_no_prompt_is_over_its_budget(
    notation: str, known: Known, shots: list[Example], budget: int, corrected: bool
) -> None:
    wrong = attempt(notation) if corrected else None
    bare = replace(known, facts=(), candidates=(), values=())
    alone = prompter(notation, (), 10**6).prompt(bare, (), wrong)
    asking = prompter(notation, builtin_examples()[:4], budget)
    if NO_MODEL.count_tokens(alone.text) > budget - FORMS[notation].answer - 60:
        with pytest.raises(ModelError, match="too long"):
            asking.prompt(known, shots, wrong)
        return
    made = asking.prompt(known, shots, wrong)
    assert NO_MODEL.count_tokens(made.text) + FORMS[notation].answer <= budget
    assert made.body.endswith(FORMS[notation].cue)


@pytest.mark.parametrize("notation", FORMS)
def test_a_question_that_alone_is_too_long_is_refused(notation: str) -> None:
    with pytest.raises(ModelError, match="too long") as caught:
        prompter(notation).prompt(Known("why " * 20_000), EXAMPLES)
    assert "shorter question" in caught.value.hint
    assert not caught.value.retryable


def wordpieces() -> Tokenizer:
    tokenizer = open_tokenizer(1)
    tokenizer.no_truncation()
    return tokenizer


@pytest.mark.data
@pytest.mark.skipif(not SHOTS.exists(), reason=f"{SHOTS} is not there")
@pytest.mark.parametrize("notation", FORMS)
def test_ten_shots_of_kqa_pro_fit(notation: str) -> None:
    """Counted in WordPieces of the package's own encoder, and as the scripted model estimates."""
    pool = tuple(
        example_of(record["question"], read_program(record["gold"]["kopl_linear"]))
        for record in map(json.loads, SHOTS.read_text("utf-8").splitlines())
    )
    longest = sorted(pool, key=lambda one: -len(str(one.program)))[:10]
    pieces = wordpieces()
    for count in (lambda text: len(pieces.encode(text).ids), NO_MODEL.count_tokens):
        asking = Prompter(notation, count)
        for asked in pool[::10]:
            made = asking.prompt(replace(asked.known, facts=FACTS), longest)
            assert len(shown(made, tuple(longest))) == 10
            assert count(made.text) + FORMS[notation].answer <= FORMS[notation].budget
