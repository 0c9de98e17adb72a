"""Prompts for the few-shot writers, within a budget of tokens.

`steps` is SymKGQA's prompt (section 3.2): instructions, functions, demonstrations, and the question with its
entities and concepts. `code` is CodeAlignKGQA's (section 3.2): the same as Python, with facts around them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import groupby, islice

from compilers.issues import Issue
from compilers.kopl.notations import NOTATIONS
from compilers.kopl.notations.calls import quote
from compilers.kopl.program import Program
from nlq_gateway.drafts.generation.known import Example, Fact, Known, Written
from nlq_gateway.drafts.generation.prompting.definitions import DEFINITIONS, functions
from nlq_gateway.drafts.generation.reading.lines import answer_of
from nlq_gateway.models.base import Prompt
from nlq_gateway.models.errors import ModelRefused
from nlq_gateway.models.templates import PromptTemplates

# The tokens that a chat template puts around the messages.
_AROUND = 60
_AS_JSON = (
    'As JSON, {"steps": [...]}: of each step its function, its arguments by their names, and in "from" the'
    " numbers of the steps that feed it, counted from 1."
)
_LONGEST_ATTEMPT = 2_000
# More than the steps of a program; bounds the faults of a bad text.
_MOST_FAULTS = 40
_LONGEST_CALL = 100


@dataclass(frozen=True, slots=True)
class PromptFormat:
    """The format of prompts in a notation: tokens of prompt and answer, of the answer, and its end.

    `cue` is the beginning of the program, which ends the prompt.
    """

    budget: int
    answer: int
    cue: str
    stop: tuple[str, ...]


FORMS = {
    "steps": PromptFormat(6_500, 400, "Step 1:", ("\nQuestion:",)),
    "code": PromptFormat(9_500, 700, "expression_1 =", ("\nquestion =",)),
}


@dataclass(frozen=True, slots=True)
class Prompter:
    """Builds the prompts of one endpoint. `count` gives the tokens of a text, or an estimate not too small.

    `fixed` demonstrations come before every question. `budget` is in tokens, including the answer's; None is
    the notation's own. `card` is the whole schema, "" if questions bring the part near to them; it comes on
    top of the budget.
    """

    notation: str
    count: Callable[[str], int]
    fixed: tuple[Example, ...] = ()
    budget: int | None = None
    card: str = ""

    @property
    def form(self) -> PromptFormat:
        """The format of prompts in the notation."""
        return FORMS[self.notation]

    def prompt(
        self,
        known: Known,
        examples: Sequence[Example],
        attempt: Written | None = None,
        *,
        cue: bool = True,
        as_json: bool = False,
    ) -> Prompt:
        """The prompt for a question, the most similar demonstrations last, next to the question.

        With an `attempt` it asks for its correction (CodeAlignKGQA, section 3.3). Parts that do not fit are
        left out: the least similar demonstrations first, then the facts of the lowest score, then the
        question's possible names, then the last of the fixed demonstrations. Without `cue` the
        model begins the program itself, as a grammar has it do; `as_json` says that a schema binds it.

        Raises:
            ModelRefused: when the question alone is too long.
        """
        room = (self.budget or self.form.budget) - self.form.answer - _AROUND
        room += self.count(self.card or known.card)
        shown = None if attempt is None else _Attempt.of(attempt, self.notation)
        for contents in self._smaller(known, examples):
            prompt = self._rendered(contents, shown, _AS_JSON if as_json else self.form.cue if cue else "")
            if self.count(prompt.text) <= room:
                return prompt
        raise ModelRefused(
            f"the question is too long for a prompt of {room} tokens",
            hint="ask a shorter question, or allow the model more tokens",
        )

    def _smaller(self, known: Known, examples: Sequence[Example]) -> Iterator[_Contents]:
        """The contents of the prompt, each time with one part less."""
        nearest = sorted(examples, key=lambda one: -one.similarity)
        strongest = sorted(range(len(known.facts)), key=lambda at: -known.facts[at].score)
        for kept in range(len(nearest), -1, -1):
            yield _Contents(self.fixed, tuple(reversed(nearest[:kept])), known)
        for kept in range(len(strongest) - 1, -1, -1):
            facts = tuple(known.facts[at] for at in sorted(strongest[:kept]))
            yield _Contents(self.fixed, (), replace(known, facts=facts))
        bare = replace(known, facts=(), candidates=(), values=())
        for kept in range(len(self.fixed), -1, -1):
            yield _Contents(self.fixed[:kept], (), bare)

    def _rendered(self, contents: _Contents, attempt: _Attempt | None, cue: str) -> Prompt:
        prefix = instructions(self.notation, contents.fixed, self.card)
        body = templates(self.notation).render(
            f"{self.notation}.j2",
            "body",
            known=contents.known,
            examples=contents.examples,
            attempt=attempt,
            cue=cue,
        )
        return Prompt(prefix, body)


@dataclass(frozen=True, slots=True)
class _Contents:
    """The demonstrations of a prompt and its facts about the question."""

    fixed: tuple[Example, ...]
    examples: tuple[Example, ...]
    known: Known


@dataclass(frozen=True, slots=True)
class _Attempt:
    """A faulty program, in the form for the prompt of its correction."""

    text: str
    faults: tuple[str, ...]

    @classmethod
    def of(cls, written: Written, notation: str) -> _Attempt:
        """The text as it was written, and all its issues, one a line, each with its call.

        Numbers of steps are those of the text, which may differ from those of the program read.
        """
        faults = dict.fromkeys(_fault(written.program, one) for one in written.issues)
        return cls(_text(written, notation), tuple(islice(faults, _MOST_FAULTS)))


def _text(written: Written, notation: str) -> str:
    text, cue = answer_of(written.text).strip(), FORMS[notation].cue
    return (text if cue in text else f"{cue} {text}")[:_LONGEST_ATTEMPT]


def _fault(program: Program | None, issue: Issue) -> str:
    place = ""
    if program is not None and issue.step < len(program):
        place = f"{str(program.steps[issue.step])[:_LONGEST_CALL]}: "
    return place + issue.message + (f" ({issue.hint})" if issue.hint else "")


@cache
def templates(notation: str) -> PromptTemplates:
    """The templates with the filters that write names, functions and programs in a notation."""
    filters: dict[str, Callable[..., object]] = {
        "about": _by_subject,
        "define": DEFINITIONS[notation],
        "quote": quote,
        "repr": repr,
        "write": NOTATIONS[notation].write,
    }
    return PromptTemplates("nlq_gateway.drafts.generation.prompting", filters)


@lru_cache
def instructions(notation: str, fixed: tuple[Example, ...], card: str = "") -> str:
    """The shared beginning of prompts: rules, functions, fixed demonstrations, the schema if it is whole."""
    return templates(notation).render(
        f"{notation}.j2",
        "prefix",
        functions=functions(extension=False),
        extensions=functions(extension=True),
        fixed=fixed,
        card=card,
    )


def _by_subject(facts: Iterable[Fact]) -> list[tuple[str, list[Fact]]]:
    """The facts of each thing, things in order of first mention."""
    listed = list(facts)
    order = {about: at for at, about in reversed([*enumerate(fact.about for fact in listed)])}
    listed.sort(key=lambda fact: order[fact.about])
    return [(about, list(found)) for about, found in groupby(listed, lambda fact: fact.about)]
