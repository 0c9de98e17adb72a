"""Answers of another form than the question, over a graph without labels, as databases give it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks.rooms import opened
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.judging.confidence import SURE_ENOUGH

DOCTORS = (
    ("Ann Low", 61, "Leeds"),
    ("Bo Reed", 44, "York"),
    ("Cy Fox", 58, "Leeds"),
    ("Di Hunt", 35, "Hull"),
)
WARDS = (("Surgery", 1, 20), ("Radiology", 2, 12), ("Pediatrics", 3, 31))
PATIENTS = (("Eva Moss", "42 Mill Lane"), ("Finn Oak", "7 High Street"), ("Gil Park", "3 Dale Road"))
VISITS = ((1, 1, "2021-03-01"), (1, 2, "2021-04-11"), (2, 1, "2021-05-21"), (3, 3, "2021-06-09"))


def _facts() -> Iterator[str]:
    for key, (name, age, town) in enumerate(DOCTORS, 1):
        yield f'd:doctor_{key} a d:doctor ; doctor:name "{name}" ; doctor:age {age} ; doctor:town "{town}" .'
    for key, (name, head, beds) in enumerate(WARDS, 1):
        yield (
            f'd:ward_{key} a d:ward ; ward:name "{name}" ; ward:head {head} ; '
            f"ward:ref-head d:doctor_{head} ; ward:beds {beds} ."
        )
    for key, (name, address) in enumerate(PATIENTS, 1):
        yield f'd:patient_{key} a d:patient ; patient:name "{name}" ; patient:address "{address}" .'
    for key, (patient, doctor, date) in enumerate(VISITS, 1):
        yield (
            f"d:visit_{key} a d:visit ; visit:patient {patient} ; visit:ref-patient d:patient_{patient} ; "
            f'visit:doctor {doctor} ; visit:ref-doctor d:doctor_{doctor} ; visit:date "{date}" .'
        )


@pytest.fixture(scope="module")
def clinic(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pipeline]:
    """Doctors, wards, patients and visits, which have names among their values and keys for IRIs."""
    file = tmp_path_factory.mktemp("graph") / "clinic.ttl"
    prefixes = "".join(
        f"@prefix {kind}: <http://clinic.example/{kind}#> .\n"
        for kind in ("doctor", "ward", "patient", "visit")
    )
    keys = "\n".join(_facts())
    for kind in ("doctor", "ward", "patient", "visit"):
        for key in range(1, 5):
            keys = keys.replace(f"d:{kind}_{key} ", f"<http://clinic.example/{kind}/id={key}> ")
    file.write_text("@prefix d: <http://clinic.example/> .\n" + prefixes + keys, encoding="utf-8")
    with opened((file,)) as gateway:
        yield gateway


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which doctors are older than 50?", {"Ann Low", "Cy Fox"}),
        ("What is the oldest doctor?", {"Ann Low"}),
        ("Who lives in Leeds?", {"Ann Low", "Cy Fox"}),
        ("Who are the doctors?", {name for name, *_ in DOCTORS}),
        ("Which ward has the second most beds?", {"Surgery"}),
        ("Which patient has the most visits?", {"Eva Moss"}),
        ("Which doctor visited Gil Park?", {"Cy Fox"}),
        ("How many beds does Surgery have?", {"20"}),
    ],
)
def test_what_has_a_name_is_told_by_it_or_unsure(clinic: Pipeline, question: str, names: set[str]) -> None:
    trace = clinic.ask(Ask(question, language="en", guess=True))
    assert {str(value) for value in trace.values} == names or trace.confidence < SURE_ENOUGH


@pytest.mark.parametrize(
    ("question", "reverse"),
    [
        ("Does Ann Low head Surgery?", "Does Surgery head Ann Low?"),
        ("Are Ann Low and Cy Fox in the same town?", "Are Ann Low and Bo Reed in the same town?"),
        ("Which of Surgery and Radiology has more beds?", "Which of Surgery and Radiology has fewer beds?"),
    ],
)
def test_no_two_questions_have_the_same_sure_answer(clinic: Pipeline, question: str, reverse: str) -> None:
    one, other = (clinic.ask(Ask(text, language="en", guess=True)) for text in (question, reverse))
    same = [str(value) for value in one.values] == [str(value) for value in other.values]
    assert not same or min(one.confidence, other.confidence) < SURE_ENOUGH


@pytest.mark.parametrize(
    "question", ["How old is Ann Low and where does she live?", "Is Ann Low from Leeds?"]
)
def test_half_an_answer_is_unsure(clinic: Pipeline, question: str) -> None:
    trace = clinic.ask(Ask(question, language="en", guess=True))
    alone = all(len(row) == 1 for row in trace.cells)
    half = alone and [str(value) for value in trace.values] in (["61"], ["Leeds"], ["not sure"])
    assert not half or trace.confidence < SURE_ENOUGH


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many beds does each ward have?", {(name, str(beds)) for name, _, beds in WARDS}),
        (
            "How many visits does each patient have?",
            {("Eva Moss", "2"), ("Finn Oak", "1"), ("Gil Park", "1")},
        ),
    ],
)
def test_rows_are_for_what_stands_behind_each(
    clinic: Pipeline, question: str, rows: set[tuple[str, str]]
) -> None:
    trace = clinic.ask(Ask(question, language="en"))
    assert trace.answer is not None
    found = {tuple(sorted(text.split("\t"), key=str.isdigit)) for text in trace.answer.strings}
    assert found == rows
