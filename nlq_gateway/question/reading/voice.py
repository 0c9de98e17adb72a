"""The direction of a relation in a question: which of two names is its subject, such as the one that feeds.

The form of the clause and the form of the relation's name decide together: "A owns B" and "A is owned by B"
swap the ends, and so do "owns" and "owned by" as names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from functools import partial

from compilers.kopl.functions import Kind
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.core.words import JOINED
from nlq_gateway.language import lexicon, tables
from nlq_gateway.language.detection import language
from nlq_gateway.question.reading.evidence import FIRM
from nlq_gateway.question.reading.reading import QuestionReading
from nlq_gateway.question.reading.words import read_once


class ClauseForm(Enum):
    """The form of a clause between the first name A and the second name B."""

    ACTIVE = "A directs B"
    PASSIVE = "A is directed by B"
    STATIVE = "A is located in B"
    NOUN_OF = "A is the capital of B"
    HAS = "A has B as a part"


class NameForm(Enum):
    """The grammatical form of a relation's name."""

    BY = "directed by"
    PREDICATE = "flows into"
    VERB = "feeds"
    DOER = "director"
    NOUN = "capital"


# True if A is the subject of the relation's facts; pairs that are missing are open.
_FIRST_IS_SUBJECT: Mapping[tuple[ClauseForm, NameForm], bool] = {
    (ClauseForm.ACTIVE, NameForm.BY): False,
    (ClauseForm.ACTIVE, NameForm.PREDICATE): True,
    (ClauseForm.ACTIVE, NameForm.VERB): True,
    (ClauseForm.ACTIVE, NameForm.DOER): False,
    (ClauseForm.PASSIVE, NameForm.BY): True,
    (ClauseForm.PASSIVE, NameForm.PREDICATE): False,
    (ClauseForm.PASSIVE, NameForm.VERB): False,
    (ClauseForm.PASSIVE, NameForm.DOER): True,
    (ClauseForm.PASSIVE, NameForm.NOUN): True,
    (ClauseForm.STATIVE, NameForm.PREDICATE): True,
    (ClauseForm.STATIVE, NameForm.DOER): True,
    (ClauseForm.STATIVE, NameForm.NOUN): True,
    (ClauseForm.NOUN_OF, NameForm.BY): False,
    (ClauseForm.NOUN_OF, NameForm.PREDICATE): True,
    (ClauseForm.NOUN_OF, NameForm.VERB): True,
    (ClauseForm.NOUN_OF, NameForm.DOER): False,
    (ClauseForm.NOUN_OF, NameForm.NOUN): False,
    (ClauseForm.HAS, NameForm.BY): True,
    (ClauseForm.HAS, NameForm.PREDICATE): False,
    (ClauseForm.HAS, NameForm.VERB): False,
    (ClauseForm.HAS, NameForm.DOER): True,
    (ClauseForm.HAS, NameForm.NOUN): True,
}
_PREPOSITIONS = tables.words("relating")
_QUESTION_WORDS = lexicon.ASKING | lexicon.CHOICE_WORDS
# By the words before the first of name and relation, and the preposition of the other.
_ASKED_FIRST: Mapping[tuple[str, str], ClauseForm] = {
    ("", ""): ClauseForm.ACTIVE,
    ("", "in"): ClauseForm.ACTIVE,
    ("", "by"): ClauseForm.PASSIVE,
    ("be", "by"): ClauseForm.PASSIVE,
    ("be", "of"): ClauseForm.NOUN_OF,
}
_NAMED_FIRST: Mapping[tuple[str, str], ClauseForm] = {
    ("do", ""): ClauseForm.ACTIVE,
    ("do", "in"): ClauseForm.ACTIVE,
    ("be", "by"): ClauseForm.PASSIVE,
    ("be", "of"): ClauseForm.NOUN_OF,
}
_SOME = tables.words("some")
# Such relations lead both ways: "shares border with".
_MUTUAL = " with"
_DOERS = ("er", "or", "ist")
_DONE_TO = ("ee",)
_SHARED = 3
_OPENING = 2


def leads(
    reading: QuestionReading, relation: SchemaItem, start: frozenset[int], end: frozenset[int]
) -> bool | None:
    """True if the question says that a relation leads from `start` to `end`; None if it does not say."""
    if not start or not end or not start.isdisjoint(end):
        return None
    in_order = max(start) < min(end)
    name, said = reading.name_said(relation)
    said -= start | end
    for owner in (start, end):
        if said and _is_owned(reading, said, min(owner)):
            return owner is start
    first, second = (start, end) if in_order else (end, start)
    clause = _clause(reading, said, first, second, name) if said else None
    if clause is None:
        return None
    words = [reading.lowers[token] for token in sorted(said)]
    is_first = _FIRST_IS_SUBJECT.get((clause, _form(name.lower().split(), words, clause)))
    return None if is_first is None else is_first == in_order


