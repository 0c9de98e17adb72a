"""Whether a text about an answer says only what is there: each name and number, and every answer.

A model that words an answer may know better than the graph, or follow what a label tells it to do. So its
text is compared with the question, the program and the answer, word by word; what cannot be, is refused.

It does not understand a sentence: that the right names stand in a wrong statement is not seen.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from compilers.answers import AnswerValue
from compilers.kopl.functions import Type
from nlq_gateway.response.mentions import Mention, Sort, keys_of, mentions_of, places_of, stem
from nlq_gateway.response.told import Told

# Up to so many answers are all named.
ALL_NAMED = 5
# Characters that a text may have besides those of the answers that it names.
LONGEST = 400

_HEDGE = re.compile(r"\b(?:among (?:the )?others|and (?:\w+ )?(?:others|more)|at least|perhaps more)\b", re.I)
# Markup, addresses, and characters that turn the direction of writing round.
_ADDRESS = re.compile(r"\w+://\S+|\bwww\.\S+|\S+@\S+\.\w+|[<>`*\[\]\u202a-\u202e\u2066-\u2069]", re.I)
_QUOTED = re.compile(r"[\"“”„«»]([^\"“”„«»]+)[\"“”„«»]")
_NEGATIONS = frozenset(
    "no not never none nobody nothing neither nor cannot without except unlike instead rather".split()
)
# With what a sentence may begin that is no name.
_OPENERS = frozenset(
    """
    a according all among an and answer answers as at based because both but by each every for from he her
    here his however i in including it its no not of on only our she so some such that the their them there
    these they this those to together we which while who with yes you your
    """.split()
)
# Words in which an answer is told, besides those that open a sentence.
_TELLING = frozenset(
    """
    also are been being can could did do does exactly following found graph had has have is least list listed
    may more most name named names one other others perhaps result results shows stated states total two was
    were what would
    """.split()
).union(_OPENERS - {"he", "her", "his", "she"}, _NEGATIONS)
# So many letters in common make two words forms of one: direct, director, directed.
_ALIKE = 4
# Other ways to write a unit, besides the plural and British or American spelling.
_SIGNS = {
    "percent": "%",
    "united states dollar": "$",
    "euro": "€",
    "pound sterling": "£",
    "japanese yen": "¥",
}


@dataclass(frozen=True)
class _Text:
    """A text with its mentions, and which of these belong to names that are given."""

    told: Told
    text: str

    @cached_property
    def mentions(self) -> tuple[Mention, ...]:
        return mentions_of(self.text)

    @cached_property
    def keys(self) -> tuple[str, ...]:
        return tuple(mention.key for mention in self.mentions)

    @cached_property
    def free(self) -> tuple[Mention, ...]:
        """The mentions that are in no answer and no argument of the program as a whole."""
        begun = (phrase for phrase in self.told.phrases if phrase[0] in self.keys)
        given = {at for phrase in begun for place in places_of(phrase, self.keys) for at in place}
        return tuple(mention for at, mention in enumerate(self.mentions) if at not in given)

    @cached_property
    def named(self) -> frozenset[str]:
        """The answers that the text names, each in a place of its own, which the longest takes first."""
        taken: set[int] = set()
        found = set()
        for value in sorted(map(str, self.told.values), key=len, reverse=True):
            places = places_of(keys_of(value), self.keys)
            place = next((place for place in places if not taken.intersection(place)), None)
            if place is not None:
                taken.update(place)
                found.add(value)
        return frozenset(found)


def fault_of(text: str, told: Told) -> str:
    """Why a text must not be shown, in words; "" for one that may."""
    read = _Text(told, unicodedata.normalize("NFC", text))
    return next(filter(None, (check(read) for check in _CHECKS)), "")


def _length(read: _Text) -> str:
    longest = LONGEST + sum(len(name) for name in read.named)
    if not read.mentions:
        return "it is empty"
    return f"it is longer than {longest} characters" if len(read.text) > longest else ""


def _addresses(read: _Text) -> str:
    given = " ".join((read.told.question, *map(str, read.told.values)))
    found = (match.group() for match in _ADDRESS.finditer(read.text))
    return _first("it has markup or the address", (one for one in found if one.rstrip(".,;)") not in given))


def _figures(read: _Text) -> str:
    """Numbers and dates; of many answers, how many are not named may be said as well."""
    hidden = str(len(read.told.values) - len(read.named))
    figures = (mention for mention in read.free if mention.sort != Sort.WORD)
    return _first("it states", (m.text for m in figures if m.key not in {*read.told.figures, hidden}))


def _names(read: _Text) -> str:
    """Runs of words that look like names; each is a part of one given text."""
    for run in _runs(read):
        if not read.told.states([mention.key for mention in run]):
            return _first("it names", [" ".join(mention.text for mention in run)])
    return ""


def _runs(read: _Text) -> Iterator[list[Mention]]:
    run: list[Mention] = []
    for mention in read.free:
        if mention.sort != Sort.WORD or not _is_name(mention, read.told):
            continue
        if run and not _joined(run[-1], mention, read.text):
            yield run
            run = []
        run.append(mention)
    if run:
        yield run


def _joined(first: Mention, second: Mention, text: str) -> bool:
    """Whether two mentions can be parts of one name; a full stop ends an initial, or else the sentence."""
    apart = text[first.end : second.start].strip(" -–.") or first.possessive
    return not apart and not (second.opens and len(first.text) > 1)


def _is_name(mention: Mention, told: Told) -> bool:
    """Whether a word has a capital or a digit, or is of a script without capitals."""
    if mention.text.islower() and not any(letter.isdigit() for letter in mention.text):
        return False
    plain = mention.key in _OPENERS or stem(mention.key) in told.plain_words
    return not (mention.opens and plain and not mention.text[1:].isupper())


def _others(read: _Text) -> str:
    """What a step found that is no answer, in whichever spelling."""
    free = tuple(mention.key for mention in read.free)
    examples = (example for step in read.told.steps for example in step.examples)
    return _first(
        "it names",
        (
            example
            for example in examples
            if (keys := keys_of(example)) and any(places_of(keys, free)) and not read.told.states(keys)
        ),
    )


def _small_names(read: _Text) -> str:
    """Where answers are written like any word, each word may be one: only those that are given are known."""
    if not read.told.small:
        return ""
    known = {stem(word)[:_ALIKE] for source in read.told.sources for word in source}
    words = (m for m in read.free if m.sort == Sort.WORD and m.key not in _TELLING)
    return _first("it has the word", (m.text for m in words if stem(m.key)[:_ALIKE] not in known))


def _quotes(read: _Text) -> str:
    spans = (match.group(1) for match in _QUOTED.finditer(read.text))
    return _first("it quotes", (span for span in spans if not read.told.states(keys_of(span))))


def _negations(read: _Text) -> str:
    """A denial turns an answer round; none is needed unless question or answer has one."""
    verdict = read.told.answer.output == Type.VERDICT and read.keys[:1] != ("yes",)
    if verdict or any(value.value == "0" for value in read.told.values):
        return ""
    denied = (m for m in read.free if m.key in _NEGATIONS or m.key.endswith("n't"))
    asked = keys_of(read.told.question)
    return _first("it says", (m.text for m in denied if m.key not in asked))


def _answers(read: _Text) -> str:
    """Whether all answers are named, or of many how many there are, or that there are others."""
    told = read.told
    if told.answer.output == Type.VERDICT:
        word = keys_of(str(told.answer.values[0]))
        return "" if read.keys[: len(word)] == word else f"it does not begin with {' '.join(word)}"
    hedged = bool(_HEDGE.search(read.text))
    if len(told.values) > ALL_NAMED and len(told.answer.rows) != 1:
        counted = not told.truncated and not told.totals.isdisjoint(read.keys)
        return "" if hedged or counted else "it does not say that there are others"
    if told.truncated and not hedged:
        return "it does not say that there may be more"
    return _first("it leaves out", (str(v) for v in told.values if not _is_stated(v, read)))


def _is_stated(value: AnswerValue, read: _Text) -> bool:
    """Whether an answer is named; a quantity may be written with the unit's sign or in another number."""
    if value.unit is None:
        return str(value) in read.named or (not keys_of(str(value)) and str(value) in read.text)
    stems = {stem(key) for key in read.keys}
    spelled = all(stem(word) in stems for word in keys_of(value.unit))
    sign = _SIGNS.get(value.unit.casefold())
    numbered = any(places_of(keys_of(value.value), read.keys))
    return numbered and (spelled or (sign is not None and sign in read.text))


def _first(what: str, found: Iterable[str]) -> str:
    """The first of what was found, cut, in a sentence; "" where nothing was."""
    one = next(iter(found), None)
    return "" if one is None else f"{what} {one[:60]!r}"


_CHECKS: Sequence[Callable[[_Text], str]] = (
    _length,
    _addresses,
    _figures,
    _names,
    _others,
    _small_names,
    _quotes,
    _negations,
    _answers,
)
