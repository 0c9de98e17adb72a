"""Programs of demonstrations, adapted to another question: each is a draft of its own.

Entities, values, concepts, relations and attributes are grounded anew; the program's form stays. A program
whose names the question does not fill, or that leaves a name or value of the question out, is no draft.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from compilers.kopl.program import Program, Step
from nlq_gateway.demonstrations.cues import cues_of
from nlq_gateway.demonstrations.fill import Filling, fillings
from nlq_gateway.demonstrations.lesson import Lesson, Place
from nlq_gateway.demonstrations.lexicon import Tag
from nlq_gateway.demonstrations.mask import Masked, mask
from nlq_gateway.demonstrations.parts import parts_of
from nlq_gateway.demonstrations.pool import Pool
from nlq_gateway.demonstrations.readings import Reading, readings_of
from nlq_gateway.demonstrations.swap import Variant, variants_of
from nlq_gateway.index import Index
from nlq_gateway.index.embedding import Vectors
from nlq_gateway.trace import Retrieved
from nlq_gateway.types import Draft, Links, SchemaItem
from nlq_gateway.words import STOP_WORDS, tokens_of

NAME = "demonstration"
NEAREST = 40
SHOWN = 5
DRAFTS = 12
UNUSED = 1.0  # a word that speaks of a schema item which the program does not use, in parts
RANK = 0.08  # each better bearer of the same name passed over
MISFIT = 0.15  # each part that is not voted for, or voted for and not there
LIKE = 1.5  # what programs that demonstrations vote for fully are worth, in words of the question


class Around(Protocol):
    """What adaptation asks of the store."""

    def around(self, iri: str) -> frozenset[tuple[str, str]]:
        """The predicates of an entity's facts, each with `forward` (it is the subject) or `backward`."""


@dataclass(frozen=True, slots=True)
class Adapted:
    """The drafts, best first, and the demonstrations nearest to the question."""

    drafts: tuple[Draft, ...] = ()
    retrieved: tuple[Retrieved, ...] = ()


@dataclass(frozen=True, slots=True)
class _Asked:
    """One reading of the question with what the pool says of it."""

    links: Links
    reading: Reading
    masked: Masked
    tags: tuple[Tag, ...]
    near: list[tuple[int, float]]
    votes: Vectors


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A lesson's program with the items that take the place of its own."""

    lesson: Lesson
    similarity: float
    program: Program
    items: Mapping[Place, SchemaItem]
    filling: Filling

    @property
    def regrounded(self) -> int:
        """How many schema items are not the lesson's own."""
        return sum(self.lesson.items.get(place) is not item for place, item in self.items.items())


