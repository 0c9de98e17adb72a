from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlq_gateway.index.text import (
    bases,
    distinct_names,
    fold,
    humanise,
    local_name,
    name_from_iri,
    names_from_iri,
    schema_name_from_iri,
    singular,
    stem,
)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Schindler's List", "schindler s list"),
        ("Amélie’s", "amelie s"),
        ("Jean-Luc  Godard", "jean luc godard"),
        ("Straße", "strasse"),
        ("ÆRØ", "aero"),
        ("ﬁlm", "film"),
        ("$9.99", "$9 99"),
        ("C++", "c++"),
        ("release_year", "release year"),
        ("हिन्दी", "हिन्दी"),
        ("が", "が"),
        ("!!!", "!!!"),
        ("", ""),
    ],
)
def test_fold(text: str, folded: str) -> None:
    assert fold(text) == folded


@given(st.text())
def test_folding_is_stable(text: str) -> None:
    folded = fold(text)
    assert fold(folded) == folded
    assert folded == folded.strip()


@given(st.text(alphabet=st.characters(codec="ascii")))
def test_the_short_way_for_ascii_gives_what_the_long_one_gives(text: str) -> None:
    assert fold(text + "é").removesuffix("e").strip() == fold(text + "e").removesuffix("e").strip()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("films", "film"),
        ("movies", "movie"),
        ("cities", "city"),
        ("countries", "country"),
        ("boxes", "box"),
        ("classes", "class"),
        ("wives", "wife"),
        ("people", "person"),
        ("directed by", "directs by"),
        ("starred", "starring"),
        ("released", "release"),
        ("written", "writes"),
        ("companies", "company"),
        ("children", "child"),
        ("women", "woman"),
        ("indices", "index"),
        ("campuses", "campus"),
        ("heroes", "hero"),
        ("chosen by", "choose by"),
        ("drawn", "draws"),
        ("gave", "giving"),
        ("flew", "flying"),
        ("running", "ran"),
        ("studied", "studies"),
        ("founding", "founded"),
    ],
)
def test_inflections_share_a_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@pytest.mark.parametrize(("one", "other"), [("news", "new york"), ("bus", "bu"), ("red", "r"), ("king", "k")])
def test_other_words_do_not_share_a_stem(one: str, other: str) -> None:
    assert stem(one) != stem(other)


@pytest.mark.parametrize(
    ("plural", "one"),
    [
        ("ferries", "ferry"),
        ("boxes", "box"),
        ("people", "person"),
        ("children", "child"),
        ("statuses", "status"),
        ("series", "series"),
        ("movies", "movie"),
        ("class", "class"),
        ("bus", "bus"),
        ("analysis", "analysis"),
        ("singer", "singer"),
    ],
)
def test_singular(plural: str, one: str) -> None:
    assert singular(plural) == one


@pytest.mark.parametrize(
    ("form", "base"), [("topics", "topic"), ("directed", "direct"), ("writing", "write"), ("topped", "top")]
)
def test_what_a_word_may_be_a_form_of(form: str, base: str) -> None:
    assert {form, base} <= set(bases(form))


@pytest.mark.parametrize(
    ("label", "words"),
    [
        ("has_genre", "has genre"),
        ("releaseYear", "release year"),
        ("PolicyCoverageDetail", "policy coverage detail"),
        ("HTMLPage", "HTML page"),
        ("Policy-2", "policy 2"),
        ("PolicyHolder2", "policy holder 2"),
        ("Zone_CO2_Sensor", "zone CO2 sensor"),
        ("born In Town", "born In Town"),
        ("film", "film"),
    ],
)
def test_humanise(label: str, words: str) -> None:
    assert humanise(label) == words


def test_names_that_differ_in_case_only_are_one() -> None:
    names = ("HVAC Zone", "thermal zone", "hvac zone", "HVAC zone")
    assert distinct_names(names) == ("HVAC Zone", "thermal zone")


@pytest.mark.parametrize(
    ("iri", "local", "entity", "schema"),
    [
        ("http://x.example/r/release_year", "release_year", "release year", "release year"),
        ("http://x.example/o#hasPolicyHolder", "hasPolicyHolder", "hasPolicyHolder", "has policy holder"),
        ("http://x.example/e/%249.99", "$9.99", "$9.99", "$9.99"),
        ("http://x.example/Barack_Obama", "Barack_Obama", "Barack Obama", "barack obama"),
        ("http://x.example/Policy", "Policy", "Policy", "policy"),
        ("urn:thing:hasDOI", "hasDOI", "hasDOI", "has DOI"),
        ("http://x.example/", "x.example", "x.example", "x.example"),
        ("http://x.example/%", "%", "%", "%"),
    ],
)
def test_names_from_iris(iri: str, local: str, entity: str, schema: str) -> None:
    assert (local_name(iri), name_from_iri(iri), schema_name_from_iri(iri)) == (local, entity, schema)


@given(st.text(min_size=1))
def test_every_iri_has_a_name(iri: str) -> None:
    assert name_from_iri(iri)
    assert schema_name_from_iri(iri)


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        ("de", "Person Personen"),
        ("de", "Stadt Städte Städten"),
        ("de", "Land Länder Landes"),
        ("de", "Haus Häuser"),
        ("de", "Auto Autos"),
        ("de", "Autor Autoren"),
        ("de", "Museum Museen"),
        ("de", "Seitenzahl Seiten"),
        ("de", "frisst fressen"),
        ("de", "gefertigt fertigt"),
        ("de", "Geburtsort geboren Ort"),
        ("fr", "acteur acteurs"),
        ("fr", "réalisé réalisées réalise réalisateur"),
        ("fr", "château châteaux"),
        ("es", "ciudad ciudades"),
        ("es", "luz luces"),
        ("es", "pintado pintó pintaron"),
        ("es", "país países"),
    ],
)
def test_inflections_share_a_stem_in_their_own_language(language: str, forms: str) -> None:
    first, *others = ({*stem(fold(form), language).split()} for form in forms.split())
    assert all(other & first for other in others)
    assert stem("persons", "xx") == stem("persons")


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("de", "Geburtsort", "Geburtsjahr"),
        ("de", "Haus", "Hof"),
        ("fr", "film", "fille"),
        ("es", "mes", "museo"),
    ],
)
def test_other_words_of_a_language_do_not(language: str, one: str, other: str) -> None:
    assert stem(fold(one), language) != stem(fold(other), language)


@pytest.mark.parametrize(
    ("iri", "names"),
    [
        ("http://ex.org/GreyHeron", ("GreyHeron", "grey heron")),
        ("http://ex.org/Port_Ellery", ("Port Ellery",)),
        ("http://ex.org/Ulm", ("Ulm",)),
        ("http://ex.org/row/LX-162", ("LX-162",)),
    ],
)
def test_a_thing_without_a_name_has_that_of_its_iri(iri: str, names: tuple[str, ...]) -> None:
    assert names_from_iri(iri) == names
