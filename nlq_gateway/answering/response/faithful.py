"""A check that a text about an answer is faithful: it has no other name and number, and every answer.

A model that words an answer may know better than the graph, or follow what a label tells it to do. So its
text is compared with the question, the program and the answer, word by word; what cannot be, is refused.

In another language than English the words that are no names are known from its folder in `language/` and from
the question, which is in the same language.

It does not understand a sentence: that the right names stand in a wrong statement is not seen.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from compilers.answers import AnswerValue
from compilers.kopl.functions import Type
from nlq_gateway.answering.response.mentions import AnswerMention, Sort, keys_of, mentions_of, places_of, stem
from nlq_gateway.answering.response.template import row_text
from nlq_gateway.answering.response.told import ALIKE, Told
from nlq_gateway.core.words import UNSPACED
from nlq_gateway.language.detection import ENGLISH, Language, language, languages
from nlq_gateway.language.wording.english import plural_unit

# The most answers of which each is named.
ALL_NAMED = 5
# The most characters of a text besides those of the answers that it names.
LONGEST = 400

_HEDGE = re.compile(r"\band (?:\w+ )?(?:others|more)\b", re.I)
# Markup, addresses, and characters that reverse the direction of writing.
_ADDRESS = re.compile(r"\w+://\S+|\bwww\.\S+|\S+@\S+\.\w+|[<>`*\[\]\u202a-\u202e\u2066-\u2069]", re.I)
_QUOTED = re.compile(r"[\"“”„«»]([^\"“”„«»]+)[\"“”„«»]")
# Other ways to write a unit, besides the plural and British or American spelling.
_SIGNS = {
    "percent": "%",
    "united states dollar": "$",
    "euro": "€",
    "pound sterling": "£",
    "japanese yen": "¥",
}


@dataclass(frozen=True)
class _MentionedText:
    """A text with its mentions, and which of these belong to names that are given."""

    told: Told
    text: str
    language: Language

    @cached_property
    def mentions(self) -> tuple[AnswerMention, ...]:
        return mentions_of(self.text)

    @cached_property
    def keys(self) -> tuple[str, ...]:
        return tuple(mention.key for mention in self.mentions)

    @cached_property
    def free(self) -> tuple[AnswerMention, ...]:
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
    """Return the reason against showing a text, in words; "" if there is none."""
    read = _MentionedText(
        told, unicodedata.normalize("NFC", text), language(told.language) or languages()[ENGLISH]
    )
    return next(filter(None, (check(read) for check in _CHECKS)), "")


def _length(read: _MentionedText) -> str:
    longest = LONGEST + sum(len(name) for name in read.named)
    if not read.mentions:
        return "it is empty"
    return f"it is longer than {longest} characters" if len(read.text) > longest else ""


def _addresses(read: _MentionedText) -> str:
    given = " ".join((read.told.question, *map(str, read.told.values)))
    found = (match.group() for match in _ADDRESS.finditer(read.text))
    return _first("it has markup or the address", (one for one in found if one.rstrip(".,;)") not in given))


def _figures(read: _MentionedText) -> str:
    """Numbers and dates; of many answers, how many are not named may be said as well."""
    hidden = str(len(read.told.values) - len(read.named))
    figures = (mention for mention in read.free if mention.sort != Sort.WORD)
    return _first("it states", (m.text for m in figures if m.key not in {*read.told.figures, hidden}))


def _numbers(read: _MentionedText) -> str:
    """Numbers in words of another language than English, whose own are read as figures."""
    numbers = {} if read.language.tag == ENGLISH else read.language.numbers
    asked = {mention.text.casefold() for mention in mentions_of(read.told.question)}
    free = (m.text for m in read.free if m.text.casefold() not in asked)
    words = ((word, numbers.get(word.casefold())) for word in free)
    return _first("it states", (word for word, n in words if n and str(n) not in read.told.figures))


def _names(read: _MentionedText) -> str:
    """Runs of words that look like names; each is a part of one given text.

    Where every noun has a capital, it may also be of words that are forms of the question's.
    """
    for run in _runs(read):
        common = read.language.nouns and all(_is_noun(mention, read) for mention in run)
        if not (common or read.told.states([mention.key for mention in run])):
            return _first("it names", [read.text[run[0].start : run[-1].end]])
    return ""


def _is_noun(mention: AnswerMention, read: _MentionedText) -> bool:
    root = stem(mention.key)[:ALIKE]
    return mention.key in read.language.tellers or (len(root) == ALIKE and root in read.told.roots)


def _letters(read: _MentionedText) -> str:
    """Return the objection to words of a script without blanks: two letters that no source has."""
    if not read.language.script:
        return ""
    known = read.language.tellers.union(*read.told.sources)
    strange = [m for m in read.free if _is_letter(m) and m.key not in known]
    found = (read.text[a.start : b.end] for a, b in pairwise(strange) if a.end == b.start)
    return _first("it has the words", found)


def _is_letter(mention: AnswerMention) -> bool:
    """True if a mention is a letter of a script that writes no blanks."""
    return bool(re.fullmatch(f"[{UNSPACED}]", mention.text))


def _runs(read: _MentionedText) -> Iterator[list[AnswerMention]]:
    run: list[AnswerMention] = []
    for mention in read.free:
        if mention.sort != Sort.WORD or not _is_name(mention, read):
            continue
        if run and not _joined(run[-1], mention, read.text):
            yield run
            run = []
        run.append(mention)
    if run:
        yield run


def _joined(first: AnswerMention, second: AnswerMention, text: str) -> bool:
    """True if two mentions can be parts of one name; a full stop ends an initial, or else the sentence."""
    apart = text[first.end : second.start].strip(" -–.") or first.possessive
    return not apart and not (second.opens and len(first.text) > 1)


def _is_name(mention: AnswerMention, read: _MentionedText) -> bool:
    """True if a word has a capital or a digit, or is of a script without capitals."""
    if mention.text.islower() and not any(letter.isdigit() for letter in mention.text):
        return False
    if read.language.script and _is_letter(mention):
        return False
    plain = mention.key in read.language.openers or stem(mention.key) in read.told.plain_words
    return not (mention.opens and plain and not mention.text[1:].isupper())


def _others(read: _MentionedText) -> str:
    """The complaint that the text names a finding of a step that is no answer, in any spelling."""
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


def _small_names(read: _MentionedText) -> str:
    """The complaint about an unknown word, if answers look like ordinary words: any word may be one."""
    if not read.told.small:
        return ""
    words = (m for m in read.free if m.sort == Sort.WORD and m.key not in read.language.tellers)
    strange = (m.text for m in words if stem(m.key)[:ALIKE] not in read.told.roots)
    return _first("it has the word", strange)


def _quotes(read: _MentionedText) -> str:
    spans = (match.group(1) for match in _QUOTED.finditer(read.text))
    return _first("it quotes", (span for span in spans if not read.told.states(keys_of(span))))


def _negations(read: _MentionedText) -> str:
    """A denial turns an answer round; none is needed unless question or answer has one."""
    verdict = read.told.answer.output == Type.VERDICT and not _begins(read, "yes")
    if verdict or any(value.value == "0" for value in read.told.values):
        return ""
    denied = (m for m in read.free if m.key in read.language.denials or m.key.endswith("n't"))
    asked = keys_of(read.told.question)
    return _first("it says", (m.text for m in denied if m.key not in asked))


def _answers(read: _MentionedText) -> str:
    """Return the objection to the text's answers, or "".

    It must name all answers; of many it may instead state their number, or that there are others.
    """
    told = read.told
    if told.answer.output == Type.VERDICT:
        word = str(told.answer.values[0])
        return "" if _begins(read, word) else f"it does not begin with {word}"
    hedged = _is_hedged(read)
    if told.is_table:
        return _row(read, hedged)
    if len(told.values) > ALL_NAMED and len(told.answer.rows) != 1:
        counted = not told.truncated and not told.totals.isdisjoint(read.keys)
        return "" if hedged or counted else "it does not say that there are others"
    if told.truncated and not hedged:
        return "it does not say that there may be more"
    return _first("it leaves out", (str(v) for v in told.values if not _is_stated(v, read)))


def _begins(read: _MentionedText, verdict: str) -> bool:
    """True if the text begins with a verdict, as the language has it."""
    ways = map(keys_of, read.language.verdicts[verdict])
    return any(read.keys[: len(way)] == way for way in ways)


def _is_hedged(read: _MentionedText) -> bool:
    """True if the text says that there are more than it names."""
    ways = map(keys_of, read.language.others)
    said = any(any(places_of(way, read.keys)) for way in ways)
    return said or (read.language.tag == ENGLISH and bool(_HEDGE.search(read.text)))


def _row(read: _MentionedText, hedged: bool) -> str:
    """Return the objection to the text's table, or "": it must count the rows, and quote the first one."""
    told = read.told
    if told.totals.isdisjoint(read.keys):
        return "it does not say how many rows there are"
    if told.truncated and not hedged:
        return "it does not say that there may be more"
    first = keys_of(row_text(told.answer.rows[0], told.language))
    return "" if any(places_of(first, read.keys)) else "it does not have the first row as it is"


