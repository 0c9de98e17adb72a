"""Whether a program that somebody else wrote leaves aside what the question plainly says.

An answer that passes over a name, a value or a denial is an answer to another question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from compilers.kopl.functions import SCHEMA_KINDS, Kind, Type
from compilers.kopl.program import Program
from nlq_gateway.core.types import Draft, SchemaItem
from nlq_gateway.core.words import positions
from nlq_gateway.drafts.reasoning import weights as w
from nlq_gateway.drafts.reasoning.endings.clauses import clauses_of
from nlq_gateway.drafts.reasoning.field import Field
from nlq_gateway.drafts.reasoning.nouns import KEYS
from nlq_gateway.question.reading.voice import leads

_DENYING = frozenset({"Except", "ExceptTable"})


def overlooks(field: Field, draft: Draft) -> bool:
    """Whether a name, a value, the noun asked for or a denial is left aside, or keys stand for things.

    So is the verdict that is asked for, which of two names is the subject of it, and one of two clauses.
    """
    if any(_leads_otherwise(field, draft, number) for number in range(len(draft.program))):
        return True
    no_verdict = draft.program.steps[-1].signature.output != Type.VERDICT
    if field.reading.asks_verdict and (no_verdict or _turns_round(field, draft)):
        return True
    if clauses_of(field) is not None and draft.program.steps[-1].signature.output != Type.ROWS:
        return True
    if field.some_of is not None and not any(s.function == "LimitTable" for s in draft.program.steps):
        return True
    said: dict[int, float] = {}
    for found in (*_stretches(field, draft), *_items(field, draft)):
        for token, degree in found.items():
            said[token] = max(degree, said.get(token, 0.0))
    if any(said.get(token, 0.0) < w.NOTICED for token in field.required):
        return True
    beyond = field.reading.unstated.difference(field.denials)
    denied = not field.denials or _denies(draft.program)
    return bool(beyond) or not denied or _shows_keys(field, draft)


def _turns_round(field: Field, draft: Draft) -> bool:
    """Whether a step relates two names the other way than the question does."""
    steps = draft.program.steps
    for both in (step for step in steps if step.function == "And"):
        for led, plain in (both.dependencies, both.dependencies[::-1]):
            source = steps[led].dependencies[0] if steps[led].function == "Relate" else led
            found = _relation(field, draft, led)
            if found is None or {steps[source].function, steps[plain].function} != {"Find"}:
                continue
            start, end = (_words(field, draft.mentions.get((step, 0), "")) for step in (source, plain))
            told = leads(field.reading, found, start, end)
            if told is not None and told != (steps[led].inputs[1] == "forward"):
                return True
    return False


def _leads_otherwise(field: Field, draft: Draft, number: int) -> bool:
    """Whether a step leads from the only name the other way than the question does."""
    step = draft.program.steps[number]
    if step.function != "Relate" or draft.program.steps[step.dependencies[0]].function != "Find":
        return False
    relation = _relation(field, draft, number)
    name = _words(field, draft.mentions.get((step.dependencies[0], 0), ""))
    told = field.leads(relation, name) if relation is not None else None
    return told is not None and told != (step.inputs[1] == "forward")


def _relation(field: Field, draft: Draft, number: int) -> SchemaItem | None:
    return field.vocabulary.index.item(Kind.RELATION, next(iter(draft.choices.get((number, 0), ())), ""))


def _words(field: Field, text: str) -> frozenset[int]:
    """The first words of the question that are this text."""
    begin = field.reading.links.question.text.find(text) if text else -1
    return frozenset(positions(field.reading.tokens, begin, begin + len(text))) if begin >= 0 else frozenset()


def _stretches(field: Field, draft: Draft) -> Iterator[Mapping[int, float]]:
    """The words that stand for names and values."""
    text = field.reading.links.question.text
    for words in set(draft.mentions.values()):
        for found in re.finditer(re.escape(words), text):
            begin, end = found.span()
            covered = (i for i, t in enumerate(field.reading.tokens) if t.start < end and begin < t.end)
            yield dict.fromkeys(covered, 1.0)


def _items(field: Field, draft: Draft) -> Iterator[Mapping[int, float]]:
    """The words that speak of the program's schema items."""
    for (step, argument), iris in draft.choices.items():
        kind = draft.program.steps[step].signature.parameters[argument].kind
        for iri in iris if kind in SCHEMA_KINDS else ():
            item = field.vocabulary.index.item(kind, iri)
            if item is not None:
                yield field.evidence(item)


def _denies(program: Program) -> bool:
    return any(step.function in _DENYING or "!=" in step.inputs for step in program.steps)


def _shows_keys(field: Field, draft: Draft) -> bool:
    """Whether things are shown by keys, such as a shop's "shop id", that nothing in the question asks for."""
    if not KEYS.isdisjoint(field.reading.lowers):
        return False
    keys = field.vocabulary.keys
    steps = enumerate(draft.program.steps)
    asked = (draft.choices.get((number, 0), ()) for number, step in steps if step.function == "QueryAttr")
    return any(iri in keys for iris in asked for iri in iris)
