"""The languages of questions and answers, and the one that a question is in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from nlq_gateway.core.words import Token, tokens_of
from nlq_gateway.index.text import fold
from nlq_gateway.language.tables import tables

ENGLISH = "en"
_PARTS = re.compile(r"[^\W\d_]+")
# A text is in a language if it has this many different function words of it, or this share of all words, or
# one of its question words.
_WORDS = 2
_SHARE = 0.5
# A text is in the only language of a script if this share of its letters is in that script.
_LETTERS = 0.4


@dataclass(frozen=True)
class Language:
    """One language; `en/language.toml` documents each field."""

    tag: str
    name: str
    words: frozenset[str]
    opening: frozenset[str]
    telling: frozenset[str]
    denials: frozenset[str]
    others: tuple[str, ...]
    asking: frozenset[str]
    numbers: Mapping[str, int]
    verdicts: Mapping[str, tuple[str, ...]]
    script: str = ""
    nouns: bool = False

    @cached_property
    def openers(self) -> frozenset[str]:
        """Words with which a sentence may begin, and that are no names."""
        return self.words | self.opening | self.denials

    @cached_property
    def tellers(self) -> frozenset[str]:
        """Words in which an answer may be told."""
        return self.words | self.telling | self.denials

    def share_of(self, words: Iterable[str]) -> tuple[int, float]:
        """Return the number of distinct words of this language, and the share of all words that are."""
        counted = list(words)
        own = [word for word in counted if word in self.words]
        return len(set(own)), len(own) / max(1, len(counted))

    def letters_of(self, text: str) -> float:
        """The share of a text's letters that are of the language's own script; 0 where it has none."""
        letters = sum(map(str.isalpha, text))
        return len(re.findall(f"[{self.script}]", text)) / max(1, letters) if self.script else 0.0


@cache
def languages() -> Mapping[str, Language]:
    """Return all languages, by tag."""
    return {tag: _language(tag, row) for tag, row in tables().items()}


def language(tag: str) -> Language | None:
    """The language of a tag such as `de` or `de-AT`; None where nothing is known of it."""
    return languages().get(tag.lower().partition("-")[0])


@cache
def function_words(tag: str) -> frozenset[str]:
    """The function words of another language than English, folded too; those of English are `STOP_WORDS`."""
    known = None if tag == ENGLISH else language(tag)
    return known.words.union(known.opening, map(fold, known.words)) if known else frozenset()


def language_of(text: str, names: Iterable[tuple[int, int]] = (), usual: str = ENGLISH) -> str:
    """Return the tag of a text's language, "" if its words do not show it.

    `names` are places of names, which may be in any language; a capital inside a sentence counts as a sign of
    a name, too. The `usual` language wins unless another one has more words of the text.
    """
    taken = list(names)
    rest = "".join(" " if any(s <= at < e for s, e in taken) else letter for at, letter in enumerate(text))
    for one in languages().values():
        if one.letters_of(_plain(rest)) >= _LETTERS:
            return one.tag
    plain = (token.lower for token in tokens_of(rest) if _is_plain(token, rest))
    words = [word for token in plain for word in _PARTS.findall(token)]
    found = {tag: one.share_of(words) for tag, one in languages().items()}
    best = max(found, key=lambda tag: (found[tag][0], tag == usual, found[tag][1]))
    number, share = found[best]
    told = number >= _WORDS or share >= _SHARE or not languages()[best].asking.isdisjoint(words)
    return best if number and told else ""


def usual_language(tags: Iterable[str]) -> str:
    """The language in which a graph with labels in some languages is asked: English unless it has none."""
    known = [found.tag for tag in tags if (found := language(tag))]
    return ENGLISH if ENGLISH in known else next(iter(known), ENGLISH)


def _plain(text: str) -> str:
    """The text without words that have a capital, which are names in a script without capitals."""
    return re.sub(r"[A-Z]\w*", " ", text, flags=re.ASCII)


def _is_plain(token: Token, text: str) -> bool:
    opens = not re.search(r"\w", text[: token.start])
    return token.text[0].isalpha() and (opens or not token.capitalised)


def _language(tag: str, row: Mapping[str, Any]) -> Language:
    asking, words, opening, telling, *denials = (
        frozenset(row.get(name, "").split())
        for name in ("asking", "words", "opening", "telling", "denials", "negations", "exceptions")
    )
    return Language(
        tag,
        row["name"],
        words | asking | frozenset(row["yes"]),
        opening,
        telling,
        frozenset[str]().union(*denials),
        tuple(row["others"]),
        asking,
        {word: number for number, word in enumerate(row["numbers"].split(), start=2)},
        {"yes": tuple(row["yes"]), "no": tuple(row["no"]), "not sure": tuple(row["unsure"])},
        row.get("script", ""),
        row.get("nouns", False),
    )
