"""The queries about the steps of a program: their text, which steps they ask about, and their names."""

from __future__ import annotations

import pyoxigraph as ox
import pytest

from compilers.grounded import Binding, GroundedProgram
from compilers.kopl.notations import read_program
from compilers.layouts import Options
from compilers.probes import compile_counts, compile_examples, compile_probes, countable_steps, set_steps
from connectors.plain import require_plain_select

EX = "http://example.org/"
OPTIONS = Options(prefixes=(("ex", EX),))
EXAMPLES_TEXT = """\
PREFIX ex: <http://example.org/>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
SELECT ?step ?entity ?label WHERE {
  {
    # step 2: Relate(directed by, backward)
    SELECT DISTINCT (2 AS ?step) ?entity WHERE {
      ?entity ex:director ex:alex .
    } LIMIT 6
  } UNION {
    # step 3: FilterConcept(film)
    SELECT DISTINCT (3 AS ?step) ?entity WHERE {
      ?entity ex:director ex:alex .
      ?entity a ex:Film .
    } LIMIT 6
  }
  OPTIONAL { ?entity rdfs:label ?label . FILTER(LANG(?label) IN ("en", "")) }
}
"""
COUNTS_TEXT = """\
PREFIX ex: <http://example.org/>
SELECT ?step ?count WHERE {
  {
    # step 2: Relate(directed by, backward)
    SELECT (2 AS ?step) (COUNT(DISTINCT ?entity) AS ?count) WHERE {
      ?entity ex:director ex:alex .
    }
  } UNION {
    # step 3: FilterConcept(film)
    SELECT (3 AS ?step) (COUNT(DISTINCT ?entity) AS ?count) WHERE {
      ?entity ex:director ex:alex .
      ?entity a ex:Film .
    }
  }
}
"""


def _bound(chain: str, **names: str) -> GroundedProgram:
    """The program with the named arguments bound to IRIs of the same local name."""
    program = read_program(chain)
    labels = {name.replace("_", " "): iri for name, iri in names.items()}
    return GroundedProgram(
        program,
        {
            (step, 0): Binding((EX + labels[call.inputs[0]],), call.inputs[0])
            for step, call in enumerate(program.steps)
            if call.inputs
        },
    )


FILMS = _bound(
    "Find(Alex)->Relate(directed by, backward)->FilterConcept(film)->What()",
    Alex="alex",
    directed_by="director",
    film="Film",
)


def test_one_query_for_the_examples_and_one_for_the_counts() -> None:
    examples, counts = compile_probes(FILMS, "direct", OPTIONS)
    assert (examples.text, counts.text) == (EXAMPLES_TEXT, COUNTS_TEXT)
    assert examples.as_json() == {"steps": [2, 3], "sparql": EXAMPLES_TEXT}


@pytest.mark.parametrize(
    ("chain", "sets", "countable"),
    [
        ("Find(Alex)->Relate(directed by, backward)->What()", (0, 1), (1,)),
        ("FindAll()->FilterConcept(film)->Count()", (0, 1), (1,)),
        ("FindAll()->Count()", (0,), (0,)),
        ("FindAll()->QueryAttr(film)", (0,), (0,)),
    ],
)
def test_what_is_counted(chain: str, sets: tuple[int, ...], countable: tuple[int, ...]) -> None:
    program = _bound(chain, Alex="alex", directed_by="director", film="Film")
    assert (set_steps(program), countable_steps(program)) == (sets, countable)


def test_a_find_that_is_not_one_labelled_entity_is_counted() -> None:
    program = read_program("Find(Alex)->What()")
    homonyms = Binding((EX + "a", EX + "b"), "Alex")
    for bindings in ({}, {(0, 0): homonyms}, {(0, 0): Binding((EX + "a",))}):
        assert countable_steps(GroundedProgram(program, bindings)) == (0,)
    assert (
        compile_probes(GroundedProgram(program, {(0, 0): Binding((EX + "a",), "Alex")}), "direct", OPTIONS)
        == ()
    )


def test_sets_named_like_the_columns() -> None:
    """A concept may be called count, step, entity or label."""
    words = ("count", "step", "entity", "label")
    store = ox.Store()
    triples = "".join(f"<{EX}e> a <{EX}{word}> ; <{EX}{word}> <{EX}e> . " for word in words)
    store.load(triples.encode(), ox.RdfFormat.TURTLE)
    chain = "FindAll()" + "".join(f"->FilterConcept({w})->Relate({w}, forward)" for w in words) + "->What()"
    program = _bound(chain, **{word: word for word in words})
    for form in (compile_counts, compile_examples):
        probe = form(program, set_steps(program), "direct", OPTIONS)
        require_plain_select(probe.text)
        rows = [tuple(row) for row in store.query(probe.text)]
        assert sorted(int(row[0].value) for row in rows) == list(range(1, 10))
        assert {row[1].value for row in rows} == ({"1"} if form is compile_counts else {EX + "e"})
