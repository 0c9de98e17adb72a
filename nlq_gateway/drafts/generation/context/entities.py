"""The entities that a question may mean: those that linking found, and those with similar names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from compilers.kopl.functions import Kind
from nlq_gateway.core.types import Hit, Links
from nlq_gateway.core.words import Token, tokens_of
from nlq_gateway.drafts.generation.context.phrases import phrases_of
from nlq_gateway.index import Index
from nlq_gateway.language.tables import words

MOST_ENTITIES = 40
_LONGEST, _LONGEST_WORDS = 12, 3
_MOST_SPANS = 12
_NEAREST = 3
_LIKE_A_NAME, _LIKE_A_WORD = 0.6, 0.8
# Words between names, hardly ever inside one.
_BREAKS = words("name_breaks")


def entities_of(index: Index, links: Links) -> tuple[str, ...]:
    """The labels, the best first, each once, at most `MOST_ENTITIES`.

    Names that linking did not find verbatim are looked up by meaning, among the entities that the index has
    vectors for: "30th annual Oscars".
    """
    mentions = (*links.mentions, *links.others)
    linked = (hit.label for one in mentions for hit in one.hits if hit.kind == Kind.ENTITY)
    near = _near(index, links) if index.manifest.counts.get("entity vectors") else []
    return tuple(dict.fromkeys((*linked, *(hit.label for hit, _ in near))))[:MOST_ENTITIES]


def _near(index: Index, links: Links) -> list[tuple[Hit, str]]:
    """The entities with a name similar to a stretch of the question, the most similar first."""
    phrases = [phrase.text for phrase in phrases_of(links, _LONGEST_WORDS)]
    return sorted((*like_names(index, links), *_alike(index, phrases, _LIKE_A_WORD)), key=_order)


def like_names(index: Index, links: Links) -> tuple[tuple[Hit, str], ...]:
    """Entities with a name similar to a name-like stretch of the question, each with the stretch."""
    return tuple(sorted(_alike(index, _spans(links), _LIKE_A_NAME), key=_order))


def _alike(index: Index, texts: Sequence[str], least: float) -> Iterator[tuple[Hit, str]]:
    near = zip(texts, index.nearest(Kind.ENTITY, texts, _NEAREST), strict=True)
    return ((hit, text) for text, hits in near for hit in hits if hit.score >= least)


def _order(pair: tuple[Hit, str]) -> tuple[float, str]:
    return -pair[0].score, pair[0].iri


def _spans(links: Links) -> list[str]:
    """Stretches that look like names and lie in no mention, the longest first."""
    tokens = tokens_of(links.question.text)
    found = [
        run
        for first in range(len(tokens))
        for last in range(first, min(first + _LONGEST, len(tokens)))
        if _is_name(run := tokens[first : last + 1], opens=first == 0) and not _is_explained(run, links)
    ]
    found.sort(key=lambda run: (-len(run), run[0].start))
    spans = (links.question.text[run[0].start : run[-1].end] for run in found)
    return list(dict.fromkeys(spans))[:_MOST_SPANS]


def _is_name(run: Sequence[Token], *, opens: bool) -> bool:
    """True if a run begins and ends like a name, without words inside that only sentences have."""
    ends = (run[0], run[-1])
    ends_well = all(token.capitalised or token.text[0].isdigit() for token in ends) and any(
        token.capitalised for token in run
    )
    return ends_well and not (opens and len(run) == 1) and _BREAKS.isdisjoint(token.lower for token in run)


def _is_explained(run: Sequence[Token], links: Links) -> bool:
    start, end = run[0].start, run[-1].end
    return (run[0].text.isdigit() and len(run) == 1) or any(
        one.start <= start and end <= one.end for one in links.mentions
    )
