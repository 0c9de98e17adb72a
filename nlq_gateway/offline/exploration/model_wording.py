"""Questions that a language model writes for explored programs (BYOKG, section 3.2).

Least to most: what leads to a program is worded first, from the shortest part on, and each part with its
question is a hint for the next. Inverse consistency: of several questions those are kept, best first, that
lead back to the program. A model that gives scores tells how probable the program is after a question, which
must be at least as much as after the plainest question by rules; for another one `leads_back` says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from compilers.kopl.check import check
from compilers.kopl.functions import Kind, Type
from compilers.kopl.program import Program, Step
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.drafts.generation.card import described
from nlq_gateway.drafts.generation.scoring.prompt import line_of, score_prompt
from nlq_gateway.index import Index
from nlq_gateway.models import GREEDY, Deadline, Model, ModelError, ModelRequest, Prompt, Sampling
from nlq_gateway.models.templates import PromptTemplates, one_line
from nlq_gateway.offline.exploration.sketch import Place
from nlq_gateway.offline.exploration.unit import FoundProgram

MOST = 2
CANDIDATES = 4
# The paper's value (appendix D).
TEMPERATURE = 0.6
SECONDS = 60.0
_LONGEST = 300
_SETS = (Type.ENTITIES, Type.FACTS)
_STOP = ("\nProgram:",)
_TEMPLATES = PromptTemplates("nlq_gateway.offline.exploration", {"line_of": line_of})


@dataclass(frozen=True, slots=True)
class WordedPart:
    """A program that leads to a longer one, with the description of its schema, and its question."""

    program: Program
    schema: tuple[str, ...]
    question: str


@dataclass
class ModelWording:
    """Words programs over one graph. Safe to share between threads; `failures` are the model's."""

    model: Model
    index: Index
    leads_back: Callable[[str, FoundProgram], bool]
    failures: list[str] = field(default_factory=list)
    _known: dict[tuple[str, tuple[str, ...]], str] = field(default_factory=dict)

    def questions(self, found: FoundProgram, seconds: float = SECONDS) -> tuple[str, ...]:
        """Up to `MOST` questions that lead back to a program; none where the model fails, which is noted."""
        deadline = Deadline.after(min(seconds, SECONDS))
        try:
            written = self._written(found, deadline)
            return self._consistent(found, written, deadline)[:MOST]
        except ModelError as error:
            self.failures.append(error.message)
            return ()

    def _written(self, found: FoundProgram, deadline: Deadline) -> tuple[str, ...]:
        """The questions that the model writes, its first choice first."""
        choices = dict(found.choices)
        parts: list[WordedPart] = []
        for program in parts_of(found.program):
            schema = self._schema(program, choices)
            if question := self._of_part(parts, program, schema, deadline):
                parts.append(WordedPart(program, schema, question))
        prompt = word_prompt(parts, found.program, self._schema(found.program, choices))
        first = self._asked(prompt, GREEDY, 1, deadline)
        others = self._asked(prompt, Sampling(TEMPERATURE), CANDIDATES - 1, deadline)
        return tuple(dict.fromkeys(filter(None, (*first, *others))))

    def _of_part(
        self, parts: Sequence[WordedPart], program: Program, schema: tuple[str, ...], deadline: Deadline
    ) -> str:
        """The question of a part; one that leads to several programs is worded once."""
        key = line_of(program), schema
        if key not in self._known:
            prompt = word_prompt(parts, program, schema)
            self._known[key] = self._asked(prompt, GREEDY, 1, deadline)[0]
        return self._known[key]

    def _asked(self, prompt: Prompt, sampling: Sampling, samples: int, deadline: Deadline) -> tuple[str, ...]:
        """The first lines of so many texts, "" for one that is no question."""
        wanted = replace(sampling, max_tokens=100, stop=_STOP)
        reply = self.model.generate(ModelRequest(prompt, wanted, samples), deadline)
        return tuple(_question(one.text) for one in reply.generations)

    def _consistent(self, found: FoundProgram, written: Sequence[str], deadline: Deadline) -> tuple[str, ...]:
        """The questions that lead back to the program, those that do so most surely first."""
        others = [question for question in written if question not in found.questions]
        if not self.model.capabilities.scores:
            return tuple(question for question in others if self.leads_back(question, found))
        plainest = found.questions[:1]
        score = {one: self._inverse(one, found.program, deadline) for one in (*others, *plainest)}
        least = min((score[one] for one in plainest), default=float("-inf"))
        kept = (one for one in others if score[one] >= least)
        return tuple(sorted(kept, key=lambda one: -score[one]))

    def _inverse(self, question: str, program: Program, deadline: Deadline) -> float:
        """Return the mean log-probability per token of the program after a question."""
        return self.model.score(score_prompt(question, ()), [f" {line_of(program)}"], deadline).per_token[0]

    def _schema(self, program: Program, choices: Mapping[Place, tuple[str, ...]]) -> tuple[str, ...]:
        """Describe the program's classes, relations, attributes and qualifiers, a line each."""
        items = (self._item(kind, text, choices) for kind, text in _names(program))
        return tuple(dict.fromkeys(described(self.index, item) for item in items if item is not None))

    def _item(self, kind: Kind, text: str, choices: Mapping[Place, tuple[str, ...]]) -> SchemaItem | None:
        meant = {iri for iris in choices.values() for iri in iris}
        named = self.index.named(kind, text)
        return next((item for item in named if item.iri in meant), next(iter(named), None))


def parts_of(program: Program) -> tuple[Program, ...]:
    """The complete programs that lead to one, the shortest first; none that only names where it begins."""
    found: dict[Program, None] = {}
    for at, step in enumerate(program.steps[:-1]):
        if step.dependencies:
            part = program.prefix(at)
            ends = step.signature.output in _SETS
            whole = Program((*part.steps, Step("What", (), (len(part) - 1,)))) if ends else part
            if not any(issue.severity == "error" for issue in check(whole)):
                found[whole] = None
    found.pop(program, None)
    return tuple(found)


def word_prompt(parts: Sequence[WordedPart], program: Program, schema: Sequence[str]) -> Prompt:
    """Asks for the question of a program; `parts` are hints, with their questions."""
    body = _TEMPLATES.render("word.j2", "body", parts=parts, program=program, schema=schema)
    return Prompt(_TEMPLATES.render("word.j2", "prefix"), body)


def _question(text: str) -> str:
    """The first line of a text, "" where that is too long for a question."""
    line = one_line(text.strip().split("\n")[0]).strip('"')
    return line if len(line) <= _LONGEST else ""


def _names(program: Program) -> Iterator[tuple[Kind, str]]:
    kinds = (Kind.CONCEPT, Kind.RELATION, Kind.ATTRIBUTE, Kind.QUALIFIER)
    return ((kind, text) for kind in kinds for text in program.named(kind))
