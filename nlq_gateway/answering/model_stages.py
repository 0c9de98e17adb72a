"""The stages that a language model needs over one endpoint, made when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from compilers.kopl.functions import Kind
from compilers.kopl.program import Program
from nlq_gateway.answering.once import made_once
from nlq_gateway.answering.sources import Sources
from nlq_gateway.core.types import EntityItem, Links, Question
from nlq_gateway.drafts.demonstrations import Shot
from nlq_gateway.drafts.generation.card import Blocks, part_of, whole
from nlq_gateway.drafts.generation.context.asked import classes_of, known_of
from nlq_gateway.drafts.generation.context.facts import FactFinder
from nlq_gateway.drafts.generation.context.likeness import Likeness
from nlq_gateway.drafts.generation.context.names import NameFinder
from nlq_gateway.drafts.generation.context.nearness import NearnessFinder
from nlq_gateway.drafts.generation.context.threshold import MOST, threshold_of
from nlq_gateway.drafts.generation.decompose import Decomposer, Templates
from nlq_gateway.drafts.generation.known import Example, Fact, Known
from nlq_gateway.drafts.generation.looking import TOKENS, NameDescriber
from nlq_gateway.drafts.generation.prompting.examples import builtin_examples, example_of
from nlq_gateway.drafts.reasoning.surroundings import Partial
from nlq_gateway.index import Index
from nlq_gateway.language.wording import Wording
from nlq_gateway.models import Model
from nlq_gateway.question.linking import Linker

# Demonstrations in a prompt (SymKGQA, section 4.4: n = 10).
SHOTS = 10
_COUNTED = 20_000

Choices = Mapping[tuple[int, int], tuple[str, ...]]


@dataclass(frozen=True)
class ModelStages:
    """The prompts of a model, and the way from its texts to programs. Safe to share between threads."""

    sources: Sources
    count: Callable[[str], int]
    card_tokens: int

    def prepare(self) -> None:
        """Make what takes seconds, so that no question waits for it; raises EndpointError."""
        _ = self._threshold, self.templates, self.card

    @made_once
    def card(self) -> str:
        """The whole schema, where it fits the tokens that a prompt has for it; else empty."""
        return whole(self._blocks, self._counted, self.card_tokens) or ""

    def known(self, links: Links, facts: Sequence[Fact]) -> Known:
        """The context of a question for a model, with the near part of the schema if it does not get all."""
        near = ""
        if self.card_tokens and not self.card:
            near = part_of(self._blocks, self._nearness.near(links), self._counted, self.card_tokens)
        return known_of(self.index, links, facts, near)

    def describer(self, links: Links, thing: Callable[[EntityItem], Iterator[str]]) -> NameDescriber:
        """Describes what bears a name; `thing` gives the lines of one thing."""
        return NameDescriber(self._blocks, self._nearness.near(links), self._counted, thing, TOKENS)

    @made_once
    def _blocks(self) -> Blocks:
        return Blocks(self.index)

    @made_once
    def _nearness(self) -> NearnessFinder:
        return NearnessFinder(self.index, Likeness(self.index))

    @made_once
    def _counted(self) -> Callable[[str], int]:
        """Counts tokens; the lines of the schema come again and again."""
        return lru_cache(maxsize=_COUNTED)(self.count)

    @property
    def index(self) -> Index:
        """The endpoint's index."""
        return self.sources.endpoint.index

    def facts(self, links: Links) -> tuple[Fact, ...]:
        """The facts around a question; raises EndpointError."""
        return self._finder.facts(links, self._threshold)

    @made_once
    def _finder(self) -> FactFinder:
        return FactFinder(self.index, self.sources.surroundings)

    @made_once
    def _threshold(self) -> float:
        """The one by which the facts of the endpoint's demonstrations are found best."""
        shots = self.sources.endpoint.demonstrations.fixed(MOST)
        solved = [(self._link(Question(shot.question)), shot.program) for shot in shots]
        return threshold_of(self._finder, solved)

    @made_once
    def names(self) -> NameFinder:
        """Finds the names that a constrained model may write."""
        return NameFinder(self.index, self.sources.surroundings)

    @made_once
    def templates(self) -> Templates:
        """The question templates of the graph (Keqing)."""
        wording = Wording(self.index)
        return Templates(
            self.index,
            lambda program, choices: next(iter(wording.questions(program, dict(choices), most=1)), ""),
        )

    def decomposer(self, model: Model) -> Decomposer:
        """Decomposes questions with a model."""
        return Decomposer(self.index, model, self.templates, self._members, self._link, card=self.card)

    def fixed(self, notation: str) -> tuple[Example, ...]:
        """The demonstrations of every prompt, which the model reads once.

        For `code` those that use the most functions (CodeAlignKGQA, section 3.2); the built-in ones where the
        endpoint has none.
        """
        if not len(self.sources.endpoint.demonstrations):
            return builtin_examples()
        fixed = self.sources.endpoint.demonstrations.fixed(SHOTS) if notation == "code" else ()
        return self._examples(fixed)

    def examples(self, notation: str, links: Links) -> tuple[Example, ...]:
        """Return the nearest demonstrations for `steps` (SymKGQA, section 3.2, dynamic selection)."""
        near = self.sources.endpoint.demonstrations.nearest(links, SHOTS) if notation == "steps" else ()
        return self._examples(near)

    def alike(self, program: Program) -> tuple[Example, ...]:
        """The demonstrations whose programs are most like one."""
        return self._examples(self.sources.endpoint.demonstrations.like_program(program, SHOTS))

    def _examples(self, shots: Iterable[Shot]) -> tuple[Example, ...]:
        """Demonstrations with what is said of the entities of questions, too."""
        return tuple(
            example_of(
                shot.question,
                shot.program,
                shot.similarity,
                about=classes_of(self.index, shot.program.named(Kind.ENTITY)),
            )
            for shot in shots
        )

    def _link(self, question: Question) -> Links:
        return Linker(self.index).link(question)

    def _members(self, programs: Sequence[tuple[Program, Choices]]) -> Sequence[bool | None]:
        """Return for each program whether its set has members; None where the store does not tell."""
        reached = self.sources.surroundings.reach([Partial(*one) for one in programs])
        return [None if one is None else not one.empty for one in reached]
