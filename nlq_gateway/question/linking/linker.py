"""Mentions of entities and concepts in a question: longest first, with the alternatives kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace

from compilers.kopl.functions import Kind
from nlq_gateway.core.checkpoint import interruptible
from nlq_gateway.core.types import Hit, Links, LiteralMention, Mention, Question
from nlq_gateway.core.words import STOP_WORDS, Token, positions, tokens_of
from nlq_gateway.index import Index
from nlq_gateway.language.detection import function_words
from nlq_gateway.question.linking.context import Context, Linked
from nlq_gateway.question.linking.forms import other_forms, places_of
from nlq_gateway.question.linking.guesses import Guesses
from nlq_gateway.question.linking.literals import find_literals
from nlq_gateway.question.linking.spans import CLOSING, OPENING, spans_of, without_overlaps
from nlq_gateway.question.linking.texts import find_texts

DERIVED = 0.75
VARIANT = 0.85
_GUESSED = 80
_VARIED = 400


@dataclass(frozen=True, slots=True)
class Linker:
    """Links questions to one index. Stateless: safe to share between threads.

    `linked` asks the store which of several things of one name have to do with the others in the question.
    """

    index: Index
    linked: Linked | None = None

    def link(self, question: Question) -> Links:
        """Return the mentions of the question. Longer names take precedence over shorter ones inside them.

        Raises:
            EndpointError: the store was asked, and failed.
        """
        text = question.text
        tokens = tokens_of(text)
        literals = find_literals(text, self.index.units)
        plain = function_words(question.language)
        candidates = sorted(self._known_names(question, tokens, plain), key=_preference)
        chosen = without_overlaps(candidates)
        chosen = self._with_places(tokens, chosen)
        texts = find_texts(self.index, text, tokens, literals, chosen)
        strings = [one for one in texts if one.hits[0].how in ("exact", "folded")]
        # The number in `Location-4` is part of a word, and explains no other part of it.
        numbers = [one for one in literals if not _within_word(one, tokens)]
        groups = (chosen, numbers, strings)
        explained = {at for group in groups for one in group for at in range(one.start, one.end)}
        guesses = Guesses(self.index, text, tokens[:_GUESSED], explained, plain, question.language)
        guessed = guesses.sure()
        kept = [one for one in chosen if not any(one.start < g.end and g.start < one.end for g in guessed)]
        context = Context(self.index, tokens, (*kept, *guessed), self.linked, question.language)
        chosen = [context.ordered(mention) for mention in interruptible((*kept, *guessed))]
        taken = {(mention.start, mention.end) for mention in chosen}
        lost = [one for one in candidates if (one.start, one.end) not in taken]
        others = (*lost, *guesses.unsure())
        texts = (*texts, *guesses.texts())
        return Links(question, tuple(sorted(chosen, key=lambda m: m.start)), literals, others, texts)

    def _known_names(self, question: Question, tokens: tuple[Token, ...], plain: Set[str]) -> list[Mention]:
        text, spans = question.text, spans_of(question.text, tokens)
        kinds, texts = (Kind.ENTITY, Kind.CONCEPT), [text[start:end] for start, end in spans]
        found = self.index.look_up(texts, kinds, question.language)
        mentions = []
        for start, end in spans:
            words = text[start:end]
            hits = tuple(
                hit
                for hit in found.get(words, ())
                if _plausible(words, hit, start == 0, plain) and _marks_belong(words, hit)
            )
            if hits:
                mentions.append(Mention(start, end, words, hits))
        known = {(mention.start, mention.end) for mention in mentions}
        others = self._written_otherwise(text, [span for span in spans if span not in known])
        return [*mentions, *(one for one in others if not _is_known(one, mentions))]

    def _written_otherwise(self, text: str, spans: Iterable[tuple[int, int]]) -> Iterator[Mention]:
        """Names in another form than the graph has: with a numeral, a title, an article more or less."""
        varied = [span for span in spans if _may_vary(text, *span)][:_VARIED]
        forms = {span: other_forms(text[slice(*span)]) for span in varied}
        wanted = [form for others in forms.values() for form in others]
        found = self.index.look_up(wanted, (Kind.ENTITY,)) if wanted else {}
        for (start, end), others in forms.items():
            best = {hit.iri: hit for form in others for hit in found.get(form, ()) if hit.how != "stem"}
            hits = tuple(replace(hit, score=VARIANT, how="variant") for hit in best.values())
            if hits:
                yield Mention(start, end, text[start:end], hits)

    def _with_places(self, tokens: tuple[Token, ...], chosen: list[Mention]) -> list[Mention]:
        """The mentions, and those of adjectives made from a place's name, as further readings or alone."""
        covered = [m for m in chosen if " " in m.text]
        free = [t for t in tokens if not any(t.start < m.end and m.start < t.end for m in covered)]
        places = {token: places_of(token.text) for token in free if token.lower not in STOP_WORDS}
        found = self.index.look_up([name for names in places.values() for name in names], (Kind.ENTITY,))
        mentions = {(mention.start, mention.end): mention for mention in chosen}
        for token, names in places.items():
            hits = [hit for name in names for hit in found.get(name, ()) if hit.how in ("exact", "alias")]
            if hits:
                known = mentions.get(
                    (token.start, token.end), Mention(token.start, token.end, token.text, ())
                )
                derived = tuple(replace(hit, score=DERIVED, how="derived") for hit in hits)
                mentions[token.start, token.end] = replace(known, hits=(*known.hits, *derived))
        return list(mentions.values())


