"""The English reading of a relation's name: a verb from its subject to its object, and the converse."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from importlib import resources

from nlq_gateway.index.text import humanise, key_of
from nlq_gateway.language.tables import words
from nlq_gateway.language.wording import english


@dataclass(frozen=True, slots=True)
class Frame:
    """A verb with the words between it and what follows: be + "directed by", flow + "through"."""

    verb: str
    link: str = ""
    past: bool = False


@dataclass(frozen=True, slots=True)
class RelationWording:
    """The wordings of a relation; missing ones are empty.

    Attributes:
        forward: the verb from the subject of a fact to its object.
        backward: the verb from the object to the subject.
        noun: the noun for the object beside the subject, as capital.
        subject_noun: the noun for the subject beside the object, as member.
    """

    forward: Frame | None = None
    backward: Frame | None = None
    noun: str = ""
    subject_noun: str = ""

    def filled(self, other: RelationWording) -> RelationWording:
        """Return the wording with the parts of another that this one lacks."""
        return RelationWording(
            self.forward or other.forward,
            self.backward or other.backward,
            self.noun or other.noun,
            self.subject_noun or other.subject_noun,
        )


# Passives of states, not of events.
_STATES, _VERBS = words("states"), words("relation_verbs")
DONE_BY_THEMSELVES, _ACTIVE = words("intransitive_participles"), words("active_participles")
# Words that end like the one who does something, with the verb.
_DOERS = {"author": "write", "writer": "write", "director": "direct", "actor": "act", "editor": "edit"}
_LEFT_OUT = frozenset(["has", "have", "ref", "fk", "hasa"])


def readings_of(label: str, aliases: Iterable[str] = ()) -> tuple[RelationWording, ...]:
    """The readings of a name, the plainest first; each is complete with what the others know."""
    found = list(_table().get(key_of(label), ()) or (by_rules(_words(label)),))
    for alias in aliases:
        found.extend(_table().get(key_of(alias), ()) or _of_alias(_words(alias)))
    return tuple(dict.fromkeys(_completed(reading, found) for reading in found))


def reading_of_noun(noun: str) -> RelationWording:
    """The reading of a foreign key, named by its target."""
    return RelationWording(Frame("belong", "to"), Frame("have"), noun)


def _of_alias(name: str) -> tuple[RelationWording, ...]:
    """The reading by rules, if it is unambiguous: "started" and "band of" do not show their subject."""
    words = name.split()
    unsure = len(words) == 1 and english.is_participle(words[0].lower())
    placed = any(word in english.PREPOSITIONS - {"of"} for word in words[1:-1])
    return () if unsure or placed or words[-1:] == ["of"] or not words else (by_rules(name),)


def _completed(reading: RelationWording, others: Iterable[RelationWording]) -> RelationWording:
    for other in others:
        if reading.noun and other.noun and reading.noun != other.noun and not other.forward:
            continue
        reading = reading.filled(other)
    if reading.noun and reading.forward is None:
        reading = replace(reading, forward=Frame("have", _the(reading.noun)))
    if reading.noun and reading.backward is None and reading.forward and reading.forward.verb == "have":
        reading = replace(reading, backward=Frame("be", f"{_the(reading.noun)} of"))
    if reading.subject_noun and reading.forward is None:
        reading = replace(reading, forward=Frame("be", f"{english.with_article(reading.subject_noun)} of"))
    return reading


def _the(noun: str) -> str:
    return f"the {english.singular(noun)}"


def _words(name: str) -> str:
    return humanise(name).replace("_", " ").strip()


@lru_cache(maxsize=4096)
def by_rules(name: str) -> RelationWording:
    """The reading of a name that the table does not have, by the forms of its words."""
    words = name.split()
    if len(words) > 1 and words[0].lower() in _LEFT_OUT:
        return RelationWording(noun=" ".join(_without_id(words[1:])))
    if len(words) > 1 and words[0].lower() in ("is", "was"):
        return _is(words[1:], words[0].lower() == "was")
    if len(words) > 1 and words[-1] == "by":
        return _by(words[:-1])
    first, last = words[0].lower(), words[-1].lower()
    if len(words) > 2 and english.is_participle(first) and words[1].lower() in english.PREPOSITIONS:
        return _done_to(words, first)
    if last in english.PREPOSITIONS:
        return _with_preposition(words, first)
    if first in _VERBS and (len(words) == 1 or words[1] not in english.PREPOSITIONS):
        return RelationWording(forward=Frame(english.base_of_third_person(first), " ".join(words[1:])))
    if len(words) == 1 and first in _ACTIVE:
        return RelationWording(forward=Frame(english.base_of_gerund(first)))
    if len(words) > 1 and english.is_participle(last):
        noun = " ".join(words[:-1])
        return RelationWording(
            Frame(english.base_of_participle(last), past=True), noun=english.singular(noun)
        )
    if len(words) == 1 and english.is_participle(first):
        return RelationWording(forward=Frame(english.base_of_participle(first), past=True))
    return _noun(words)


def _is(words: list[str], past: bool) -> RelationWording:
    if words[-1] == "by":
        return _by(words[:-1])
    if words[-1] == "of" and len(words) > 1:
        noun = " ".join(words[:-1])
        return RelationWording(Frame("be", " ".join(words), past), subject_noun=noun.removeprefix("a "))
    return RelationWording(forward=Frame("be", " ".join(words), past))


def _by(words: list[str]) -> RelationWording:
    """Directed by, or music by."""
    first = words[0].lower()
    link = " ".join([*words, "by"])
    if not english.is_participle(first):
        return RelationWording(Frame("have", link), noun="")
    past = first not in _STATES
    active = Frame(english.base_of_participle(first), " ".join(words[1:]), past)
    return RelationWording(Frame("be", link, past), active)


def _done_to(words: list[str], first: str) -> RelationWording:
    """Sold by agent, published in year: the verb with its preposition, and what stands there."""
    before = _by(words[:1]) if words[1].lower() == "by" else _with_preposition(words[:2], first)
    return replace(before, noun=english.singular(" ".join(words[2:]))) if words[2:] != ["the"] else before


def _with_preposition(words: list[str], first: str) -> RelationWording:
    link = " ".join(words)
    if first in DONE_BY_THEMSELVES:
        return RelationWording(
            forward=Frame(english.base_of_participle(first), " ".join(words[1:]), past=True)
        )
    if len(words) == 1 or english.is_participle(first):
        return RelationWording(forward=Frame("be", link, len(words) > 1 and first not in _STATES))
    if first in _VERBS or (
        first.endswith("s") and not first.endswith(("ss", "us", "is")) and words[-1] != "of"
    ):
        return RelationWording(forward=Frame(english.base_of_third_person(first), " ".join(words[1:])))
    if words[-1] == "of":
        noun = english.singular(" ".join(words[:-1]))
        return RelationWording(Frame("be", f"{english.with_article(noun)} of"), subject_noun=noun)
    return RelationWording(forward=Frame("be", link))


def _noun(words: list[str]) -> RelationWording:
    noun = english.singular(" ".join(_without_id(words)))
    verb = _DOERS.get(noun)
    if verb is None:
        return RelationWording(noun=noun)
    done = english.participle(verb)
    return RelationWording(Frame("be", f"{done} by", past=True), Frame(verb, past=True), noun)


def _without_id(words: list[str]) -> list[str]:
    """The words of a foreign key without those that only say that it is one."""
    kept = [word for word in words if word.lower() not in ("id", "ref", "fk", "iri", "uri")]
    return kept or words


@cache
def _table() -> dict[str, tuple[RelationWording, ...]]:
    found: dict[str, list[RelationWording]] = {}
    for name, *parts in rows("relations.tsv"):
        forward, backward, noun, subject_noun = ("" if part == "-" else part for part in parts)
        reading = RelationWording(frame(forward), frame(backward), noun, subject_noun)
        found.setdefault(key_of(name), []).append(reading)
    return {key: tuple(readings) for key, readings in found.items()}


def frame(text: str) -> Frame | None:
    """A frame as the tables write it."""
    verb, _, link = text.partition(" ")
    if verb in ("is", "was", "has"):
        return Frame("have" if verb == "has" else "be", link, verb == "was")
    return Frame(verb[:-2], link, verb.endswith("-d")) if verb else None


def rows(file: str) -> list[list[str]]:
    """The lines of a table of this package."""
    text = resources.files("nlq_gateway.language.wording").joinpath(file).read_text("utf-8")
    return [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
