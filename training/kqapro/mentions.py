"""The places of a program's parts in its question: their order, and missing words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from rapidfuzz import fuzz

from compilers.kopl.functions import FUNCTIONS, Kind
from training.kqapro.trees import Call, Condition, Edge, Join, Set, Tree, calls

_NOWHERE = 10**6
_ALIKE = 75.0
_SHORT = 4
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3})")
_WEB = re.compile(r"https?://(www\.)?|^www\.")
_ASKED = (Kind.ATTRIBUTE, Kind.QUALIFIER)
_OF_TIME = {"time", "date", "inception", "flight", "dissolved", "period", "publication"}
_FOR_TIME = {"when", "year", "date", "day", "time", "since", "until", "born", "founded", "died"}
_BOOLEANS = ("yes", "no", "true", "false")


def plain(text: str) -> str:
    """The text without case, thousands separators and the beginning of web addresses."""
    return _WEB.sub("", _THOUSANDS.sub("", text.casefold())).strip().rstrip("/")


def in_order(tree: Tree, question: str) -> Tree:
    """The tree with conditions, edges and exchangeable sets in the order in which the question says them."""
    said = plain(question)
    sets = tuple(_ordered(entities, said) for entities in tree.sets)
    if tree.ending[0].function == "SelectBetween":
        sets = tuple(sorted(sets, key=lambda entities: _position(_set_texts(entities), said)))
    return replace(tree, sets=sets)


def is_said(tree: Tree, question: str) -> bool:
    """True if the question has, at least nearly, every name and value of the tree."""
    said = plain(question)
    return all(_occurs(plain(text), said) for call in calls(tree) for text in copied(call))


def asks_for(tree: Tree, question: str) -> bool:
    """True if the question has a word of the requested label, or a time word for a label of time."""
    said = set(re.findall(r"\w+", question.casefold()))
    for call in tree.ending:
        parameters = FUNCTIONS[call.function].parameters
        labels = [text for p, text in zip(parameters, call.inputs, strict=True) if p.kind in _ASKED]
        words = {word for label in labels[-1:] for word in re.findall(r"\w{3,}", label.casefold())}
        if labels and not words & said and not (words & _OF_TIME and said & _FOR_TIME):
            return False
    return True


def copied(call: Call) -> list[str]:
    """The arguments of a call that a question gives: names of entities, and values."""
    parameters = FUNCTIONS[call.function].parameters
    return [
        text
        for parameter, text in zip(parameters, call.inputs, strict=True)
        if parameter.kind in (Kind.ENTITY, Kind.VALUE)
    ]


def _occurs(text: str, said: str) -> bool:
    if text in said or text in _BOOLEANS:
        return True
    if re.fullmatch(r"-?\d{1,5}-\d\d-\d\d", text):
        return text.lstrip("-").split("-")[0].lstrip("0") in said
    number = re.match(r"-?\d+(\.\d+)?", text)
    if number and number.group() != text:
        return number.group().removesuffix(".0") in said
    if number or len(text) <= _SHORT:
        return False
    return fuzz.partial_ratio(text, said) >= _ALIKE or fuzz.token_set_ratio(text, said) >= _ALIKE


def _ordered(entities: Set, said: str) -> Set:
    base = entities.base
    if isinstance(base, Join):
        first, second = _ordered(base.first, said), _ordered(base.second, said)
        if base.function == "Or" and _position(_set_texts(second), said) < _position(_set_texts(first), said):
            first, second = second, first
        base = Join(base.function, first, second)
    edges = (replace(edge, other=_ordered(edge.other, said)) for edge in entities.edges)
    return replace(
        entities,
        base=base,
        conditions=tuple(sorted(entities.conditions, key=lambda c: _position(_condition_texts(c), said))),
        edges=tuple(sorted(edges, key=lambda edge: _position(_edge_texts(edge), said))),
    )


def _position(texts: Iterable[str], said: str) -> int:
    places = (said.find(plain(text)) for text in texts)
    return min((place for place in places if place >= 0), default=_NOWHERE)


def _condition_texts(condition: Condition) -> list[str]:
    return [text for call in (condition.call, *condition.qualifiers) for text in copied(call)]


def _edge_texts(edge: Edge) -> list[str]:
    texts = _set_texts(edge.other) + [text for call in edge.qualifiers for text in copied(call)]
    return texts or [edge.relation]


def _set_texts(entities: Set) -> list[str]:
    texts = [text for condition in entities.conditions for text in _condition_texts(condition)]
    texts += [text for edge in entities.edges for text in _edge_texts(edge)]
    match entities.base:
        case str(name):
            return [name, *texts]
        case Join(_, first, second):
            return [*_set_texts(first), *_set_texts(second), *texts]
    return texts