def has_objects(reading: QuestionReading, relation: SchemaItem) -> bool | None:
    """True if what a thing has, as in "which cities have a mayor", are objects of the facts; None if open."""
    name, said = reading.name_said(relation)
    if not name:
        return None
    words = [reading.lowers[token] for token in sorted(said)]
    return _FIRST_IS_SUBJECT.get((ClauseForm.HAS, _form(name.lower().split(), words, ClauseForm.HAS)))


@read_once
def had_items(reading: QuestionReading) -> tuple[SchemaItem, ...]:
    """The attributes and relations by which the things asked for have something; () in other questions.

    "Which pupils have a mentor" asks for pupils, not for the mentors to which their relation leads.
    """
    had = frozenset(token for token in _had(reading) if reading.weights[token] > 0)
    if not had:
        return ()
    items = (one for one in reading.index.schema if one.kind in (Kind.ATTRIBUTE, Kind.RELATION))
    return tuple(one for one in items if said_firmly(reading, one, reading.head) == had)


def is_had(reading: QuestionReading, item: SchemaItem, direction: str) -> bool:
    """True if a relation this way, or an attribute, leads to what the things asked for have."""
    if item not in had_items(reading):
        return False
    return item.kind == Kind.ATTRIBUTE or has_objects(reading, item) == (direction == "forward")


def said_firmly(reading: QuestionReading, item: SchemaItem, noun: frozenset[int]) -> frozenset[int]:
    """The words that firmly speak of an item, but for the noun that is asked for."""
    found = reading.evidence(item).items()
    return frozenset(token for token, degree in found if degree >= FIRM) - noun


def _had(reading: QuestionReading) -> frozenset[int]:
    """The words at the end for what the things asked for have; none if the question is another one."""
    lowers = reading.lowers
    opens = bool(lowers) and lowers[0] in _QUESTION_WORDS
    at = next((at for at, word in enumerate(lowers) if at and word in lexicon.HAVE), len(lowers))
    some = lowers[at + 1 : at + 2]
    return frozenset(range(at + 2, len(lowers))) if opens and some and some[0] in _SOME else frozenset()


def leads_from(reading: QuestionReading, relation: SchemaItem, name: frozenset[int]) -> bool | None:
    """True if a relation leads from the only name to the answer; None if the question does not say.

    "What feeds X" asks for subjects of the facts, "what is fed by X" and "what does X feed" for objects.
    """
    called, said = reading.name_said(relation)
    said = frozenset(token for token in said - name if reading.weights[token] > 0)
    if said and name and _is_owned(reading, said, min(name)):
        return True
    told = _is_subject(reading, called) if said and name else None
    if told is not None:
        return told
    clause = _asking_clause(reading, said, name) if said and name else None
    if clause is None or called.endswith(_MUTUAL):
        return None
    words = [reading.lowers[token] for token in sorted(said)]
    form = _form(called.lower().split(), words, clause)
    is_first = None if form is NameForm.NOUN else _FIRST_IS_SUBJECT.get((clause, form))
    return None if is_first is None else is_first == (min(name) < min(said))


def _is_owned(reading: QuestionReading, said: frozenset[int], name: int) -> bool:
    """True if the words for a relation are a noun that its owner's name follows: "die Mutter von Kira"."""
    joined = JOINED.match(reading.tokens[name].text)
    noun = name - 1 if joined else name - 2
    owns = joined or reading.lowers[name - 1] in tables.own_words(reading.language, "owning")
    if not owns or noun < 1 or noun not in said:
        return False
    spoken, before = language(reading.language), reading.lowers[min(said) - 1]
    if spoken is not None and spoken.nouns:
        return reading.tokens[noun].capitalised
    return before in reading.function_words or JOINED.match(reading.tokens[noun].text) is not None


def _is_subject(reading: QuestionReading, called: str) -> bool | None:
    """True if the case of "who" says that the only name is the subject of a relation's facts; None if open.

    "Wen liebt Anna" asks for objects, "wer liebt Anna" and "wessen Chef ist Anna" for subjects. The passive
    reverses that, and so does a relation that is named "geliebt von".
    """
    own = partial(tables.own_words, reading.language)
    if not own("asked_owner").isdisjoint(reading.lowers[:2]):
        return False
    subject, asked = own("asked_subject"), reading.lowers[:2]
    who = next((word for word in asked if word in subject | own("asked_object")), "")
    by = called.lower().split()[-1] in own("by_whom")
    if not who or not called[:1].islower() or (" " in called and not by):
        return None
    passive = not own("passive").isdisjoint(reading.lowers)
    return (who not in subject) != (passive != by)


