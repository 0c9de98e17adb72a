"""Repair of programs with mistakes, such as those of a model that does not know the graph.

Gold programs get mistakes at random places, each argument and function with the same chance: names in another
number or form, missing letters, missing or reversed directions, operators as words, functions in another
case, numbers with commas or scales in words, dates in words.
They run unchanged, and after repair and grounding without a model, which takes the nearest name. Synonyms of
names are not included: the model chooses among these. The syntax errors of the papers'
models on KQA Pro are quoted from CodeAlignKGQA (2024, table 3), of its own runs.
"""

from __future__ import annotations

import argparse
import datetime
import random
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from benchmarks.answers import DATA
from benchmarks.facts import rooms
from benchmarks.rooms import Room
from compilers.errors import CompilerError
from compilers.kopl.check import check
from compilers.kopl.functions import Kind, ValueType, function_named
from compilers.kopl.program import Program, Step
from compilers.kopl.repair import repair
from nlq_gateway.answering import Pipeline
from nlq_gateway.answering.attempt import Ask, carry_out
from nlq_gateway.answering.grounding import Resolver, types_in
from nlq_gateway.core.types import Draft, Question
from nlq_gateway.offline.evaluation.gold import gold_program
from nlq_gateway.question.linking import Linker
from nlq_gateway.settings import Settings
from nlq_gateway.trace import Recorder

SEED = 5
SHARES = (0.0, 0.1, 0.25, 0.5)
GRAPHS = ("sample", "KQA Pro", "MetaQA", "ACME")
_ROW = "{:<10} {:>9} {:>9} {:>10} {:>12} {:>10} {:>9} {:>8}"
_PAPERS = "SymKGQA 29.2 %, CodeAlignKGQA 2.8 to 7.5 %"
_WORDS = {
    "<": "less than",
    ">": "more than",
    "=": "equals",
    "!=": "is not",
    "<=": "at most",
    ">=": "at least",
    "largest": "biggest",
    "smallest": "least",
    "less": "smaller",
    "greater": "more",
}
_TURNED = {"forward": "backward", "backward": "forward"}
_LONG = 6
_MANY = 10_000

Mistake = Callable[[str, random.Random], str]


def _in_words(operator: str, _: random.Random) -> str:
    return _WORDS.get(operator, operator)


def _direction(text: str, rng: random.Random) -> str:
    """The other way, a word for it, or nothing."""
    return rng.choice(["", "outgoing" if text == "forward" else "inverse", _TURNED.get(text, text)])


def _entity(name: str, rng: random.Random) -> str:
    """The name without one of its inner letters."""
    at = rng.randrange(1, len(name) - 1) if len(name) >= _LONG else len(name)
    return name[:at] + name[at + 1 :]


def _name(name: str, rng: random.Random) -> str:
    """The name in another number or case, with an article, or cut."""
    return rng.choice([f"{name}s", name.title(), f"the {name}", name.split(" (")[0]])


def _relation(name: str, rng: random.Random) -> str:
    return rng.choice([f"has {name}", f"{name}s", name.removesuffix(" of"), name.title()])


def _quantity(text: str, rng: random.Random) -> str:
    """A number from ten thousand on with commas, or with its scale in words; another unchanged."""
    number, space, unit = text.partition(" ")
    if not number.isdigit() or int(number) < _MANY:
        return text
    millions = f"{int(number) / 10**6:.6f}".rstrip("0").rstrip(".") + " million"
    return rng.choice([f"{int(number):,}", millions]) + space + unit


def _date(text: str, rng: random.Random) -> str:
    """A date in words."""
    try:
        day = datetime.date.fromisoformat(text)
    except ValueError:
        return text
    return rng.choice([f"{day:%B} {day.day}, {day.year}", f"{day.day} {day:%B} {day.year}"])


MISTAKES: Mapping[Kind | ValueType, Mistake] = {
    Kind.ENTITY: _entity,
    Kind.CONCEPT: _name,
    Kind.RELATION: _relation,
    Kind.ATTRIBUTE: _name,
    Kind.QUALIFIER: _name,
    Kind.DIRECTION: _direction,
    Kind.OPERATOR: _in_words,
    ValueType.QUANTITY: _quantity,
    ValueType.DATE: _date,
}


@dataclass(frozen=True, slots=True)
class Tried:
    """One program with mistakes: is it sound and right unchanged, and once repaired."""

    sound: bool
    right: bool
    repaired_sound: bool
    repaired_right: bool
    repairs: int


