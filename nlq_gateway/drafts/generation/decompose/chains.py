"""Logical chains: templates filled with a sub-question's operands and values (Keqing, section 3.2).

A chain has variants: by the bearer of a name, by the order of operands, with or without a filter for the
asked concept. They are tried in order; the first with an answer stands for the chain.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product

from compilers.kopl.functions import Kind, Type
from compilers.kopl.program import Step
from nlq_gateway.core.types import Hit, SchemaItem
from nlq_gateway.drafts.generation.decompose.filling import Filled, filled
from nlq_gateway.drafts.generation.decompose.forms import MASK, VALUE
from nlq_gateway.drafts.generation.decompose.reading import ChainOperand, MaskedSubQuestion
from nlq_gateway.drafts.generation.decompose.sketch import SETS, ChainEnd, ChainSketch
from nlq_gateway.drafts.generation.decompose.templates import Template
from nlq_gateway.index import Index

_VARIANTS = 6
_LEADING = ("Relate", "FilterHasRelation")


@dataclass(frozen=True, slots=True)
class ChainVariant:
    """A chain as it continues a program: `words` in plain words, `asked` in its template's words.

    `text` are its steps. `test` is a set that has members if the chain has an answer, None if it always has
    one.
    """

    sketch: ChainSketch
    found: ChainEnd
    words: str
    asked: str
    text: str
    test: tuple[ChainSketch, int] | None


@dataclass(frozen=True, slots=True)
class Chain:
    """A filled template, with the cosine of its mask and the sub-question's, and its variants."""

    template: Template
    similarity: float
    variants: tuple[ChainVariant, ...]

    @property
    def first(self) -> ChainVariant:
        """The variant that is tried first."""
        return self.variants[0]


@dataclass(frozen=True, slots=True)
class Continuation:
    """The state that chains continue: the program so far, and the last steps of sub-questions by number.

    `last`: no later sub-question uses the result of this one.
    """

    index: Index
    sketch: ChainSketch
    found: Mapping[int, ChainEnd]
    last: bool

    def qualifiers(self, reading: MaskedSubQuestion) -> tuple[SchemaItem, ...]:
        """The qualifiers on the facts behind its references."""
        facts = [found.facts for one in reading.operands if (found := self.found.get(one.reference))]
        return tuple(item for step in facts if step is not None for item in self._of_facts(self.sketch, step))

    def _of_facts(self, sketch: ChainSketch, step: int) -> Iterator[SchemaItem]:
        """The qualifiers of a relation's or attribute's facts in a step's output."""
        for iri in sketch.source(step):
            about = self.index.item(Kind.RELATION, iri) or self.index.item(Kind.ATTRIBUTE, iri)
            for qualifier in about.qualifiers if about else ():
                found = self.index.item(Kind.QUALIFIER, qualifier)
                if found is not None:
                    yield found

    def chain(self, template: Template, similarity: float, reading: MaskedSubQuestion) -> Chain | None:
        """The template filled for a reading; None if it does not fit."""
        calls = filled(template, template.form.calls(self.last), reading.values)
        if calls is None:
            return None
        variants = tuple(islice(self._variants(template, calls, reading), _VARIANTS))
        return Chain(template, similarity, variants) if variants else None

    def _variants(
        self, template: Template, calls: Sequence[Filled], reading: MaskedSubQuestion
    ) -> Iterator[ChainVariant]:
        orders = [reading.operands]
        if template.form.either and len(reading.operands) > 1:
            orders.append(reading.operands[::-1])
        wishes = (replace(reading, operands=order) for order in orders)
        for wish in wishes:
            for bearers in product(*(_bearers(one) for one in wish.operands)):
                for asked in (wish.asked, None) if wish.asked else (None,):
                    wanted = replace(wish, operands=bearers, asked=asked)
                    made = self._variant(template, calls, wanted)
                    if made is not None:
                        yield made

    def _variant(
        self, template: Template, calls: Sequence[Filled], reading: MaskedSubQuestion
    ) -> ChainVariant | None:
        sketch, fed = self.sketch, list[ChainEnd]()
        for operand in reading.operands:
            sketch, found = self._begun(sketch, operand)
            fed.append(found)
        now, test = (fed[0] if fed else ChainEnd(-1)), None
        for call in calls:
            sources = [now if feed == 0 else fed[feed - 1] for feed in call.feeds]
            steps = self._fed(sketch, call, sources, template)
            if steps is None:
                return None
            test = test or _test(sketch, call, steps, template)
            sketch, now = _stepped(sketch, call, steps, sources)
        closed = _closed(sketch, now, calls, reading, test)
        if closed is None:
            return None
        text = " → ".join(map(str, closed[0].steps[len(self.sketch) :]))
        words, said = (_said(one, reading) for one in (template.shown, template.text))
        return ChainVariant(closed[0], closed[1], words, said, text, closed[2])

    def _fed(
        self, sketch: ChainSketch, call: Filled, sources: Sequence[ChainEnd], template: Template
    ) -> tuple[int, ...] | None:
        """The steps that feed a call; None if they cannot."""
        if not _is_of_facts(call):
            steps = tuple(one.step for one in sources)
            return steps if sketch.accepts(call.function, steps) else None
        facts = sources[0].facts
        if facts is None or template.item not in tuple(self._of_facts(sketch, facts)):
            return None
        return (facts,)

    def _begun(self, sketch: ChainSketch, operand: ChainOperand) -> tuple[ChainSketch, ChainEnd]:
        """The sketch with the steps that find an operand, and their last step."""
        if operand.reference:
            return sketch, self.found[operand.reference]
        if operand.concept is not None:
            sketch = sketch.adding("FindAll")
            return _narrowed(sketch, ChainEnd(len(sketch) - 1), operand.concept)
        name = operand.bearers[0].label if operand.bearers else operand.text
        iris = tuple(hit.iri for hit in operand.bearers)
        return (found := sketch.adding("Find", (name,), (), {0: iris})), ChainEnd(len(found) - 1)