def _asking_clause(reading: QuestionReading, said: frozenset[int], name: frozenset[int]) -> ClauseForm | None:
    """Return the form of the clause between a name and the question word with its noun, in either order."""
    lowers = reading.lowers
    at = next((at for at, word in enumerate(lowers[:_OPENING]) if word in _QUESTION_WORDS), None)
    if at is None:
        return None
    # "How many" is read as "which".
    begin = max(at, *reading.count_cue) + 1 if at in reading.count_cue else at + 1
    while begin in reading.head - said:
        begin += 1
    is_named_first = min(name) < min(said)
    first, second = (name, said) if is_named_first else (said, name)
    opening, between = _plain(lowers[begin : min(first)]), _plain(lowers[max(first) + 1 : min(second)])
    if not is_named_first:
        return _ASKED_FIRST.get((_kind(opening), _link(between)))
    loose = _plain((*lowers[:at], *lowers[max(second) + 1 :]))
    return _NAMED_FIRST.get((_kind(opening), _link(loose))) if not between else None


def _plain(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(word for word in words if word not in lexicon.ARTICLES)


def _kind(opening: tuple[str, ...]) -> str:
    """Return the kind of the words before: "" for none, "be", "do", or "other"."""
    if not opening:
        return ""
    forms = (("be", lexicon.BE), ("do", lexicon.DO))
    kinds = (kind for kind, words in forms if len(opening) == 1 and opening[0] in words)
    return next(kinds, "other")


def _link(words: tuple[str, ...]) -> str:
    """The preposition that words are: "by", "of", another one, none; or something else."""
    if not words:
        return ""
    if len(words) > 1 or words[0] not in _PREPOSITIONS | {"by"}:
        return "other"
    return words[0] if words[0] in ("by", "of") else "in"


def _clause(
    reading: QuestionReading, said: frozenset[int], first: frozenset[int], second: frozenset[int], name: str
) -> ClauseForm | None:
    """The form of a clause between two names, with the words for a relation of this name; None if unknown."""
    lowers, begin, end = reading.lowers, max(first) + 1, min(second)
    opens = min(first) <= _OPENING
    between = lowers[begin:end]
    if not lexicon.RELATIVE.isdisjoint(between):
        return None
    if max(said) < min(first):
        return ClauseForm.HAS if "of" in lowers[max(said) + 1 : min(first)] else None
    if not lexicon.HAVE.isdisjoint(between):
        return ClauseForm.HAS if opens and lowers[0] in lexicon.AUXILIARIES else None
    if min(said) < begin or max(said) >= end:
        return None
    after = lowers[max(said) + 1 : end]
    if after[:1] in (("by",), ("of",)):
        return ClauseForm.PASSIVE if after[0] == "by" else ClauseForm.NOUN_OF
    # "Which products do not replace X", of which the first name is the noun that is asked for.
    follows = not after or after == tuple(name.lower().split()[-len(after) :])
    asks = lowers[0] in lexicon.CHOICE_WORDS and follows and first <= reading.head
    if opens and (lowers[0] in lexicon.AUXILIARIES or asks):
        return ClauseForm.ACTIVE
    stative = lowers[max(said)].endswith("ed") and not _PREPOSITIONS.isdisjoint(after[:1])
    return ClauseForm.STATIVE if opens and lowers[0] in lexicon.BE and stative else None


def _form(name: list[str], said: list[str], clause: ClauseForm) -> NameForm:
    """The form of a relation's name; `said` are the question's words for it."""
    last = name[-1]
    if last == "by":
        return NameForm.BY
    if last in _PREPOSITIONS or name[0] in lexicon.BE:
        return NameForm.PREDICATE
    if name[0] in lexicon.HAVE:
        return NameForm.NOUN
    if last.endswith(_DOERS) and any(last[:_SHARED] == word[:_SHARED] for word in said):
        return NameForm.DOER
    conjugated = name[0].endswith("s") and not name[0].endswith("ss")
    if clause is ClauseForm.HAS and conjugated and any(word.rstrip("s").endswith(_DONE_TO) for word in said):
        # Who has employees employs them, and who has a mentor is mentored.
        return NameForm.NOUN
    # "starred actors" are objects of the relation, not subjects.
    if (
        conjugated
        or (name == [last] and last.endswith("ed"))
        or (clause is ClauseForm.ACTIVE and name[0] in said)
    ):
        return NameForm.VERB
    return NameForm.NOUN
