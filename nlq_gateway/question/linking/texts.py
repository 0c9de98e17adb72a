"""The strings of the graph that a question writes out, in any letter case, in the plural, as an adjective.

Or says in another way: "golden" cases are of gold, "out of stock" is OutOfStock.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from compilers.kopl.values import String
from nlq_gateway.core.types import LiteralMention, Mention, SchemaItem, TextHit, TextMention
from nlq_gateway.core.words import STOP_WORDS, Token
from nlq_gateway.index import Index
from nlq_gateway.index.categories import BEGINNING, Category
from nlq_gateway.index.text import fold, singular, stem
from nlq_gateway.language.lexicon import said_of
from nlq_gateway.language.tables import listed, values
from nlq_gateway.question.linking.forms import places_of

LONGEST_TEXT = 12
HITS = 3
# A single letter is no word for what it stands for.
_OTHER_WORDS = {
    word: tuple(one for one in group if one != word)
    for group in chain(*values("same_names"))
    for word in group
    if len(word) > 1
}
_DENYING = listed("denying_prefixes")
_ADVERBS = listed("adverb_endings")
_SCORES = {"stem": 0.85, "derived": 0.75}
# Words of one stem have so many letters in common at their beginning, or all of the shorter one.
_COMMON = 5
# The least cosine of their meanings: of 17 such pairs 16 have more, of words that only begin alike few.
_ALIKE = 0.6


@dataclass(frozen=True, slots=True)
class _Form:
    """A way to write a stretch of the question: `how` is empty for the words themselves."""

    start: int
    end: int
    text: str
    how: str = ""


def find_texts(
    index: Index,
    text: str,
    tokens: Sequence[Token],
    literals: Iterable[LiteralMention],
    mentions: Sequence[Mention] = (),
) -> tuple[TextMention, ...]:
    """The strings, surest and longest first; one inside a longer one is left out.

    Words that are changed to be a string are not those of a mention, which explains them as they are.
    """
    named = {place for mention in mentions for place in range(mention.start, mention.end)}
    forms = [
        form
        for form in (*_quoted(literals), *_spans(text, tokens))
        if not form.how or named.isdisjoint(range(form.start, form.end))
    ]
    found = index.texts.equal_to([form.text for form in forms])
    flags, others = _flags(index), _properties(index)
    hits: dict[tuple[int, int], dict[str, TextHit]] = {}
    for form in forms:
        known_as = (*found.get(form.text, ()), *_true(form.text, flags))
        for hit in known_as or (() if form.how else _kindred_values(form.text, index, others)):
            meant = replace(hit, how=form.how, score=_SCORES[form.how]) if form.how else hit
            known = hits.setdefault((form.start, form.end), {})
            if hit.value not in known or known[hit.value].score < meant.score:
                known[hit.value] = meant
    strings = (
        TextMention(start, end, text[start:end], tuple(_best(known.values())[:HITS]))
        for (start, end), known in hits.items()
    )
    return tuple(_outermost(sorted(strings, key=_preference)))


def _flags(index: Index) -> Mapping[str, Sequence[SchemaItem]]:
    """By the stem of a property, the attributes that are true of what has it."""
    found = defaultdict[str, list[SchemaItem]](list)
    for item in index.flags:
        for name in (item.label, *item.aliases):
            found[stem(fold(said_of(name)[1]))].append(item)
    return found


def _true(text: str, flags: Mapping[str, Sequence[SchemaItem]]) -> Iterator[TextHit]:
    """The hits of words that say a property, "active", "openly": its attributes are true of what is meant.

    "Inactive" things are those of which they are false.
    """
    word = fold(text)
    prefixes = [] if " " in text else [one for one in _DENYING if word.startswith(one)]
    denied = (word.removeprefix(one).strip() for one in prefixes)
    for said, denies in (
        *((one, False) for one in (word, *_adjectives(word))),
        *((one, True) for one in denied),
    ):
        attributes = defaultdict[str, set[str]](set)
        for item in flags.get(stem(said), ()) if flags else ():
            if item.truths:
                attributes[item.truths[denies]].add(item.iri)
        for truth, iris in attributes.items():
            yield TextHit(truth, frozenset(iris), _SCORES["derived"], "derived")


def _properties(index: Index) -> tuple[Category, ...]:
    """What says that an attribute is true of things: "furnished" of "is furnished"."""
    said = ((fold(said_of(item.label)[1]), item) for item in index.flags)
    return tuple(
        Category(text, item.truths[0], frozenset({item.iri})) for text, item in said if item.truths and text
    )


def _kindred_values(words: str, index: Index, others: Sequence[Category]) -> Iterator[TextHit]:
    """The values of attributes with few of them, or others, that words say, or that a word is made like."""
    said = fold(words)
    known = (*index.categories.get(said[:BEGINNING], ()), *others)
    same = [one for one in known if one.said == said != fold(one.value)]
    near = [one for one in known if said.isalpha() and one.said.isalpha() and _begin_alike(said, one.said)]
    if near and not same:
        vector, *vectors = index.encode([said, *(one.said for one in near)])
        pairs = zip(near, vectors, strict=True)
        same = [one for one, other in pairs if float(vector @ other) >= _ALIKE]
    yield from (TextHit(one.value, one.attributes, _SCORES["derived"], "derived") for one in same)


def _begin_alike(one: str, other: str) -> bool:
    shared = min(_COMMON, len(one), len(other))
    return shared >= BEGINNING and one[:shared] == other[:shared]


def _quoted(literals: Iterable[LiteralMention]) -> Iterator[_Form]:
    for literal in literals:
        if isinstance(literal.value, String):
            yield _Form(literal.start, literal.end, str(literal.value))


def _spans(text: str, tokens: Sequence[Token]) -> Iterator[_Form]:
    """All runs of words that are not all common ones, with their singular; adjectives made from a place."""
    for first, token in enumerate(tokens):
        for last in range(first, min(first + LONGEST_TEXT, len(tokens))):
            run = tokens[first : last + 1]
            if all(map(_is_common, run)):
                continue
            start, end, ending = token.start, run[-1].end, run[-1].lower
            yield _Form(start, end, text[start:end])
            if (one := singular(ending)) != ending:
                yield _Form(start, end, text[start : run[-1].start] + one, "stem")
            for other in (*_OTHER_WORDS.get(text[start:end].lower(), ()), *_adjectives(text[start:end])):
                yield _Form(start, end, other, "derived")
        first_part = token.text.partition("-")[0]
        if first_part != token.text and token.capitalised and first_part.lower() not in STOP_WORDS:
            yield _Form(token.start, token.start + len(first_part), first_part)
        for place in places_of(first_part):
            yield _Form(token.start, token.start + len(first_part), place, "derived")


def _adjectives(word: str) -> Iterator[str]:
    """The adjectives that an adverb may be made from."""
    return (word.removesuffix(one) for one in _ADVERBS if word.endswith(one))


def _is_common(token: Token) -> bool:
    """True if a word is of the closed lists, and not written like an abbreviation (US) or a grade (A)."""
    as_code = token.text.isupper() and token.start > 0 and token.text != "I"
    return token.lower in STOP_WORDS and not as_code


def _best(hits: Iterable[TextHit]) -> list[TextHit]:
    return sorted(hits, key=lambda hit: (-hit.score, -len(hit.predicates), hit.value))


def _preference(mention: TextMention) -> tuple[int, float, int]:
    """Sort key: more words, then surer, then place."""
    return (-len(mention.text.split()), -mention.hits[0].score, mention.start)


def _outermost(mentions: Iterable[TextMention]) -> Iterator[TextMention]:
    kept: list[TextMention] = []
    for mention in mentions:
        if not any(one.start <= mention.start and mention.end <= one.end for one in kept):
            kept.append(mention)
            yield mention