def _plausible(words: str, hit: Hit, opens: bool, plain: Set[str]) -> bool:
    """True if a common word is really meant as a name: written as one, and not just opening the question."""
    lower = words.lower().strip("?!. ")
    if all(word in STOP_WORDS or word in plain for word in lower.split()):
        return hit.how == "exact" and words[:1].isupper() and not opens
    if hit.how == "stem" and (hit.kind == Kind.ENTITY or _is_deed(lower, hit.matched.lower())):
        return False
    return len(lower) > 1 or words.isdigit()


def _is_known(mention: Mention, others: Iterable[Mention]) -> bool:
    """True if more or fewer of these words name the same thing as they are: "Amazon" of "the Amazon"."""
    own = {hit.iri for hit in mention.hits}
    nested = (
        one
        for one in others
        if one.start <= mention.start <= mention.end <= one.end
        or mention.start <= one.start <= one.end <= mention.end
    )
    return any(not own.isdisjoint(hit.iri for hit in one.hits) for one in nested)


def _within_word(literal: LiteralMention, tokens: Sequence[Token]) -> bool:
    """True if a literal is part of a longer word."""
    places = positions(tokens, literal.start, literal.end)
    if len(places) != 1:
        return False
    token = tokens[places[0]]
    inside = token.start <= literal.start and literal.end <= token.end
    return inside and literal.end - literal.start < token.end - token.start and token.text[0].isalpha()


def _may_vary(text: str, start: int, end: int) -> bool:
    """True if a run of words may be a name in another form: some word of it inside the question is a name's.

    In a question without capitals, that is any run of two words.
    """
    words = text[start:end].split()
    if all(word.lower().strip(".,") in STOP_WORDS for word in words) or text[end - 1] in CLOSING:
        return False
    if text[1:].islower():
        return len(words) > 1
    return (
        words[-1][:1].isupper() or words[-1].isdigit()
        if start
        else len(words) > 1 and words[-1][:1].isupper()
    )


def _is_deed(words: str, name: str) -> bool:
    """True if a name that ends in a noun is read into words that end in a verb: films starring, film star."""
    return words.endswith(("ing", "ed")) and not name.endswith(words[-2:])


def _marks_belong(words: str, hit: Hit) -> bool:
    """True if a bracket or mark at either end is the name's own, and not the question's."""
    own_end = words[-1] not in CLOSING or hit.matched.endswith(words[-1])
    return own_end and (words[0] != OPENING or hit.matched.startswith(OPENING))


def _preference(mention: Mention) -> tuple[int, int, int, int]:
    """Sort key: more words, then a concept for plain lower-case words, then an exact match, then place."""
    words = mention.text.count(" ") + 1
    return (-words, -len(mention.text), 0 if mention.hits[0].how == "exact" else 1, mention.start)
