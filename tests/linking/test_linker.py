"""Names that questions mention: which words, what they may stand for, and what is no name."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from compilers.kopl.functions import Kind
from nlq_gateway.core.types import Mention, Question
from nlq_gateway.question.linking import Linker
from tests.clock import little_work

WORLD, CINEMA = "http://world.example/", "http://cinema.example/"


def mentions(linker: Linker, text: str) -> dict[str, Mention]:
    return {mention.text: mention for mention in linker.link(Question(text)).mentions}


def iris(mention: Mention) -> list[str]:
    return [hit.iri.rsplit("/", 1)[1] for hit in mention.hits]


@pytest.mark.parametrize(
    ("text", "words", "iri", "how"),
    [
        ("Who directed Pulp Fiction?", "Pulp Fiction", "Pulp_Fiction", "exact"),
        ("who directed pulp fiction", "pulp fiction", "Pulp_Fiction", "folded"),
        ("WHO DIRECTED PULP FICTION?!", "PULP FICTION", "Pulp_Fiction", "folded"),
        ('Who directed "Pulp Fiction"?', "Pulp Fiction", "Pulp_Fiction", "exact"),
        ("Quentin Tarantino's films", "Quentin Tarantino", "Quentin_Tarantino", "exact"),
        ("Quentin Tarantino’s films", "Quentin Tarantino", "Quentin_Tarantino", "exact"),
        ("Sao Paulo's population", "Sao Paulo", "São_Paulo", "folded"),
        ("Sa\u0303o Paulo", "Sa\u0303o Paulo", "São_Paulo", "folded"),
        ("Palme d'Or winners", "Palme d'Or", "Palme_dOr", "exact"),
        ("How high is Aoraki / Mount Cook?", "Aoraki / Mount Cook", "Aoraki_Mount_Cook", "exact"),
        ('Where was Stephen "Woz" Wozniak born?', 'Stephen "Woz" Wozniak', "Steve_Wozniak", "alias"),
        ("Wo liegt München?", "München", "Munich", "alias"),
        ("Who is in (500) Days of Summer?", "(500) Days of Summer", "500_Days_of_Summer", "exact"),
        ("What is 1917?", "1917", "1917", "exact"),
    ],
)
def test_a_name_is_found_as_people_write_it(
    sample: Linker, text: str, words: str, iri: str, how: str
) -> None:
    mention = mentions(sample, text)[words]
    assert text[mention.start : mention.end] == words
    assert (mention.hits[0].iri, mention.hits[0].how) == (WORLD + iri, how)


def test_a_mark_belongs_to_a_name_that_has_it(sample: Linker) -> None:
    text = "Who wrote Do Androids Dream of Electric Sheep?"
    assert "Do Androids Dream of Electric Sheep?" in mentions(sample, text)
    assert "Good Night, and Good Luck." in mentions(sample, "Who is in Good Night, and Good Luck.?")


def test_the_longest_name_wins_and_the_shorter_ones_are_kept(sample: Linker) -> None:
    links = sample.link(Question("Where is New York City?"))
    assert [mention.text for mention in links.mentions] == ["New York City"]
    assert {"New York", "City"} <= {mention.text for mention in links.others}
    links = sample.link(Question("Which Nobel Prize in Physics winners are there?"))
    assert links.mentions[0].text == "Nobel Prize in Physics"
    assert "Nobel Prize" in {mention.text for mention in links.others}


def test_mentions_are_in_order_and_do_not_overlap(sample: Linker) -> None:
    text = "Is Paris the capital city of France, or New York City in Georgia, where Batman lives?"
    found = sample.link(Question(text)).mentions
    assert {"Paris", "France", "New York City", "Georgia", "Batman"} <= {mention.text for mention in found}
    assert all(one.end <= other.start for one, other in pairwise(found))
    assert all(mention.text == text[mention.start : mention.end] for mention in found)


@pytest.mark.parametrize(
    ("name", "bearers"),
    [
        ("Paris", {"Paris", "Paris_Texas"}),
        ("Georgia", {"Georgia", "Georgia_US"}),
        ("Amazon", {"Amazon", "Amazon_company"}),
        ("Batman", {"Batman", "Batman_film"}),
    ],
)
def test_all_bearers_of_a_name_are_kept(sample: Linker, name: str, bearers: set[str]) -> None:
    assert set(iris(mentions(sample, f"What about {name}?")[name])) == bearers


def test_concepts_are_found_in_the_plural(sample: Linker) -> None:
    hit = mentions(sample, "Which rivers cross Germany?")["rivers"].hits[0]
    assert (hit.kind, hit.label) == (Kind.CONCEPT, "river")


@pytest.mark.parametrize(
    ("text", "words", "iri"),
    [
        ("Who directed Plup Fiction?", "Plup Fiction", "Pulp_Fiction"),
        ("who directed plup fiction", "plup fiction", "Pulp_Fiction"),
        ("Which awards did Uma Thurmann get?", "Uma Thurmann", "Uma_Thurman"),
        ("which awards did uma thurmann get?", "uma thurmann", "Uma_Thurman"),
        ("Quentin Tarrantino's awards", "Quentin Tarrantino", "Quentin_Tarantino"),
        ("films by tarrantino", "tarrantino", "Quentin_Tarantino"),
        ("Is Sacramentoo a capital?", "Sacramentoo", None),
        ("Which films are by Tarrantino?", "Tarrantino", "Quentin_Tarantino"),
        ("Which films are by Mortimer Tarrantino?", "Tarrantino", None),
        ("Where is Xqzt Wvutz?", "Xqzt Wvutz", None),
        ("where is xqzt wvutz?", "xqzt wvutz", None),
    ],
)
def test_misspelt_names_are_found_by_their_letters(
    sample: Linker, text: str, words: str, iri: str | None
) -> None:
    mention = mentions(sample, text).get(words)
    if iri is None:
        assert mention is None
    else:
        assert mention is not None
        assert (mention.hits[0].iri, mention.hits[0].how) == (WORLD + iri, "fuzzy")


def test_a_misspelt_name_takes_the_shorter_names_inside(sample: Linker) -> None:
    found = mentions(sample, "Where is New Yrok City?")
    assert [hit.label for hit in found["New Yrok City"].hits][:1] == ["New York City"]
    assert "City" not in found


@pytest.mark.parametrize(
    ("text", "words", "iri"),
    [
        ("Which films did Tarantino direct?", "Tarantino", "Quentin_Tarantino"),
        ("Tarantino's films", "Tarantino", "Quentin_Tarantino"),
        ("Where was Wozniak born?", "Wozniak", "Steve_Wozniak"),
        ("Where was Uma born?", "Uma", "Uma_Thurman"),
    ],
)
def test_a_part_of_a_name_with_a_capital_is_one(sample: Linker, text: str, words: str, iri: str) -> None:
    hit = mentions(sample, text)[words].hits[0]
    assert (hit.iri, hit.how) == (WORLD + iri, "partial")


def test_a_part_of_a_name_without_a_capital_is_only_another_reading(sample: Linker) -> None:
    links = sample.link(Question("which films did tarantino direct"))
    assert "tarantino" not in {mention.text for mention in links.mentions}
    (mention,) = (mention for mention in links.others if mention.text == "tarantino")
    assert iris(mention) == ["Quentin_Tarantino"]
    links = sample.link(Question("which films in Germany did tarantino direct"))
    assert "tarantino" not in {mention.text for mention in (*links.mentions, *links.others)}


@pytest.mark.parametrize(
    "text",
    [
        "which films are about a fiction city",
        "who was the first to walk there",
        "what is the longest of all those",
        "how many people studied or worked in it",
        "The films were good",
        "Who else is there?",
        "What is the Capital of it?",
    ],
)
def test_common_words_are_no_guessed_names(sample: Linker, text: str) -> None:
    links = sample.link(Question(text))
    guessed = [m for m in (*links.mentions, *links.others) if m.hits[0].how in ("fuzzy", "partial", "prefix")]
    assert guessed == []


def test_a_concept_beside_a_name_orders_its_bearers(sample: Linker) -> None:
    assert iris(mentions(sample, "Who made the film Batman?")["Batman"])[0] == "Batman_film"
    assert iris(mentions(sample, "Who made the company Amazon?")["Amazon"])[0] == "Amazon_company"
    assert iris(mentions(sample, "How long is the river Amazon?")["Amazon"])[0] == "Amazon"


def test_a_name_that_is_there_is_not_taken_for_a_misspelt_one(cinema: Linker) -> None:
    assert [hit.how for hit in mentions(cinema, "Who directed Psycho?")["Psycho"].hits] == ["exact"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Who directed Her?", {"Her"}),
        ('Who directed "Her"?', {"Her"}),
        ("Who directed It and Her?", {"It", "Her"}),
        ("Who directed Up in 2009?", {"Up"}),
        ("who directed her?", set()),
        ("Who directed it up to now?", set()),
        ("Her director?", set()),
        ("It is up to her.", set()),
        ("Did she see her?", set()),
    ],
)
def test_common_words_are_names_only_when_written_as_such(cinema: Linker, text: str, names: set[str]) -> None:
    assert set(mentions(cinema, text)) == names


def test_common_words_in_a_row_are_a_name_where_written_as_one(cinema: Linker) -> None:
    found = mentions(cinema, "Who directed What If?")["What If"]
    assert [hit.label for hit in found.hits] == ["What If..."]
    assert mentions(cinema, "Who knows what if?") == {}


def test_a_year_that_is_a_name_stays_a_value_too(cinema: Linker) -> None:
    links = cinema.link(Question("Who directed 1984?"))
    assert [mention.hits[0].iri for mention in links.mentions] == [CINEMA + "year1984"]
    assert [literal.text for literal in links.literals] == ["1984"]


def test_accents_and_case_do_not_matter(cinema: Linker) -> None:
    for name in ("Amélie", "Amelie", "AMÉLIE", "Ame\u0301lie", "die fabelhafte welt der amélie"):
        assert mentions(cinema, f"Who directed {name}?")[name].hits[0].iri == CINEMA + "amelie", name


def _noise() -> dict[str, str]:
    draw = random.Random(11)
    letters = "abcdefghijklmnopqrstuvwxyz     ABC.,?!'\"0123456789"
    words = "Paris Germany film Batman Xqzt the of 1994 nobel prize Kubrik".split()
    return {
        "letters": "".join(draw.choices(letters, k=2000)),
        "names": " ".join(draw.choices(words, k=400))[:2000],
        "unknown names": " ".join("".join(draw.choices("abcdef", k=5)).title() + " x" for _ in range(250)),
        "unicode": "".join(chr(draw.randrange(33, 0x3000)) for _ in range(2000)),
        "one name": "Paris " * 333,
        "short words": "a " * 1000,
        "one word": "a" * 2000,
        "capitals": "Ab " * 666,
        "dots": "a." * 1000,
        "apostrophes": "a'" * 1000,
        "parentheses": "(" * 1000 + ")" * 1000,
        "marks": "e" + "\u0301" * 1999,
        "emoji": "🎬" * 2000,
        "surrogates": "Paris \ud800\udfff",
        "wide letters": "ﷺ" * 2000,
        "right to left": "\u202eParis\u202c",
    }


@pytest.mark.parametrize("name", _noise())
def test_two_thousand_characters_of_noise_take_no_time(sample: Linker, name: str) -> None:
    sample.link(Question("Paris"))
    with little_work(2):
        sample.link(Question(_noise()[name]))


@pytest.mark.parametrize("text", ["", " ", "?", "\n", "()", "'s"])
def test_nothing_is_said_by_nothing(sample: Linker, text: str) -> None:
    links = sample.link(Question(text))
    assert (links.mentions, links.literals, links.others) == ((), (), ())
