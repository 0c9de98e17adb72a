"""Mentions of entities and concepts in a question: longest first, with the alternatives kept."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from compilers.kopl.functions import Kind
from nlq_gateway.index import Index
from nlq_gateway.linking.demonyms import places_of
from nlq_gateway.linking.guesses import Guesses
from nlq_gateway.linking.literals import find_literals
from nlq_gateway.linking.texts import find_texts
from nlq_gateway.types import Hit, Links, Mention, Question
from nlq_gateway.words import STOP_WORDS, Token, tokens_of

LONGEST_MENTION = 10
DERIVED = 0.75
_OPENING, _CLOSING = "(", ")!.?"
_BESIDE = 2
_GUESSED = 80


@dataclass(frozen=True, slots=True)
class Linker:
    """Links questions to one index. Stateless: safe to share between threads."""

    index: Index

    def link(self, question: Question) -> Links:
        """What the question mentions. Longer names win over shorter ones inside them."""
        text = question.text
        tokens = tokens_of(text)
        literals = find_literals(text, self._units())
        candidates = sorted(self._known_names(text, tokens), key=_preference)
        chosen = _without_overlaps(candidates)
        chosen = self._with_places(tokens, chosen)
        texts = find_texts(self.index, text, tokens, literals, chosen)
        strings = [one for one in texts if one.hits[0].how in ("exact", "folded")]
        groups = (chosen, literals, strings)
        explained = {at for group in groups for one in group for at in range(one.start, one.end)}
        guesses = Guesses(self.index, text, tokens[:_GUESSED], explained)
        guessed = guesses.sure()
        kept = [one for one in chosen if not any(one.start < g.end and g.start < one.end for g in guessed)]
        chosen = [self._fitting(mention, kept) for mention in (*kept, *guessed)]
        taken = {(mention.start, mention.end) for mention in chosen}
        lost = [one for one in candidates if (one.start, one.end) not in taken]
        others = (*lost, *guesses.unsure())
        texts = (*texts, *guesses.texts())
        return Links(question, tuple(sorted(chosen, key=lambda m: m.start)), literals, others, texts)

    def _units(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(unit for item in self.index.schema for unit in item.units))

    def _known_names(self, text: str, tokens: tuple[Token, ...]) -> list[Mention]:
        spans = _spans(text, tokens)
        found = self.index.look_up([text[start:end] for start, end in spans], (Kind.ENTITY, Kind.CONCEPT))
        mentions = []
        for start, end in spans:
            words = text[start:end]
            hits = tuple(
                hit
                for hit in found.get(words, ())
                if _plausible(words, hit, start == 0) and _marks_belong(words, hit)
            )
            if hits:
                mentions.append(Mention(start, end, words, hits))
        return mentions

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

    def _fitting(self, mention: Mention, mentions: Iterable[Mention]) -> Mention:
        """The mention with its readings of one score in the order of what a concept beside it says."""
        if len(mention.hits) < 2 or mention.kind != Kind.ENTITY:
            return mention
        beside = [
            hit.iri
            for one in mentions
            if one.kind == Kind.CONCEPT
            and 0 <= max(one.start - mention.end, mention.start - one.end) <= _BESIDE
            for hit in one.hits
        ]
        if not beside:
            return mention
        wanted = {below for iri in beside for below in (iri, *self.index.descendants(iri))}
        entities = self.index.entities(hit.iri for hit in mention.hits)
        fits = {iri for iri, entity in entities.items() if wanted & set(entity.concepts)}
        hits = sorted(mention.hits, key=lambda hit: (-hit.score, hit.iri not in fits))
        return replace(mention, hits=tuple(hits))


def _spans(text: str, tokens: tuple[Token, ...]) -> list[tuple[int, int]]:
    """All runs of up to LONGEST_MENTION words; one with a bracket or mark at an end is tried with it too."""
    spans: dict[tuple[int, int], None] = {}
    for first, token in enumerate(tokens):
        for last in tokens[first : first + LONGEST_MENTION]:
            closed = text[last.end : last.end + 1] in tuple(_CLOSING)
            opened = token.start > 0 and text[token.start - 1] == _OPENING
            for before in range(opened + 1):
                for after in range(closed + 1):
                    spans[token.start - before, last.end + after] = None
    return list(spans)


def _plausible(words: str, hit: Hit, opens: bool) -> bool:
    """Whether a common word is really meant as a name: written as one, and not just opening the question."""
    lower = words.lower().strip("?!. ")
    if all(word in STOP_WORDS for word in lower.split()):
        return hit.how == "exact" and words[:1].isupper() and not opens
    if hit.how == "stem" and (hit.kind == Kind.ENTITY or _is_deed(lower, hit.matched.lower())):
        return False
    return len(lower) > 1 or words.isdigit()


def _is_deed(words: str, name: str) -> bool:
    """Whether a name that ends in a noun is read into words that end in a verb: films starring, film star."""
    return words.endswith(("ing", "ed")) and not name.endswith(words[-2:])


def _marks_belong(words: str, hit: Hit) -> bool:
    """Whether a bracket or mark at either end is the name's own, and not the question's."""
    own_end = words[-1] not in _CLOSING or hit.matched.endswith(words[-1])
    return own_end and (words[0] != _OPENING or hit.matched.startswith(_OPENING))


def _preference(mention: Mention) -> tuple[int, int, int, int]:
    """Sort key: more words, then a concept for plain lower-case words, then an exact match, then place."""
    words = mention.text.count(" ") + 1
    return (-words, -len(mention.text), 0 if mention.hits[0].how == "exact" else 1, mention.start)


def _without_overlaps(candidates: list[Mention]) -> list[Mention]:
    chosen: list[Mention] = []
    for mention in candidates:
        if all(mention.end <= other.start or mention.start >= other.end for other in chosen):
            chosen.append(mention)
    return chosen
