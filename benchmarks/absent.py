"""Questions about things that a graph lacks, made from questions that have an answer.

left_out  the graph without a relation, an attribute or an entity, and the questions that need it
foreign   questions of another graph with a word that no name of this graph has
swapped   the graph's own questions, with a name replaced by one of another graph
mixed     the graph's own questions, with the last word of a name replaced by that of another name here
reworded  the graph's own questions, with another graph's words for a class, relation or attribute

All use the questions' gold programs, so they are realistic questions.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path

import pyoxigraph as ox

from compilers.grounded import GroundedProgram
from compilers.kopl.functions import NAMING_KINDS, Kind
from connectors.rdf_files import load_files
from nlq_gateway.core.words import STOP_WORDS, tokens_of
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.index import Index
from nlq_gateway.index.text import fold, stem, stem_word
from nlq_gateway.offline.evaluation import GoldQuestion
from nlq_gateway.offline.evaluation.gold import gold_program

# The maximum share of named things removed with a value: with more, too little of the graph is left.
_SHARE = 0.1
_LEAST_SUBJECTS = 3
_LEAST_LETTERS = 4
_NAMES = (Kind.ENTITY, Kind.VALUE)


@dataclass(frozen=True, slots=True)
class Thing:
    """A requirement of a question: an item of the schema, an entity, or (without IRIs) a string value."""

    kind: Kind
    label: str
    iris: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with what its gold program needs."""

    question: GoldQuestion
    things: tuple[Thing, ...]

    @property
    def longest_name(self) -> str:
        """The longest name or string that the question contains literally; empty if none."""
        said = (thing.label for thing in self.things if thing.kind in _NAMES)
        return max((label for label in said if label in self.question.text), key=len, default="")

    def says(self, thing: Thing) -> bool:
        """True if all words of a thing's name are in the question."""
        words = {stem_word(fold(token.text)) for token in tokens_of(self.question.text)}
        return set(stem(fold(thing.label)).split()) <= words


def asked_of(questions: Iterable[GoldQuestion], endpoint: Endpoint) -> Iterator[Asked]:
    """The questions whose gold is known as a program over the endpoint's graph."""
    for question in questions:
        program = gold_program(question, endpoint)
        if program is not None:
            yield Asked(question, tuple(dict.fromkeys(_things(program))))


def _things(grounded: GroundedProgram) -> Iterator[Thing]:
    for number, step in enumerate(grounded.program.steps):
        for argument, parameter in enumerate(step.signature.parameters):
            text = step.inputs[argument]
            if parameter.kind in NAMING_KINDS:
                binding = grounded.binding(number, argument)
                if binding is not None:
                    yield Thing(parameter.kind, binding.label, binding.iris)
            elif parameter.kind == Kind.VALUE and step.function == "FilterStr":
                yield Thing(parameter.kind, text)


def unanswerable(asked: Asked, kind: str) -> GoldQuestion:
    """The question as one that has no answer."""
    question = asked.question
    return replace(
        question,
        id=f"{question.id}-{kind}",
        kind=kind,
        answers=(),
        sparql=None,
        program=None,
        unanswerable=True,
    )


def foreign(asked: Iterable[Asked], index: Index) -> Iterator[GoldQuestion]:
    """Questions of another graph, where one of the names that they say has no word in this graph."""
    for one in asked:
        if any(one.says(thing) and _is_strange(thing.label, index) for thing in one.things):
            yield unanswerable(one, "foreign")


def _is_strange(label: str, index: Index) -> bool:
    words = [word for word in fold(label).split() if word not in STOP_WORDS and word.isalpha()]
    forms = {form for word in words for form in (word, stem_word(word))}
    return bool(words) and not forms & index.schema_words() and not index.words_in_use(forms)


def swapped(
    asked: Iterable[Asked], others: Iterable[Asked], index: Index, seed: int
) -> Iterator[GoldQuestion]:
    """Questions in which a name or string is replaced by another graph's that nothing here is called."""
    labels = {thing.label for one in others for thing in one.things if thing.kind in _NAMES}
    strangers = sorted(label for label in labels if len(label) >= _LEAST_LETTERS and not _bears(index, label))
    rng = random.Random(seed)
    for one in asked:
        if strangers:
            yield from _renamed(one, "swapped", rng.choice(strangers))


def mixed(asked: Sequence[Asked], index: Index, seed: int) -> Iterator[GoldQuestion]:
    """Questions in which a name has the last word of another, and nothing is called so."""
    names = sorted({name for one in asked if " " in (name := one.longest_name)})
    rng = random.Random(seed)
    for one in asked:
        if " " in one.longest_name:
            name = " ".join((*one.longest_name.split()[:-1], rng.choice(names).split()[-1]))
            if not _bears(index, name):
                yield from _renamed(one, "mixed", name)