@dataclass(frozen=True, slots=True)
class Adapter:
    """Adapts the programs of one pool. Stateless: safe to share between threads."""

    index: Index
    pool: Pool

    def adapt(self, links: Links, surroundings: Around) -> Adapted:
        """The programs of near demonstrations for a linked question."""
        asked = [self._asked(links, reading) for reading in readings_of(links, self.index)]
        best: dict[object, Draft] = {}
        for one in asked:
            for draft in self._drafts(one, surroundings):
                key = (draft.program.steps, tuple(sorted(draft.choices.items())))
                if key not in best or best[key].score < draft.score:
                    best[key] = draft
        drafts = sorted(best.values(), key=lambda draft: (-draft.score, len(draft.program)))[:DRAFTS]
        return Adapted(tuple(drafts), self._retrieved(asked))

    def _asked(self, links: Links, reading: Reading) -> _Asked:
        masked = mask(links.question.text, (one.span for one in reading.named))
        tags = self.pool.lexicon.tags(masked)
        vector = self.pool.vector(masked, tags)
        return _Asked(
            links, reading, masked, tags, self.pool.nearest(vector, NEAREST), self.pool.voted(vector)
        )

    def _retrieved(self, asked: list[_Asked]) -> tuple[Retrieved, ...]:
        if not asked:
            return ()
        nearest = max(asked, key=lambda one: one.near[0][1])
        lessons = [(self.pool.lessons[at].demonstration, score) for at, score in nearest.near[:SHOWN]]
        return tuple(Retrieved(one.question, one.source, score) for one, score in lessons)

    def _drafts(self, asked: _Asked, surroundings: Around) -> Iterator[Draft]:
        if self._leaves_names(asked):
            return
        for candidate in self._candidates(asked):
            yield from self._grounded(asked, candidate, surroundings)

    def _leaves_names(self, asked: _Asked) -> bool:
        """Whether a word inside the question is written as a name and no name that was read covers it."""
        text, named = asked.links.question.text, asked.reading.named
        if asked.links.question.language != "en":
            return False
        return any(
            token.capitalised
            and token.text[1:2].islower()
            and not any(one.start < token.end and token.start < one.end for one in named)
            for token in tokens_of(text)[1:]
        )

    def _candidates(self, asked: _Asked) -> Iterator[_Candidate]:
        """Programs of near lessons that ask the same way, as they are and with other schema items."""
        cues = cues_of(asked.masked)
        seen: set[object] = set()
        for at, similarity in asked.near:
            lesson = self.pool.lessons[at]
            if cues_of(lesson.masked) != cues:
                continue
            for filling in fillings(lesson, asked.reading):
                for variant in variants_of(lesson, self.pool.tags[at], asked.tags):
                    program = _program(variant, filling)
                    key = (program.steps, tuple(sorted(lesson.fixed.items())), _wording(filling))
                    if key not in seen:
                        seen.add(key)
                        yield _Candidate(lesson, similarity, program, variant.items, filling)

    def _grounded(self, asked: _Asked, candidate: _Candidate, surroundings: Around) -> Iterator[Draft]:
        """A draft for each bearer of its names that the first steps can start from."""
        masks = {place: f"<{one.name}>" for place, one in candidate.filling.named.items()}
        parts = parts_of(candidate.program, candidate.items, masks, asked.tags)
        used = {item.iri for item in candidate.items.values()}
        unused = {tag.item.iri for tag in asked.tags} - used
        missed = self.pool.distance(asked.votes, parts) + UNUSED * len(unused)
        explained, total = self._explained(asked, candidate)
        score = explained - MISFIT * missed + LIKE - candidate.filling.price
        for rank, chosen in enumerate(candidate.filling.bearers()):
            choices = {**candidate.lesson.fixed, **chosen}
            choices |= {place: (item.iri,) for place, item in candidate.items.items()}
            program = self._labelled(candidate.program, chosen)
            if not _reaches(program, choices, surroundings):
                continue
            yield Draft(
                program,
                NAME,
                score - RANK * rank,
                parts={
                    "explained": explained / total if total else 1.0,
                    "similarity": candidate.similarity,
                    "votes": max(0.0, 1 - missed / len(parts)),
                    "missed": missed,
                    "filled": float(len(asked.reading.named)),
                    "regrounded": float(candidate.regrounded),
                },
                mentions={place: one.text for place, one in candidate.filling.named.items()},
                choices={place: iris for place, iris in choices.items() if iris},
            )

    def _labelled(self, program: Program, chosen: Mapping[Place, tuple[str, ...]]) -> Program:
        """The program with the labels of the entities that are meant."""
        entities = self.index.entities(iri for iris in chosen.values() for iri in iris)
        steps = list(program.steps)
        for (number, argument), iris in chosen.items():
            entity = entities.get(iris[0])
            if entity is not None:
                steps[number] = _with_input(steps[number], argument, entity.label)
        return Program(tuple(steps))

    def _explained(self, asked: _Asked, candidate: _Candidate) -> tuple[float, float]:
        """The weight of the words that the program accounts for, and of all words.

        Names and values weigh most, as written; a word is accounted for by what it speaks of in the program,
        and where near lessons have it too.
        """
        text = asked.links.question.text
        named = asked.reading.named
        known = {word.stem for at, _ in asked.near[:SHOWN] for word in self.pool.lessons[at].masked.words}
        known |= {word.stem for word in candidate.lesson.masked.words}
        used = {item.iri for item in candidate.items.values()}
        said = {asked.masked.words[tag.place].stem for tag in asked.tags if tag.item.iri in used}
        explained = total = 0.0
        for position, token in enumerate(tokens_of(text)):
            if token.lower in STOP_WORDS:
                continue
            weight = 1.5 if (token.capitalised and position) or token.text[:1].isdigit() else 1.0
            total += weight
            inside = any(one.start < token.end and token.start < one.end for one in named)
            stems = {word.stem for word in mask(token.text, ()).words}
            if inside or stems <= known | said:
                explained += weight
        return explained, total


def _wording(filling: Filling) -> tuple[tuple[Place, int], ...]:
    """Which words fill which argument."""
    return tuple(sorted((place, one.start) for place, one in filling.named.items()))


def _program(variant: Variant, filling: Filling) -> Program:
    steps = list(variant.program.steps)
    texts = {place: item.label for place, item in variant.items.items()} | dict(filling.texts())
    for (number, argument), text in texts.items():
        steps[number] = _with_input(steps[number], argument, text)
    return Program(tuple(steps))


def _with_input(step: Step, argument: int, text: str) -> Step:
    inputs = (*step.inputs[:argument], text, *step.inputs[argument + 1 :])
    return Step(step.function, inputs, step.dependencies)


def _reaches(program: Program, choices: Mapping[Place, tuple[str, ...]], surroundings: Around) -> bool:
    """Whether the steps right behind named entities lead somewhere from them."""
    for number, step in enumerate(program.steps):
        for other in step.dependencies[:1]:
            iris = choices.get((other, 0)) if program.steps[other].function == "Find" else None
            items = choices.get((number, 0))
            if not iris or not items or step.function not in ("Relate", "QueryAttr"):
                continue
            direction = step.inputs[1] if step.function == "Relate" else "forward"
            if not any((items[0], direction) in surroundings.around(iri) for iri in iris):
                return False
    return True