def _is_stated(value: AnswerValue, read: _MentionedText) -> bool:
    """True if an answer is named; a quantity may be written with the unit's sign or in another number."""
    if value.unit is None:
        return str(value) in read.named or (not keys_of(str(value)) and str(value) in read.text)
    forms = (value.unit, plural_unit(value.unit))
    spelled = any(all(_is_spelled(word, read) for word in keys_of(form)) for form in forms)
    sign = _SIGNS.get(value.unit.casefold())
    numbered = any(places_of(keys_of(value.value), read.keys))
    return numbered and (spelled or (sign is not None and sign in read.text))


def _is_spelled(word: str, read: _MentionedText) -> bool:
    """True if the text has a unit's word, in another number, or nearly so in another language."""
    if stem(word) in {stem(key) for key in read.keys}:
        return True
    root = stem(word)[: max(ALIKE, len(word) - 3)]
    return read.language.tag != ENGLISH and any(stem(key).startswith(root) for key in read.keys)


def _first(what: str, found: Iterable[str]) -> str:
    """The first of what was found, cut, in a sentence; "" where nothing was."""
    one = next(iter(found), None)
    return "" if one is None else f"{what} {one[:60]!r}"


_CHECKS: Sequence[Callable[[_MentionedText], str]] = (
    _length,
    _addresses,
    _figures,
    _numbers,
    _names,
    _letters,
    _others,
    _small_names,
    _quotes,
    _negations,
    _answers,
)
