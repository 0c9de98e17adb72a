"""Programs of demonstrations, adapted to another question: each is a draft of its own.

Entities, values, concepts, relations and attributes are grounded anew; the program's form stays. A program is
no draft if the question does not fill all its names, or has a name or value that it leaves out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from compilers.kopl.functions import Kind
from compilers.kopl.program import Program
from nlq_gateway.core.checkpoint import interruptible
from nlq_gateway.core.types import Draft, FactsAround, Links, SchemaItem
from nlq_gateway.core.words import tokens_of
from nlq_gateway.drafts.demonstrations.fill import Filling, fillings
from nlq_gateway.drafts.demonstrations.lesson import Lesson, Place
from nlq_gateway.drafts.demonstrations.lexicon import Tag, left_out
from nlq_gateway.drafts.demonstrations.mask import cues_of, mask
from nlq_gateway.drafts.demonstrations.pool import LessonPool
from nlq_gateway.drafts.demonstrations.swap import ProgramVariant, variants_of
from nlq_gateway.drafts.demonstrations.verdict import PoolVerdict, ReadingVotes
from nlq_gateway.index import Index
from nlq_gateway.trace import Retrieved

NAME = "demonstration"
SHOWN = 5
DRAFTS = 12
STRANGE = 1.5  # the price of a question unlike all demonstrations, in words of the question
PLAIN = 0.9  # the least degree of a word for a class that every program must have
RANK = 0.08  # the price of each better bearer of the same name that is passed over


@dataclass(frozen=True, slots=True)
class Adapted:
    """The drafts, best first, the demonstrations nearest to the question, and their votes on any draft."""

    drafts: tuple[Draft, ...] = ()
    retrieved: tuple[Retrieved, ...] = ()
    verdict: PoolVerdict | None = None

    def worth(self, draft: Draft) -> float:
        """The score that demonstrations add to a draft of any author."""
        return self.verdict.worth(draft) if self.verdict else 0.0


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A lesson's program with the items that replace its own."""

    lesson: Lesson
    similarity: float
    program: Program
    items: Mapping[Place, SchemaItem]
    filling: Filling

    @property
    def regrounded(self) -> int:
        """The number of schema items that differ from the lesson's own."""
        return sum(self.lesson.items.get(place) is not item for place, item in self.items.items())


