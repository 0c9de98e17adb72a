"""The parts of a question that a program of another source leaves out.

An answer that leaves out a name, a value or a negation answers another question.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from compilers.kopl.functions import SCHEMA_KINDS, Kind, Type
from compilers.kopl.program import Program
from nlq_gateway.core.types import Draft, SchemaItem
from nlq_gateway.drafts.reasoning import weights as w
from nlq_gateway.drafts.reasoning.endings.clauses import clauses_of
from nlq_gateway.drafts.reasoning.endings.each import kinds_of_each
from nlq_gateway.drafts.reasoning.field import COMPARING, Field
from nlq_gateway.drafts.reasoning.nouns import ORDERED
from nlq_gateway.index.members import shown_alone
from nlq_gateway.language import lexicon
from nlq_gateway.question.reading.voice import leads

_WHICH = frozenset({"which", "who"})
_COUNTING = frozenset({"Count", "CountValues"})
_DENYING = frozenset({"Except", "ExceptTable"})


def overlooks(field: Field, draft: Draft) -> bool:
    """True if a name, a value, the noun asked for or a denial is left aside, or keys stand for things.

    So is the verdict that is asked for, which of two names is the subject of it, and one of two clauses.
    """
    if any(_leads_otherwise(field, draft, number) for number in range(len(draft.program))):
        return True
    no_verdict = draft.program.steps[-1].signature.output != Type.VERDICT
    if field.reading.asks_verdict and (no_verdict or _turns_round(field, draft)):
        return True
    if clauses_of(field) is not None and draft.program.steps[-1].signature.output != Type.ROWS:
        return True
    if kinds_of_each(field) and draft.program.steps[-1].signature.output != Type.ROWS:
        return True
    if field.compares and not any(step.function in COMPARING for step in draft.program.steps):
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
    shows_others = any(shows(field, draft) for shows in (_shows_keys, _shows_unnamed, _shows_values))
    return bool(beyond) or not denied or shows_others or _counts_measure(field, draft)


def _turns_round(field: Field, draft: Draft) -> bool:
    """True if a step relates two names the other way than the question does."""
    steps = draft.program.steps
    for both in (step for step in steps if step.function == "And"):
        for led, plain in (both.dependencies, both.dependencies[::-1]):
            source = steps[led].dependencies[0] if steps[led].function == "Relate" else led
            found = _relation(field, draft, led)
            if found is None or {steps[source].function, steps[plain].function} != {"Find"}:
                continue
            start, end = (
                field.reading.words_of(draft.mentions.get((step, 0), "")) for step in (source, plain)
            )
            told = leads(field.reading, found, start, end)
            if told is not None and told != (steps[led].inputs[1] == "forward"):
                return True
    return False


def _leads_otherwise(field: Field, draft: Draft, number: int) -> bool:
    """True if a step leads from the only name the other way than the question does."""
    step = draft.program.steps[number]
    if step.function != "Relate" or draft.program.steps[step.dependencies[0]].function != "Find":
        return False
    relation = _relation(field, draft, number)
    name = field.reading.words_of(draft.mentions.get((step.dependencies[0], 0), ""))
    if relation is None:
        return False
    entity = field.vocabulary.index.entity(next(iter(draft.choices.get((step.dependencies[0], 0), ())), ""))
    kinds = field.vocabulary.upward(entity.concepts if entity else ())
    told = field.leads(relation, name, kinds)
    return told is not None and told != (step.inputs[1] == "forward")


def _relation(field: Field, draft: Draft, number: int) -> SchemaItem | None:
    return field.vocabulary.index.item(Kind.RELATION, next(iter(draft.choices.get((number, 0), ())), ""))


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


def _shows_unnamed(field: Field, draft: Draft) -> bool:
    """True if things without a name are shown, rather than the values that they hold."""
    last = draft.program.steps[-1]
    relation = _relation(field, draft, last.dependencies[0]) if last.function == "What" else None
    return relation is not None and relation.leads_to_unnamed and bool(field.naming.attributes(relation.iri))


def _shows_values(field: Field, draft: Draft) -> bool:
    """True if values are shown where "which" asks for the things, which have labels, by their class."""
    at = shown_alone(draft.program)
    item = _attribute(field, draft, at)
    if item is None or not field.reading.asks(_WHICH) or not field.head_concept:
        return False
    if any(field.evidence(item).get(token, 0.0) >= w.FIRM for token in field.reading.head):
        return False
    return any(not field.naming.attributes(iri) for iri in field.head_kinds)


def _counts_measure(field: Field, draft: Draft) -> bool:
    """True if a number of values is taken for the most of what they measure: "the most expensive"."""
    if not any(step.function in _COUNTING for step in draft.program.steps):
        return False
    measured = {cue.token + 1 for cue in field.reading.superlatives if not cue.degree.hints}
    items = (_attribute(field, draft, number) for number in range(len(draft.program)))
    ordered = (item for item in items if item is not None and not ORDERED.isdisjoint(item.value_types))
    return any(field.evidence(item).get(token, 0.0) >= w.FIRM for item in ordered for token in measured)


def _attribute(field: Field, draft: Draft, number: int) -> SchemaItem | None:
    """The attribute whose values a step asks for."""
    if draft.program.steps[number].function != "QueryAttr":
        return None
    return field.vocabulary.index.item(Kind.ATTRIBUTE, next(iter(draft.choices.get((number, 0), ())), ""))


def _shows_keys(field: Field, draft: Draft) -> bool:
    """True if things are shown by keys, such as a shop's "shop id", that nothing in the question asks for."""
    if not lexicon.KEYS.isdisjoint(field.reading.lowers):
        return False
    keys = field.vocabulary.keys
    steps = enumerate(draft.program.steps)
    asked = (draft.choices.get((number, 0), ()) for number, step in steps if step.function == "QueryAttr")
    return any(iri in keys for iris in asked for iri in iris)
