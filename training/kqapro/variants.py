"""Human questions with other names, labels and values in the same places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from compilers.kopl.functions import FUNCTIONS, Kind, ValueType
from compilers.kopl.program import Program, Step
from nlq_gateway.language.wording.english import article
from training.kqapro.examples import Example, is_valid
from training.kqapro.labels import suffix, types_in
from training.kqapro.mentions import in_order, is_said
from training.kqapro.pools import Pools
from training.kqapro.surfaces import CONCEPTS, VALUES, Surface, same
from training.kqapro.trees import read, write

_CHANCES = {Kind.ENTITY: 0.9, Kind.VALUE: 0.9, Kind.CONCEPT: 0.5, Kind.ATTRIBUTE: 0.4, Kind.RELATION: 0.4}
_SURFACES: dict[Kind, tuple[Surface, ...]] = {Kind.VALUE: VALUES, Kind.CONCEPT: CONCEPTS}
_TRIES = 3


def variants(example: Example, pools: Pools, most: int, random: Random) -> Iterator[Example]:
    """Up to `most` different variants; none where the question says nothing as the program does."""
    seen = {example.question}
    for _ in range(most * _TRIES):
        found = _variant(example, pools, random)
        if found and found.question not in seen and len(seen) <= most:
            seen.add(found.question)
            yield found


def _variant(example: Example, pools: Pools, random: Random) -> Example | None:
    writer = _Writer(example, pools, random)
    steps = tuple(writer.step(index) for index in range(len(example.program)))
    if not writer.renamed or len(writer.renamed) < min(2, writer.open):
        return None
    question = writer.question()
    tree = in_order(read(Program(steps)), question)
    program = write(tree)
    if not is_valid(program) or not is_said(tree, question):
        return None
    return Example(question, program, "variants")


class _Writer:
    """Draws a replacement for each text of a program that its question has, the same for each occurrence."""

    def __init__(self, example: Example, pools: Pools, random: Random) -> None:
        self._text = example.question
        self._program = example.program
        self._types = types_in([example.program])
        self._pools = pools
        self._random = random
        self._drawn: dict[tuple[Kind, str], str] = {}
        self.renamed: dict[str, str] = {}
        self.open = 0

    def question(self) -> str:
        """The question with the replacements."""
        olds = sorted(self.renamed, key=len, reverse=True)
        pattern = "|".join(re.escape(old) for old in olds)
        return re.sub(rf"(\b[Aa]n? )?(?<!\w)({pattern})(?!\w)", self._replaced, self._text)

    def step(self, index: int) -> Step:
        """The step with the replacements of its arguments."""
        step = self._program.steps[index]
        parameters = FUNCTIONS[step.function].parameters
        inputs: list[str] = []
        for parameter, text in zip(parameters, step.inputs, strict=True):
            inputs.append(self._new(parameter.kind, text, step, index, inputs))
        return Step(step.function, tuple(inputs), step.dependencies)

    def _replaced(self, found: re.Match[str]) -> str:
        before, new = found.group(1) or "", self.renamed[found.group(2)]
        return (before[0] + article(new)[1:] + " " if before else "") + new

    def _new(self, kind: Kind, text: str, step: Step, index: int, before: list[str]) -> str:
        if kind not in _CHANCES:
            return text
        key = (kind, text)
        if key not in self._drawn:
            self._drawn[key] = self._draw(kind, text, step, index, before)
        return self._drawn[key]

    def _draw(self, kind: Kind, text: str, step: Step, index: int, before: list[str]) -> str:
        surface = self._surface(kind, text)
        if surface is None:
            return text
        self.open += 1
        if self._random.random() > _CHANCES[kind]:
            return text
        new = self._other(kind, text, step, index, before)
        old_text, new_text = surface(text), surface(new)
        if not new or not old_text or not new_text or old_text in self.renamed:
            return text
        self.renamed[old_text] = new_text
        return new

    def _surface(self, kind: Kind, text: str) -> Surface | None:
        for surface in _SURFACES.get(kind, (same,)):
            written = surface(text)
            if written and len(re.findall(rf"(?<!\w){re.escape(written)}(?!\w)", self._text)) == 1:
                return surface
        return None

    def _other(self, kind: Kind, text: str, step: Step, index: int, before: list[str]) -> str:
        random, pools = self._random, self._pools
        match kind:
            case Kind.ENTITY:
                return self._name(index)
            case Kind.CONCEPT:
                return pools.concept(random)
            case Kind.RELATION:
                return random.choice(list(pools.facts))
            case Kind.ATTRIBUTE:
                return random.choice(pools.attributes(self._type(text)) or [text])
        label = before[0] if before else self._asked(step)
        if step.function == "QueryAttrUnderCondition":
            return text
        return pools.value(label, self._value_type(step, label, text), random)

    def _type(self, attribute: str) -> ValueType:
        kind = self._types.get(attribute) or self._pools.labels.types.get(attribute, ValueType.STRING)
        return ValueType.YEAR if kind == ValueType.DATE and self._random.random() < 0.5 else kind

    def _value_type(self, step: Step, label: str, text: str) -> ValueType:
        for kind in ValueType:
            if step.function.endswith(suffix(kind)):
                return kind
        return self._pools.labels.type_of(label, text)

    def _asked(self, step: Step) -> str:
        asking = step.dependencies[0]
        attribute = self._program.steps[asking].inputs[0]
        return self._drawn.get((Kind.ATTRIBUTE, attribute), attribute)

    def _name(self, index: int) -> str:
        """A name at the same end of the relation that the name leads to in the program."""
        for user in self._program.steps[index + 1 :]:
            if index in user.dependencies and user.function in ("Relate", "QueryRelationQualifier"):
                relation = self._new(Kind.RELATION, user.inputs[0], user, index, [])
                is_subject = user.inputs[1] == "forward" if user.function == "Relate" else None
                if is_subject is None:
                    is_subject = user.dependencies[0] == index
                return self._pools.subject(relation, "subject" if is_subject else "object", self._random)
        return self._random.choice(self._pools.names)
