from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compilers.kopl.functions import Kind
from nlq_gateway.drafts.generation.context.asked import known_of
from nlq_gateway.drafts.generation.context.facts import MOST_FACTS, THRESHOLD, FactFinder
from nlq_gateway.drafts.generation.known import Fact, KnownName
from tests.generation.asked import Asked

# What is said of a fact here: the thing, the relation or attribute, its direction, the qualifier.
Said = tuple[str, str, str, str]

QUESTIONS = [
    # An entity is the subject of the facts, or their object.
    ("Who directed Pulp Fiction?", ("Pulp Fiction", "directed by", "forward", "")),
    ("What was directed by Sofia Coppola?", ("Sofia Coppola", "directed by", "backward", "")),
    ("Capital of Australia?", ("Australia", "capital", "forward", "")),
    ("How many scientists were born in Paris?", ("Paris", "place of birth", "backward", "")),
    # Attributes have no direction.
    ("When was Marie Curie born?", ("Marie Curie", "date of birth", "", "")),
    ("What is the deepest lake?", ("lake", "maximum depth", "", "")),
    # A concept alone, from either side of the facts.
    ("Which country has the phone prefix +354?", ("country", "calling code", "", "")),
    ("Which universities did physicists attend?", ("university", "educated at", "backward", "")),
    ("Which universities did physicists attend?", ("physicist", "educated at", "forward", "")),
    # Several things named.
    (
        "What firms were set up by people who had studied at Stanford?",
        ("Stanford University", "educated at", "backward", ""),
    ),
    ("Who was taller, Abraham Lincoln or Arnold Schwarzenegger?", ("Abraham Lincoln", "height", "", "")),
    # A word that is a class in the graph may speak of a relation, too.
    ("Who is the author of The Hobbit?", ("The Hobbit", "author", "forward", "")),
    # Qualifiers of the facts that are spoken of.
    (
        "What is the role of the cast member Uma Thurman in Pulp Fiction?",
        ("Pulp Fiction", "cast member", "forward", "role"),
    ),
    ("What was the population of Berlin at a point in time?", ("Berlin", "population", "", "point in time")),
]

NOT_SAID = [
    # Around the thing, but no word speaks of it.
    ("Who directed Pulp Fiction?", "cast member"),
    ("When was Marie Curie born?", "educated at"),
    # Spoken of, but not around anything named.
    ("Who directed the Nile?", "directed by"),
    ("What is the population of Pulp Fiction?", "population"),
    # Inside a name, which is masked.
    ("Who wrote One Hundred Years of Solitude?", "number of seasons"),
    # The longer phrase speaks of something else.
    ("What is the place of birth of Marie Curie?", "date of birth"),
    ("What is the date of birth of Marie Curie?", "place of birth"),
]


@dataclass(frozen=True, slots=True)
class Nowhere:
    """A store in which nothing leads anywhere."""

    def around(self, iri: str) -> frozenset[tuple[str, str]]:
        """Find nothing."""
        assert iri
        return frozenset()


def said(fact: Fact) -> Said:
    return fact.about, fact.label, fact.direction, fact.qualifier


@pytest.mark.parametrize(("question", "wanted"), QUESTIONS)
def test_what_the_words_speak_of_is_told(sample: Asked, question: str, wanted: Said) -> None:
    assert wanted in map(said, sample.facts(question))


@pytest.mark.parametrize(("question", "label"), NOT_SAID)
def test_what_they_do_not_speak_of_is_not(sample: Asked, question: str, label: str) -> None:
    assert label not in [fact.label for fact in sample.facts(question)]


def test_what_only_others_of_a_wider_class_have_is_not_told(sample: Asked) -> None:
    # Rivers and countries are places; nothing flows from a country.
    told = list(map(said, sample.facts("Which countries does the Rio Grande run through?")))
    assert ("country", "flows through", "backward", "") in told
    assert ("country", "flows through", "forward", "") not in told


WORDS = """
Paris Germany Pulp Fiction Marie Curie Joker 1994 3000 kilometres +354 film films river country actors
scientist directed by born in founded length deepest author role start time
population award who is the and of which "
""".split()


@given(words=st.lists(st.sampled_from(WORDS), max_size=14))
def test_facts_are_real_sure_ordered_and_always_the_same(sample: Asked, words: list[str]) -> None:
    facts = sample.facts(" ".join(words))
    index = sample.finder.index
    for fact in facts:
        item = index.item(fact.kind, fact.iri)
        assert item is not None
        assert item.label == fact.label
        assert (fact.kind == Kind.ATTRIBUTE) == (fact.direction == "")
        qualifiers = [index.item(Kind.QUALIFIER, iri) for iri in item.qualifiers]
        assert fact.qualifier in ("", *(one.label for one in qualifiers if one))
        assert THRESHOLD <= fact.score <= 1
    scores = [fact.score for fact in facts]
    assert scores == sorted(scores, reverse=True)
    assert len(facts) == len(set(facts)) <= MOST_FACTS
    assert facts == sample.facts(" ".join(words))


def test_a_higher_threshold_tells_less(sample: Asked) -> None:
    links = sample.links("What firms were set up by people who had studied at Stanford?")
    told = [set(sample.finder.facts(links, threshold)) for threshold in (0.5, 0.7, 0.9, 1.0)]
    assert all(more >= less for more, less in pairwise(told))
    assert len(told[0]) > len(told[-1]) > 0


def test_only_what_really_leads_on_counts(sample: Asked) -> None:
    links = sample.links("Who directed Pulp Fiction?")
    assert FactFinder(sample.finder.index, Nowhere()).facts(links) == ()


def test_a_string_leads_to_the_class_of_what_has_it(sample: Asked) -> None:
    links = sample.links("What is the capital of the place with the calling code +354?")
    assert not any(mention.kind == Kind.ENTITY for mention in links.mentions)
    facts = sample.finder.facts(links)
    assert ("country", "capital", "forward", "") in map(said, facts)


def test_another_language_is_compared_by_its_words(sample: Asked) -> None:
    told = sample.facts("Capital of Australia?", "de")
    assert [fact.label for fact in told] == ["capital"]


def test_a_question_without_names_has_no_facts(sample: Asked) -> None:
    assert sample.facts("Why?") == ()
    assert sample.facts("") == ()


def test_what_is_known_is_in_the_order_of_the_question(sample: Asked) -> None:
    links = sample.links("Which films have both Leonardo DiCaprio and Matt Damon in them?")
    facts = sample.finder.facts(links)
    known = known_of(sample.finder.index, links, facts)
    assert known.question == links.question.text
    assert known.entities == (KnownName("Leonardo DiCaprio", "actor"), KnownName("Matt Damon", "actor"))
    assert known.concepts == ("film",)
    assert known.facts == facts
