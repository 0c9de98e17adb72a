"""The facts about a question for a prompt: its names, possible names, values, and facts around them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from compilers.kopl.functions import Kind
from nlq_gateway.core.types import Hit, Links, Mention, TextMention
from nlq_gateway.drafts.generation.context.entities import like_names
from nlq_gateway.drafts.generation.context.facts import surest
from nlq_gateway.drafts.generation.known import Fact, Known, KnownName
from nlq_gateway.index import Index

MOST_CANDIDATES, MOST_VALUES, MOST_CLASSES = 8, 8, 2
_EACH, _HOLDERS = 2, 3
_LIKELY = 0.5


def known_of(index: Index, links: Links, facts: Sequence[Fact] = (), card: str = "") -> Known:
    """The prompt's facts about a linked question, names and values in its order."""
    entities = _hits(links.mentions, Kind.ENTITY)
    taken = {hit.label for hit, _ in entities}
    candidates = [one for one in _candidates(index, links) if one[0].label not in taken]
    concepts = (hit.label for hit, _ in _hits(links.mentions, Kind.CONCEPT))
    return Known(
        links.question.text,
        named(index, entities),
        tuple(dict.fromkeys(concepts)),
        tuple(facts),
        named(index, candidates)[:MOST_CANDIDATES],
        tuple(_values(index, links.texts))[:MOST_VALUES],
        card,
    )


def named(index: Index, found: Sequence[tuple[Hit, str]]) -> tuple[KnownName, ...]:
    """Entities, each with its classes and the words that may mean it; namesakes of one class are counted."""
    items = index.entities(hit.iri for hit, _ in found)
    labels = [
        (hit.label, _classes(index, items[hit.iri].concepts if hit.iri in items else ())) for hit, _ in found
    ]
    often = Counter(labels)
    words = dict(zip(reversed(labels), (text for _, text in reversed(found)), strict=True))
    return tuple(
        KnownName(
            label,
            about if often[label, about] == 1 else f"{often[label, about]} × {about or 'so called'}",
            "" if words[label, about].casefold() == label.casefold() else words[label, about],
        )
        for label, about in dict.fromkeys(labels)
    )


def classes_of(index: Index, labels: Iterable[str]) -> dict[str, str]:
    """The classes of the entities with these labels; of namesakes, the one with the most facts counts."""
    found = ((label, index.entities_named(label)) for label in dict.fromkeys(labels))
    return {label: _classes(index, entities[0].concepts) for label, entities in found if entities}


def _classes(index: Index, concepts: Iterable[str]) -> str:
    return ", ".join([item.label for item in index.items(Kind.CONCEPT, concepts)[:MOST_CLASSES]])


def _hits(mentions: Iterable[Mention], kind: Kind) -> list[tuple[Hit, str]]:
    """The best readings of a kind, each with the words."""
    pairs = ((hit, one.text) for one in mentions for hit in surest(one) if hit.kind == kind)
    return list({hit.iri: (hit, text) for hit, text in pairs}.values())


def _candidates(index: Index, links: Links) -> list[tuple[Hit, str]]:
    """Candidate entities for words of the question: uncertain ones of linking, and similar names."""
    unsure = ((hit, one.text) for one in links.others for hit in one.hits[:_EACH] if hit.kind == Kind.ENTITY)
    likely = [(hit, text) for hit, text in unsure if hit.score >= _LIKELY]
    near = like_names(index, links) if index.manifest.counts.get("entity vectors") else ()
    return list({hit.iri: (hit, text) for hit, text in (*likely, *near)}.values())


def _values(index: Index, texts: Iterable[TextMention]) -> Iterator[KnownName]:
    """Strings of the graph equal or similar to words of the question, with their attributes."""
    seen: set[str] = set()
    for mention in texts:
        for hit in mention.hits[:_EACH]:
            if hit.score >= _LIKELY and hit.value not in seen:
                seen.add(hit.value)
                having = ", ".join(dict.fromkeys(holders(index, sorted(hit.predicates))))
                yield KnownName(hit.value, having, "" if mention.text == hit.value else mention.text)


def holders(index: Index, predicates: Sequence[str]) -> Iterator[str]:
    """`citizenship of singer`, for the first attributes and qualifiers among these."""
    found = (index.item(kind, iri) for iri in predicates for kind in (Kind.ATTRIBUTE, Kind.QUALIFIER))
    for item in [one for one in found if one is not None][:_HOLDERS]:
        holder = index.item(Kind.CONCEPT, item.domains[0][0]) if item.domains else None
        yield f"{item.label} of {holder.label}" if holder else item.label
