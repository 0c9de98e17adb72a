"""Masked questions, the words that forbid a program, and the choice of what to keep."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from compilers.kopl.notations import read_program
from nlq_gateway.core.types import Demonstration
from nlq_gateway.drafts.demonstrations.features import SCHEMA, WORDS, Features
from nlq_gateway.drafts.demonstrations.mask import MaskedSpan, cues_of, mask
from nlq_gateway.drafts.demonstrations.select import covered_by, select
from nlq_gateway.index.embedding import Vectors


def test_questions_that_differ_in_their_names_are_one() -> None:
    first = mask("Who directed Fargo?", [MaskedSpan(13, 18, "film")])
    second = mask("who directed The Big Lebowski", [MaskedSpan(13, 29, "film")])
    assert first == second
    assert first.text == "who directed <film>"


def test_names_of_other_classes_stay_apart() -> None:
    film, river = (mask("Where is Danube?", [MaskedSpan(9, 15, name)]) for name in ("film", "river"))
    assert film != river


def test_possessives_and_compounds_are_taken_apart() -> None:
    masked = mask("Nolan's co-written films", [MaskedSpan(0, 5, "person")])
    assert masked.text == "<person> co written films"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Which films did she direct?", "Which films did she not direct?"),
        ("Which films did she direct?", "How many films did she direct?"),
        ("Which of the films is longest?", "Which of the films is shortest?"),
        ("Films since then", "Films before then"),
        ("Does it flow?", "Doesn't it flow?"),
    ],
)
def test_some_words_change_what_is_asked(one: str, other: str) -> None:
    assert cues_of(mask(one, ())) != cues_of(mask(other, ()))


def test_over_and_under_count_before_values_only() -> None:
    assert cues_of(mask("What genres do they fall under?", ())) == frozenset()
    assert cues_of(mask("Films under 90", [MaskedSpan(12, 14, "quantity")])) == {"under"}


def demonstration(question: str, chain: str) -> Demonstration:
    return Demonstration(question, read_program(chain))


def encoded(texts: Sequence[str]) -> Vectors:
    """One direction for each first word."""
    words = sorted({text.split()[0] for text in texts})
    return np.array([[float(text.split()[0] == word) for word in words] for text in texts], np.float32)


PLAIN = "Find(a)->Relate(r, forward)->What()"
COUNTED = "Find(a)->Relate(r, forward)->Count()"


def test_functions_are_covered_before_wordings() -> None:
    pool = [
        demonstration("who a", PLAIN),
        demonstration("when b", PLAIN),
        demonstration("how c", COUNTED),
        demonstration("who d", PLAIN),
    ]
    chosen = select(pool, encoded, 3)
    assert chosen[:2] == (0, 2)
    assert chosen[2] == 1, "the wording least like those chosen"
    covered = frozenset[str]().union(*(covered_by(pool[at].program) for at in chosen))
    assert {"What", "Count", "Relate>Count", "Find>Relate"} <= covered


def test_a_choice_is_always_the_same_and_never_too_large() -> None:
    pool = [demonstration(f"who {number}", PLAIN) for number in range(20)]
    assert select(pool, encoded, 5) == select(pool, encoded, 5)
    assert len(select(pool, encoded, 5)) == 5
    assert sorted(select(pool, encoded, 50)) == list(range(20))


def test_a_question_without_words_has_no_cues() -> None:
    assert cues_of(mask("((( ?!", ())) == frozenset()


def test_a_word_that_no_question_has_makes_others_less_like_it() -> None:
    known = [(mask(text, ()), ()) for text in ("What are the films of the year?", "Who directs the films?")]
    features = Features.of(known)

    def likeness(text: str) -> float:
        rows = features.vectors([known[0], (mask(text, ()), ())], lambda texts: np.zeros((len(texts), 1)))
        return float(rows[0] @ rows[1])

    same, other, two = map(
        likeness,
        (
            "What are the films of the year?",
            "What types are the films of the year?",
            "What odd types are the films of the year?",
        ),
    )
    assert same == pytest.approx(WORDS + SCHEMA, abs=1e-4)
    known_words = likeness("What who are the films of the year?")
    assert same > known_words > other > two
