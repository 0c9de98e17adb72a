"""The questions of the tests of facts and names, over one graph."""

from __future__ import annotations

from dataclasses import dataclass

from nlq_gateway.core.types import Links, Question
from nlq_gateway.drafts.generation.context.facts import FactFinder
from nlq_gateway.drafts.generation.context.names import LIMIT, NameFinder
from nlq_gateway.drafts.generation.known import AllowedNames, Fact
from nlq_gateway.question.linking import Linker


@dataclass(frozen=True, slots=True)
class Asked:
    """The stages over one graph, real ones."""

    linker: Linker
    finder: FactFinder
    namer: NameFinder

    def links(self, question: str, language: str = "en") -> Links:
        """The question, linked."""
        return self.linker.link(Question(question, language))

    def facts(self, question: str, language: str = "en") -> tuple[Fact, ...]:
        """The facts for a question."""
        return self.finder.facts(self.links(question, language))

    def names(self, question: str, limit: int = LIMIT, language: str = "en") -> AllowedNames:
        """The names and facts that may be written for a question."""
        links = self.links(question, language)
        return self.namer.names(links, self.finder.facts(links), limit=limit)
