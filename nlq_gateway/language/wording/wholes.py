"""Questions about a number of things: whether there are so many, whether all are in a set, what share is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from nlq_gateway.language.wording.english import sentence, words_of
from nlq_gateway.language.wording.phrases import Clause, Phrase, inverted
from nlq_gateway.language.wording.sets import NUMBERED
from nlq_gateway.language.wording.writer import Writer

_SHARES = ("percentage", "share", "proportion")


def so_many(writer: Writer, at: int) -> list[str]:
    """Questions whether there are so many of a set, for the step that compares their count; none for others.

    No members outside a set are all of them inside.
    """
    counted = writer.source(at)
    if writer.step(counted).function != "Count":
        return []
    members = writer.source(counted)
    number, operator = writer.step(at).inputs
    if writer.step(members).function == "Except" and (number, operator) == ("0", "="):
        return _all(writer, *writer.sources(members))
    is_one = number == "1"
    return _number(writer.phrase(members), f"{NUMBERED[operator]} {'one' if is_one else number}", not is_one)


def _all(writer: Writer, whole: int, part: int) -> list[str]:
    """Questions whether all of the first set are in the second: do all films have a director."""
    if (
        writer.step(whole).function == "FilterHasAttr"
        and writer.argument(whole, 0) in writer.step(part).inputs
    ):
        # What is compared has a value, of course.
        whole = writer.source(whole)
    things, forms = writer.phrase(whole), []
    for clause in _said_of(writer.phrase(part)):
        many, one = things.bare(True), things.bare(False)
        forms.append(sentence(inverted(clause, f"all {many}", True, clause.rest)))
        forms.append(sentence(inverted(clause, f"every {one}", False, clause.rest)))
    return forms


def _number(phrase: Phrase, number: str, many: bool) -> list[str]:
    """Questions whether there are so many: are there more than 20 films, does Ann have at least two pets."""
    if phrase.name:
        return []
    forms = []
    for clause in phrase.said if len(phrase.said) == 1 else ():
        for voice in filter(None, (clause, clause.other)):
            if voice.subject and voice.verb != "be":
                rest = words_of(number, phrase.head(many), voice.link, voice.tail)
                forms.append(sentence(inverted(voice, voice.subject, voice.subject_many, rest)))
    if phrase.is_role and phrase.owner and not phrase.clauses:
        forms.append(sentence(f"does {phrase.owner} have {number} {phrase.head(many)}"))
    be = "Are" if many else "Is"
    return [*forms, f"{be} there {number} {replace(phrase, many=many).bare(many)}?"]


def share(writer: Writer, at: int) -> list[str]:
    """Questions for the share of one set in another, for a step that calculates it in per cent.

    None for others.
    """
    ratio, hundred = writer.sources(at)
    is_ratio = writer.step(ratio).function == "Calculate" and writer.step(ratio).inputs == ("/",)
    if not is_ratio or writer.step(hundred).inputs != ("100 %",):
        return []
    counts = writer.sources(ratio)
    if any(writer.step(count).function != "Count" for count in counts):
        return []
    part, whole = (writer.phrase(writer.source(count)) for count in counts)
    things, word = whole.bare(True), writer.pick(_SHARES)
    said = [clause.predicate(True) for clause in _said_of(part)] or [
        f"are {replace(part, many=True).bare(True)}"
    ]
    return [f"What {word} of {determined} {said[0]}?" for determined in (things, f"the {things}")]


def _said_of(phrase: Phrase) -> Iterator[Clause]:
    """The last clause that has the members as its subject, if there is one."""
    for clause in reversed(phrase.said):
        voices = (one for one in (clause, clause.other) if one and not one.subject and not one.is_mixed)
        found = next(voices, None)
        if found is not None:
            yield found
            return