@dataclass(frozen=True, slots=True)
class Adapter:
    """Adapts the programs of one pool. Stateless: safe to share between threads."""

    index: Index
    pool: LessonPool

    def adapt(self, links: Links, surroundings: FactsAround) -> Adapted:
        """The programs of near demonstrations for a linked question."""
        verdict = PoolVerdict.on(links, self.index, self.pool)
        best: dict[object, tuple[float, Draft]] = {}
        for asked in verdict.asked:
            for draft in self._drafts(asked, surroundings):
                key = (draft.program.steps, tuple(sorted(draft.choices.items())))
                total = draft.score + verdict.worth(draft)
                if key not in best or best[key][0] < total:
                    best[key] = total, draft
        order = sorted(best.values(), key=lambda one: (-one[0], len(one[1].program)))
        return Adapted(tuple(draft for _, draft in order[:DRAFTS]), self._retrieved(verdict), verdict)

    def _retrieved(self, verdict: PoolVerdict) -> tuple[Retrieved, ...]:
        found = ((self.pool.lessons[at].demonstration, score) for at, score in verdict.nearest[:SHOWN])
        return tuple(Retrieved(one.question, one.source, score) for one, score in found)

    def _drafts(self, asked: ReadingVotes, surroundings: FactsAround) -> Iterator[Draft]:
        for candidate in self._candidates(asked):
            yield from self._grounded(asked, candidate, surroundings)

    def _candidates(self, asked: ReadingVotes) -> Iterator[_Candidate]:
        """Programs of near lessons with the same cues, as they are and with other schema items."""
        cues, unnamed = cues_of(asked.masked), _unnamed(asked)
        seen: set[object] = set()
        for at, similarity in interruptible(asked.near):
            lesson = self.pool.lessons[at]
            if cues_of(lesson.masked) != cues or not unnamed <= {word.stem for word in lesson.masked.words}:
                continue
            for filling in fillings(lesson, asked.reading):
                for variant in variants_of(lesson, self.pool.tags[at], asked.tags):
                    program = _program(variant, filling)
                    if any(_is_plain(tag) for tag in left_out(asked.tags, variant.items.values())):
                        continue
                    key = (program.steps, tuple(sorted(lesson.fixed.items())), _wording(filling))
                    if key not in seen:
                        seen.add(key)
                        yield _Candidate(lesson, similarity, program, variant.items, filling)

    def _grounded(
        self, asked: ReadingVotes, candidate: _Candidate, surroundings: FactsAround
    ) -> Iterator[Draft]:
        """A draft for each bearer of its names whose facts the first steps can follow."""
        explained, total = self._explained(asked, candidate)
        score = explained - candidate.filling.price - STRANGE * (1 - asked.trust)
        for rank, chosen in enumerate(candidate.filling.bearers()):
            choices = {**candidate.lesson.fixed, **{place: (hit.iri,) for place, hit in chosen.items()}}
            choices |= {place: (item.iri,) for place, item in candidate.items.items()}
            program = _with_inputs(candidate.program, {place: hit.label for place, hit in chosen.items()})
            if not _reaches(program, choices, surroundings):
                continue
            yield Draft(
                program,
                NAME,
                score - RANK * rank,
                parts={
                    "explained": explained / total if total else 1.0,
                    "short": score - RANK * rank - total,
                    "similarity": candidate.similarity,
                    "filled": float(len(asked.reading.named)),
                    "regrounded": float(candidate.regrounded),
                },
                mentions={place: one.text for place, one in candidate.filling.named.items()},
                choices={place: iris for place, iris in choices.items() if iris},
            )

    def _explained(self, asked: ReadingVotes, candidate: _Candidate) -> tuple[float, float]:
        """The weight of the words that the program accounts for, and of all words.

        A word counts as far as the program has its schema item, or if near lessons have the word too; a word
        for an item that the program lacks does not count. Names and values weigh most.
        """
        near = [candidate.lesson, *(self.pool.lessons[at] for at, _ in asked.near[:SHOWN])]
        known = {word.stem for lesson in near for word in lesson.masked.words}
        left = {tag.stem: tag.degree for tag in left_out(asked.tags, candidate.items.values())}
        known |= {tag.stem for tag in asked.tags}
        explained = 0.0
        for word in asked.words:
            if word.inside:
                explained += word.weight
            elif word.stems <= known:
                missing = max((left.get(stem, 0.0) for stem in word.stems), default=0.0)
                explained += word.weight * (1 - missing)
        return explained, sum(word.weight for word in asked.words)


def _unnamed(asked: ReadingVotes) -> frozenset[str]:
    """The capitalised words inside the question that are part of no recognised name.

    Only a demonstration with the same words shows their meaning.
    """
    if asked.links.question.language != "en":
        return frozenset()
    return frozenset(
        word.stem
        for token in tokens_of(asked.links.question.text)[1:]
        if token.capitalised and token.text[1:2].islower()
        if not any(one.start < token.end and token.start < one.end for one in asked.reading.named)
        for word in mask(token.text, ()).words
    )


def _is_plain(tag: Tag) -> bool:
    """True if a word plainly names a class: a program without it answers another question."""
    return tag.item.kind == Kind.CONCEPT and tag.degree > PLAIN


def _wording(filling: Filling) -> tuple[tuple[Place, int], ...]:
    """The words that fill each argument."""
    return tuple(sorted((place, one.start) for place, one in filling.named.items()))


def _program(variant: ProgramVariant, filling: Filling) -> Program:
    texts = {place: item.label for place, item in variant.items.items()}
    return _with_inputs(variant.program, {**texts, **dict(filling.texts())})


def _with_inputs(program: Program, texts: Mapping[Place, str]) -> Program:
    """The program with other texts as arguments."""
    steps = list(program.steps)
    for (number, argument), text in texts.items():
        steps[number] = steps[number].with_input(argument, text)
    return Program(tuple(steps))


def _reaches(program: Program, choices: Mapping[Place, tuple[str, ...]], surroundings: FactsAround) -> bool:
    """True if the steps after named entities follow predicates that these entities have."""
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
