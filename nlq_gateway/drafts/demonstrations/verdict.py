"""A pool's votes on the programs of any author for one question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from compilers.kopl.functions import SCHEMA_KINDS
from nlq_gateway.core.types import Draft, Links, SchemaItem
from nlq_gateway.core.words import STOP_WORDS, tokens_of
from nlq_gateway.drafts.demonstrations.lesson import Place
from nlq_gateway.drafts.demonstrations.lexicon import Tag, left_out
from nlq_gateway.drafts.demonstrations.mask import Masked, cues_of, mask
from nlq_gateway.drafts.demonstrations.parts import parts_of
from nlq_gateway.drafts.demonstrations.pool import LessonPool
from nlq_gateway.drafts.demonstrations.readings import MentionReading, readings_of
from nlq_gateway.index import Index
from nlq_gateway.index.embedding import Vectors

NEAREST = 40
UNUSED = 14.0  # the price of an unused schema item that a word speaks of, in parts
MISFIT = 0.12  # the price of each part that the program or the votes alone have, in words of the question
LIKE = 1.5  # the score of a program with all votes, in words of the question
# Between these similarities to the nearest demonstration, a pool's weight rises from 0 to 1.
STRANGE, FAMILIAR = 0.45, 0.85


@dataclass(frozen=True, slots=True)
class Weighed:
    """A word with its weight; every program accounts for one `inside` a name or value."""

    weight: float
    inside: bool
    stems: frozenset[str]


@dataclass(frozen=True, slots=True)
class ReadingVotes:
    """One reading of a question, the lessons near to it, and the votes for the parts of its program.

    `trust` is the pool's weight for the question, in [0, 1].
    """

    links: Links
    reading: MentionReading
    masked: Masked
    tags: tuple[Tag, ...]
    near: list[tuple[int, float]]
    votes: Vectors
    words: tuple[Weighed, ...]
    trust: float

    @property
    def said(self) -> frozenset[str]:
        """The words of names and values."""
        return frozenset(one.text for one in self.reading.named)


@dataclass(frozen=True, slots=True)
class PoolVerdict:
    """The pool's votes on one question. `asked` are its readings, the likeliest first."""

    index: Index
    pool: LessonPool
    asked: tuple[ReadingVotes, ...]
    _known: dict[object, float] = field(default_factory=dict)

    @classmethod
    def on(cls, links: Links, index: Index, pool: LessonPool) -> PoolVerdict:
        """The pool's votes for a linked question."""
        found = readings_of(links, index, texts=pool.has_texts)
        return cls(index, pool, tuple(_asked(links, pool, one) for one in found))

    @property
    def nearest(self) -> Sequence[tuple[int, float]]:
        """The lessons nearest to the question, with their similarity."""
        return max((one.near for one in self.asked), key=lambda near: near[0][1], default=[])

    def worth(self, draft: Draft) -> float:
        """The score that the votes add to a draft: LIKE less MISFIT per missed part, times the trust."""
        if not self.asked:
            return 0.0
        said = frozenset(draft.mentions.values())
        key = draft.program.steps, said, tuple(sorted(draft.choices.items()))
        if key not in self._known:
            asked = next((one for one in self.asked if one.said == said), self.asked[0])
            self._known[key] = asked.trust * (LIKE - MISFIT * self._missed(asked, draft))
        return self._known[key]

    def _missed(self, asked: ReadingVotes, draft: Draft) -> float:
        items = dict(self._items(draft))
        parts = parts_of(draft.program, items, _masks(asked, draft), asked.tags)
        unused = {tag.item.iri for tag in left_out(asked.tags, items.values())}
        return self.pool.distance(asked.votes, parts) + UNUSED * len(unused)

    def _items(self, draft: Draft) -> Iterator[tuple[Place, SchemaItem]]:
        for number, step in enumerate(draft.program.steps):
            for argument, parameter in enumerate(step.signature.parameters):
                iris = draft.choices.get((number, argument))
                if parameter.kind in SCHEMA_KINDS and iris:
                    item = self.index.item(parameter.kind, iris[0])
                    if item is not None:
                        yield (number, argument), item


def _asked(links: Links, pool: LessonPool, reading: MentionReading) -> ReadingVotes:
    masked = mask(links.question.text, (one.span for one in reading.named))
    tags = pool.lexicon.tags(masked)
    vector = pool.vector(masked, tags)
    near, votes = pool.nearest(vector, NEAREST), pool.voted(vector)
    words = tuple(_weighed(links.question.text, reading))
    trust = _trust(pool, near, masked) * pool.known(vector)
    return ReadingVotes(links, reading, masked, tags, near, votes, words, trust)


def _trust(pool: LessonPool, near: Sequence[tuple[int, float]], masked: Masked) -> float:
    """The weight by the source and similarity of the nearest lesson that may share the question's program."""
    cues = cues_of(masked)
    alike = ((at, like) for at, like in near if cues_of(pool.lessons[at].masked) == cues)
    at, like = next(alike, (0, 0.0))
    return pool.trust(at) * min(1.0, max(0.0, (like - STRANGE) / (FAMILIAR - STRANGE)))


def _weighed(text: str, reading: MentionReading) -> Iterator[Weighed]:
    """The words with a weight; those with a capital or a digit weigh more."""
    for position, token in enumerate(tokens_of(text)):
        if token.lower not in STOP_WORDS:
            weight = 1.5 if (token.capitalised and position) or token.text[:1].isdigit() else 1.0
            inside = any(one.start < token.end and token.start < one.end for one in reading.named)
            yield Weighed(weight, inside, frozenset(word.stem for word in mask(token.text, ()).words))


def _masks(asked: ReadingVotes, draft: Draft) -> Mapping[Place, str]:
    """The masks of the arguments that the question names."""
    names = {one.text: f"<{one.name}>" for one in asked.reading.named}
    return {place: names[text] for place, text in draft.mentions.items() if text in names}
