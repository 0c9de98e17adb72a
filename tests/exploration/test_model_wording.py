"""Questions that a scripted model writes for explored programs: least to most, kept where they lead back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from library import lines_of

from benchmarks.scripted_model import ScriptedModel
from compilers.kopl.notations import read_program
from nlq_gateway.answering import Pipeline
from nlq_gateway.models import ModelRequest, Prompt
from nlq_gateway.models.errors import ModelBusy
from nlq_gateway.models.opened import OpenedModel
from nlq_gateway.offline.exploration import (
    Corpus,
    Exploration,
    ExplorationBudget,
    ModelWording,
    SchemaItems,
    here,
    leads_back,
)
from nlq_gateway.offline.exploration.model_wording import CANDIDATES, parts_of
from nlq_gateway.offline.exploration.unit import FoundProgram

GOLDEN = Path(__file__).parent / "fixtures" / "word.prompt.txt"
BORN = "Find(One Hundred Years of Solitude)->Relate(author, forward)->Relate(place of birth, forward)->What()"
RULES = ("Where was the author of One Hundred Years of Solitude born?",)
FOUND = FoundProgram(read_program(BORN), (), 1, ("Aracataca",), RULES)
PART = "Who wrote One Hundred Years of Solitude?"
BEST, GOOD, BAD = (
    "Where is the maker of Pulp Fiction from?",
    "Pulp Fiction's director: born where?",
    "Who was born?",
)


def writing(whole: Sequence[str], prefer: Callable[[Prompt, str], float] | None = None) -> ScriptedModel:
    """A model that words the part, and these ways the whole program, the first of them first."""

    def script(request: ModelRequest) -> list[str]:
        if request.prompt.body.count("Question:") == 1:
            return [PART]
        texts = whole if request.sampling.temperature else whole[:1]
        return [*texts, *whole[-1:] * request.samples][: request.samples]

    return ScriptedModel(script, prefer)


def by_question(scores: dict[str, float]) -> Callable[[Prompt, str], float]:
    """The probability of a program after a question."""
    return lambda prompt, _: next(
        score for text, score in scores.items() if f"Question: {text}\n" in prompt.body
    )


def test_the_parts_of_a_program_come_the_shortest_first() -> None:
    program = read_program(
        "Find(Pixar)->Relate(founded by, forward)->Find(Apple)->Relate(founded by, forward)->And()->Count()"
    )
    assert [str(step) for part in parts_of(program) for step in part.steps] == [
        *("Find(Pixar)", "Relate(founded by, forward)", "What()"),
        *("Find(Apple)", "Relate(founded by, forward)", "What()"),
        *("Find(Pixar)", "Relate(founded by, forward)", "Find(Apple)", "Relate(founded by, forward)"),
        *("And()", "What()"),
    ]
    assert parts_of(read_program("Find(Pixar)->Relate(founded by, forward)->What()")) == ()


def test_least_to_most(gateway: Pipeline, request: pytest.FixtureRequest) -> None:
    model = writing([GOOD])
    wording = ModelWording(model, gateway.endpoint("sample").index, lambda *_: True)
    assert wording.questions(FOUND) == (GOOD,)
    first, whole, sampled = model.requests
    assert PART not in first.prompt.body
    assert f"Question: {PART}\n" in whole.prompt.body
    assert (first.samples, whole.samples, sampled.samples) == (1, 1, CANDIDATES - 1)
    if request.config.getoption("--update-goldens"):
        GOLDEN.parent.mkdir(exist_ok=True)
        GOLDEN.write_text(whole.prompt.text, encoding="utf-8")
    assert whole.prompt.text == GOLDEN.read_text(encoding="utf-8")
    wording.questions(FOUND)
    assert len(model.requests) == 5, "the part is worded once"


def test_what_leads_back_as_surely_as_the_plainest_is_kept_the_surest_first(gateway: Pipeline) -> None:
    scores = {RULES[0]: -4.0, BEST: -1.0, GOOD: -3.0, BAD: -9.0}
    model = writing([BAD, GOOD, BEST], by_question(scores))
    wording = ModelWording(model, gateway.endpoint("sample").index, lambda *_: pytest.fail("asked"))
    assert wording.questions(FOUND) == (BEST, GOOD)


def test_without_scores_the_model_writes_the_program_again(gateway: Pipeline) -> None:
    asked: list[str] = []

    def back(question: str, found: FoundProgram) -> bool:
        asked.append(question)
        return question == GOOD and found is FOUND

    wording = ModelWording(writing([BAD, GOOD, RULES[0]]), gateway.endpoint("sample").index, back)
    assert wording.questions(FOUND) == (GOOD,)
    assert asked == [BAD, GOOD]


@pytest.mark.parametrize(
    ("calls", "same"),
    [
        (BORN.split("->"), True),
        (["Find(Gabriel García Márquez)", "Relate(place of birth, forward)", "What()"], True),
        (["Find(One Hundred Years of Solitude)", "Relate(author, forward)", "What()"], False),
        (["nonsense"], False),
    ],
)
def test_a_question_leads_back_by_the_program_or_its_answers(
    gateway: Pipeline, calls: list[str], same: bool
) -> None:
    program = "\n".join(f"Step {number}: {call}" for number, call in enumerate(calls, 1))
    model = ScriptedModel(lambda request: [program] * request.samples)
    asking = Pipeline(gateway.settings, OpenedModel(lambda: model, model.name))
    asking.endpoints = gateway.endpoints
    assert leads_back(asking, "sample")(GOOD, FOUND) is same


def test_a_model_that_fails_leaves_the_rules(gateway: Pipeline) -> None:
    def busy(_: ModelRequest) -> list[str]:
        raise ModelBusy("too much to do")

    wording = ModelWording(ScriptedModel(busy), gateway.endpoint("sample").index, lambda *_: True)
    assert wording.questions(FOUND) == ()
    assert wording.failures == ["too much to do"]


def test_a_corpus_has_the_model_s_questions_before_those_by_rules(gateway: Pipeline, tmp_path: Path) -> None:
    endpoint = gateway.endpoint("plain")
    corpora = {}
    for name, worded in (
        ("rules", None),
        ("model", lambda found, _: ["What then?"] if found.count > 1 else []),
    ):
        corpus = Corpus(tmp_path / name, {})
        with here(endpoint) as pool:
            exploration = Exploration(
                SchemaItems(endpoint.index.schema), corpus, pool, 0, ExplorationBudget(30), worded=worded
            )
            exploration.run()
        corpora[name] = lines_of(tmp_path / name)
    assert len(corpora["rules"]) == len(corpora["model"]) == 30
    assert {line.get("by_model", 0) for line in corpora["model"]} == {0, 1}
    for plain, line in zip(corpora["rules"], corpora["model"], strict=True):
        written = ["What then?"] * line.pop("by_model", 0)
        assert line["questions"] == [*written, *plain["questions"]][:4]
        assert {**line, "questions": plain["questions"]} == plain