_Test = tuple[ChainSketch, int] | None


def _closed(
    sketch: ChainSketch, now: ChainEnd, calls: Sequence[Filled], reading: MaskedSubQuestion, test: _Test
) -> tuple[ChainSketch, ChainEnd, _Test] | None:
    """The steps filtered by the asked concept, and counted if a number is asked; None if impossible."""
    if now.step < 0:
        return None
    is_set = sketch.output(now.step) in SETS
    asked = reading.asked
    if asked is not None and not _is_narrowed(calls, asked):
        if not is_set or not calls:
            return None
        sketch, now = _narrowed(sketch, now, asked)
        test = (sketch, now.step)
    if reading.counted and is_set and calls:
        sketch = sketch.adding("Count", (), (now.step,))
        now = ChainEnd(len(sketch) - 1)
    return sketch, now, test


def _is_narrowed(calls: Sequence[Filled], concept: Hit) -> bool:
    return bool(calls) and calls[-1].function == "FilterConcept" and calls[-1].iris.get(0) == (concept.iri,)


def _is_of_facts(call: Filled) -> bool:
    return call.function.startswith("QFilter")


def _stepped(
    sketch: ChainSketch, call: Filled, steps: tuple[int, ...], sources: Sequence[ChainEnd]
) -> tuple[ChainSketch, ChainEnd]:
    """The sketch with a call; a filter by a concept behind the facts is applied again after the call."""
    sketch = sketch.adding(call.function, call.inputs, steps, call.iris)
    step = len(sketch) - 1
    now = ChainEnd(step, step if sketch.output(step) == Type.FACTS else None)
    narrowed = sources[0].narrowed if _is_of_facts(call) else None
    return _narrowed(sketch, now, narrowed) if narrowed is not None else (sketch, now)


def _narrowed(sketch: ChainSketch, now: ChainEnd, concept: Hit) -> tuple[ChainSketch, ChainEnd]:
    sketch = sketch.adding("FilterConcept", (concept.label,), (now.step,), {0: (concept.iri,)})
    return sketch, ChainEnd(len(sketch) - 1, now.facts, concept)


def _test(sketch: ChainSketch, call: Filled, feeds: tuple[int, ...], template: Template) -> _Test:
    """The set that is empty if a chain that begins with this step has no answer.

    A FilterConcept that leaves no member is a misreading, unless the question asks for the class.
    """
    if call.function in _LEADING or (call.function == "FilterConcept" and not template.form.is_verdict):
        made = sketch.adding(call.function, call.inputs, feeds, call.iris)
    elif call.function == "QueryRelationQualifier":
        made = sketch.adding("Relate", (call.inputs[0], "forward"), feeds[:1], {0: call.iris[0]})
        made = made.adding("And", (), (len(made) - 1, feeds[1]))
    elif feeds and _first_kind(call) == Kind.ATTRIBUTE:
        made = sketch.adding("FilterHasAttr", call.inputs[:1], feeds[:1], {0: call.iris[0]})
    else:
        return None
    return made, len(made) - 1


def _first_kind(call: Filled) -> Kind | None:
    parameters = Step(call.function).signature.parameters
    return parameters[0].kind if parameters else None


def _bearers(operand: ChainOperand) -> Sequence[ChainOperand]:
    """The operand for each bearer of its name."""
    if len(operand.bearers) < 2:
        return (operand,)
    return [replace(operand, bearers=(hit,)) for hit in operand.bearers]


def _said(text: str, reading: MaskedSubQuestion) -> str:
    """The template with the sub-question's own words in place of its masks."""
    for operand in reading.operands:
        text = text.replace(MASK, operand.text, 1)
    for value in reading.values:
        text = text.replace(VALUE, value.text, 1)
    return text