def reworded(
    asked: Iterable[Asked], others: Iterable[Asked], index: Index, seed: int
) -> Iterator[GoldQuestion]:
    """Questions with the words of another graph for an item of the schema, which no name here has.

    What is left of them is true of this graph: a named thing, another relation.
    """
    said = {(thing.kind, words) for one in others for thing, words in _schema_words(one)}
    strangers = sorted(pair for pair in said if _is_strange(pair[1], index))
    rng = random.Random(seed)
    for one in asked:
        for thing, words in _schema_words(one):
            if own := [text for kind, text in strangers if kind == thing.kind]:
                text = one.question.text.replace(words, rng.choice(own), 1)
                question = unanswerable(one, f"reworded-{thing.kind.value}")
                named = any(other.kind == Kind.ENTITY for other in one.things)
                yield replace(question, text=text, kind="reworded, named" if named else "reworded")


def _schema_words(one: Asked) -> Iterator[tuple[Thing, str]]:
    """The items of the schema that a question names, with the words as it has them."""
    tokens = tokens_of(one.question.text)
    stems = [stem_word(fold(token.text)) for token in tokens]
    for thing in one.things:
        wanted = stem(fold(thing.label)).split()
        for at in range(len(stems) - len(wanted) + 1):
            if thing.kind not in _NAMES and stems[at : at + len(wanted)] == wanted:
                yield thing, one.question.text[tokens[at].start : tokens[at + len(wanted) - 1].end]
                break


def _renamed(one: Asked, kind: str, name: str) -> Iterator[GoldQuestion]:
    if one.longest_name:
        text = one.question.text.replace(one.longest_name, name)
        yield replace(unanswerable(one, kind), text=text)


def _bears(index: Index, name: str) -> bool:
    return bool(index.entities_named(name) or index.texts.equal_to([name]))


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Questions, and the graph that lacks the items they need."""

    triples: tuple[ox.Triple, ...]
    questions: tuple[GoldQuestion, ...]

    def write(self, file: Path) -> None:
        """Write the graph as N-Triples."""
        with file.open("wb") as target:
            ox.serialize(self.triples, target, ox.RdfFormat.N_TRIPLES)


def left_out(files: Sequence[Path], asked: Sequence[Asked], size: int, seed: int) -> LeftOut:
    """A graph without some things, and up to `size` questions for relations and as many for names.

    With an item of the schema its facts are removed, with an entity all its facts, with a string all entities
    that have it.
    Only things that a question names in words count: nothing else in it could show what is missing.
    """
    triples = _triples(files)
    rng = random.Random(seed)
    order = rng.sample(asked, len(asked))
    relations = _chosen(order, (Kind.RELATION, Kind.ATTRIBUTE), triples, size)
    others = [one for one in order if one not in [chosen for chosen, _ in relations]]
    names = _chosen(others, _NAMES, triples, size)
    gone = {iri for _, iris in (*relations, *names) for iri in iris}
    kept = tuple(triple for triple in triples if gone.isdisjoint(_nodes(triple)))
    questions = [
        *(unanswerable(one, "relation") for one, _ in relations),
        *(unanswerable(one, "name") for one, _ in names),
    ]
    return LeftOut(kept, tuple(questions))


def _chosen(
    order: Sequence[Asked], kinds: Sequence[Kind], triples: Sequence[ox.Triple], size: int
) -> list[tuple[Asked, Set[str]]]:
    """Questions with the nodes that go for them: a third of the things that questions need at most."""
    bearers = _bearers(triples) if Kind.VALUE in kinds else {}
    subjects = {_text(triple.subject) for triple in triples}
    said = [(one, thing) for one in order for thing in one.things if thing.kind in kinds and one.says(thing)]
    things = list(dict.fromkeys(thing for _, thing in said))
    gone: dict[Thing, Set[str]] = {}
    for thing in things:
        nodes = set(thing.iris) or bearers.get(fold(thing.label), set())
        most = max(_LEAST_SUBJECTS, _SHARE * len(subjects))
        if nodes and len(nodes) <= most and len(gone) < max(1, min(size, len(things) // 3)):
            gone[thing] = nodes
    found: dict[str, tuple[Asked, Set[str]]] = {}
    for one, thing in said:
        if thing in gone:
            found.setdefault(one.question.id, (one, gone[thing]))
    return list(found.values())[:size]


def _triples(files: Sequence[Path]) -> list[ox.Triple]:
    store = ox.Store()
    load_files(store, files)
    return [quad.triple for quad in store]


def _bearers(triples: Iterable[ox.Triple]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for triple in triples:
        if isinstance(triple.object, ox.Literal):
            found.setdefault(fold(triple.object.value), set()).add(_text(triple.subject))
    return found


def _nodes(triple: ox.Triple) -> Iterator[str]:
    yield from map(_text, (triple.subject, triple.predicate, triple.object))


def _text(node: object) -> str:
    """An IRI unchanged, another node in a form that is no IRI."""
    return node.value if isinstance(node, ox.NamedNode) else str(node)