def with_mistakes(program: Program, share: float, rng: random.Random) -> Program:
    """The program, with that share of its functions and arguments written as they should not be."""
    return Program(tuple(_with_mistakes(step, share, rng) for step in program.steps))


def _with_mistakes(step: Step, share: float, rng: random.Random) -> Step:
    function = function_named(step.function)
    parameters = function.parameters if function else ()
    inputs = [
        MISTAKES[what](text, rng) if what in MISTAKES and rng.random() < share else text
        for parameter, text in zip(parameters, step.inputs, strict=False)
        for what in (parameter.value_type or parameter.kind,)
    ]
    name = (
        rng.choice([step.function.lower(), step.function.upper()]) if rng.random() < share else step.function
    )
    return Step(name, tuple(text for text in inputs if text), step.dependencies)


@dataclass(frozen=True)
class Workshop:
    """One graph, with the gold programs of questions and their answers."""

    gateway: Pipeline
    cases: Sequence[tuple[str, Program, frozenset[str]]]

    @classmethod
    def of(cls, gateway: Pipeline, room: Room, size: int) -> Workshop:
        """Take `size` questions with a gold program that has results."""
        endpoint = gateway.endpoint(None)
        endpoint.prepare()
        cases = []
        for question in random.Random(SEED).sample(room.questions, len(room.questions)):
            gold = gold_program(question, endpoint)
            found = cls(gateway, ()).answers(Draft(gold.program, "gold", 0.0)) if gold else None
            if gold and found:
                cases.append((question.text, gold.program, found))
            if len(cases) == size:
                break
        return cls(gateway, cases)

    def answers(self, draft: Draft) -> frozenset[str] | None:
        """The answers of a program; None if it cannot run."""
        endpoint = self.gateway.endpoint(None)
        try:
            outcome = carry_out(endpoint, Ask(""), draft, {}, Recorder(), near=False)
        except CompilerError:
            return None
        return frozenset(outcome.answer.strings) if outcome.answer else None

    def tried(self, share: float) -> Iterator[Tried]:
        """Yield every program with mistakes, unchanged and repaired."""
        rng = random.Random(SEED)
        endpoint = self.gateway.endpoint(None)
        index = endpoint.index
        linker, resolver, types = Linker(index), Resolver(index), types_in(index)
        around = self.gateway.surroundings(endpoint)
        for question, gold, right in self.cases:
            wrong = with_mistakes(gold, share, rng)
            repaired = repair(wrong, types)
            links = linker.link(Question(question))
            resolved = resolver.resolve(repaired.program, links, around=around)
            draft = Draft(resolved.program, "repaired", 0.0, choices=dict(resolved.choices))
            yield Tried(
                _is_sound(wrong),
                self.answers(Draft(wrong, "wrong", 0.0)) == right,
                _is_sound(resolved.program),
                self.answers(draft) == right,
                len(repaired.repairs) + len(resolved.repairs),
            )


def _is_sound(program: Program) -> bool:
    return all(issue.severity != "error" for issue in check(program))


def main(arguments: Sequence[str]) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks mistakes", description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder with the benchmark data")
    parser.add_argument("--size", type=int, default=150, help="programs of each graph (150)")
    options = parser.parse_args(arguments)
    print("Programs with mistakes, before and after repair, no model\n")
    heads = ("graph", "programs", "mistakes", "syntax", "right", "syntax", "right", "repairs")
    print(_ROW.format("", "", "", "errors", "as written", "errors", "repaired", "each"))
    print(_ROW.format(*heads))
    with tempfile.TemporaryDirectory() as folder:
        for room in rooms(options.data, Path(folder)):
            if room.name in GRAPHS:
                _print(room, options.size)
    print(f"\nSyntax errors of the papers' models: {_PAPERS}")


def _print(room: Room, size: int) -> None:
    with closing(Pipeline(Settings.for_data(room.data))) as gateway:
        workshop = Workshop.of(gateway, room, size)
        for share in SHARES:
            found = list(workshop.tried(share))
            if not found:
                return
            cells = (
                _share(not one.sound for one in found),
                _share(one.right for one in found),
                _share(not one.repaired_sound for one in found),
                _share(one.repaired_right for one in found),
                f"{sum(one.repairs for one in found) / len(found):.1f}",
            )
            print(_ROW.format(room.name, len(found), f"{share:.2f}", *cells), flush=True)


def _share(found: Iterable[bool]) -> str:
    known = list(found)
    return f"{sum(known) / len(known):.3f}"
