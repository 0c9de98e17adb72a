"""Questions in English for a program."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random

from compilers.kopl.functions import Kind, Type
from compilers.kopl.program import Program
from compilers.kopl.values import possible_values
from nlq_gateway.index import Index
from nlq_gateway.index.text import name_from_iri
from nlq_gateway.language.wording import english
from nlq_gateway.language.wording.attributes import value_text
from nlq_gateway.language.wording.lexicon import Lexicon
from nlq_gateway.language.wording.measures import MEASURES
from nlq_gateway.language.wording.qualifiers import QUALIFIERS
from nlq_gateway.language.wording.questions import QUESTIONS, asking
from nlq_gateway.language.wording.sets import SETS
from nlq_gateway.language.wording.tables import table_questions
from nlq_gateway.language.wording.writer import Forms, NoForm, Writer

_FORMS = Forms(SETS, {**MEASURES, **QUALIFIERS})
_TRIES_EACH = 4
# Longer questions are unreadable.
_MOST_WORDS = 80
_SETS = (Type.ENTITIES, Type.FACTS)
# The operand of FilterTable is excluded, because it may be worded differently.
_SAID = (Kind.ENTITY, Kind.VALUE)
# "All" says that there are no others, and "share" that it is in per cent.
_IMPLIED = (("VerifyNum", "0"), ("Number", "100 %"))


class Wording:
    """The questions that programs over one index answer."""

    def __init__(self, index: Index) -> None:
        self._lexicon = Lexicon(index)

    def questions(
        self,
        program: Program,
        choices: Mapping[tuple[int, int], tuple[str, ...]] | None = None,
        *,
        most: int = 4,
        seed: int = 0,
    ) -> tuple[str, ...]:
        """Up to `most` different questions, the plainest first; () where the grammar has none.

        Args:
            program: a checked program; one that ends in a set is worded as if its names were asked for.
            choices: the IRIs that arguments mean, by step and argument.
            most: the maximum number of questions.
            seed: another seed gives other variants; the first question is always the same.
        """
        plain = self._question(program, choices or {}, lambda _: 0)
        if plain is None or most < 1:
            return ()
        found = {plain: None}
        random = Random(f"{seed} {program}")
        for _ in range(_TRIES_EACH * (most - 1)):
            if len(found) >= most:
                break
            other = self._question(program, choices or {}, random.randrange)
            if other is not None:
                found.setdefault(other)
        return tuple(found)

    def _question(
        self,
        program: Program,
        choices: Mapping[tuple[int, int], tuple[str, ...]],
        choose: Callable[[int], int],
    ) -> str | None:
        writer = Writer(program, choices, self._lexicon, _FORMS, choose)
        try:
            question = writer.pick(_forms(writer))
        except NoForm:
            return None
        if not _says_all(question, program):
            return None
        return question if len(question.split()) <= _MOST_WORDS else None


def _says_all(question: str, program: Program) -> bool:
    """True if a question has every name and value of its program, which it needs to mean the same."""
    named = (
        (parameter.kind, text)
        for step in program.steps
        for parameter, text in zip(step.signature.parameters, step.inputs, strict=True)
        if parameter.kind in _SAID
        and step.function != "FilterTable"
        and (step.function, text) not in _IMPLIED
    )
    return all(any(form in question for form in _written(*one)) for one in named)


def _written(kind: Kind, text: str) -> Iterator[str]:
    """Yield the forms of a name or a value in a question."""
    yield text
    if kind == Kind.VALUE:
        yield from map(value_text, possible_values(text))
        yield from (english.number_word(1),) if text == "1" else ()
    elif text.startswith("<"):
        yield name_from_iri(text[1:-1])


def _forms(writer: Writer) -> list[str]:
    last = len(writer.program) - 1
    signature = writer.step(last).signature
    if signature.output == Type.ROWS or signature.name == "CountTable":
        return table_questions(writer, last)
    if signature.output in _SETS:
        return asking(writer, writer.phrase(last))
    return list(QUESTIONS[signature.name](writer, last))
