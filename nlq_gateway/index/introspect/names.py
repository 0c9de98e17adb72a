"""Labels, aliases and descriptions, in the configured order of predicates and languages."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from compilers.kopl.functions import Kind
from compilers.labels import language_rank
from compilers.layouts.vocabulary import SHACL
from connectors.results import Term
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.index.introspect.ontology import NOTHING_DECLARED, Ontology
from nlq_gateway.index.introspect.pages import value, values_block
from nlq_gateway.index.introspect.reader import StoreReader
from nlq_gateway.index.manifest import LabelPreferences
from nlq_gateway.index.text import distinct_names, fold, humanise

_NAMES_PER_QUERY = 200
_STAGE = "schema labels"
# The name of a property in a shape, for properties that have no other.
SHAPE_NAME = SHACL + "name"
_KIND_ORDER = {kind: at for at, kind in enumerate(Kind)}


@dataclass(frozen=True, slots=True, order=True)
class RankedLabel:
    """A label with its rank among the labels of one item: the least is the best."""

    rank: tuple[int, int, int]
    text: str


class LabelRanking:
    """Ranks labels: labels before aliases, then by language, then by predicate."""

    def __init__(self, settings: LabelPreferences) -> None:
        self.settings = settings
        self._seen: Counter[str] = Counter()
        self._predicates = {
            iri: (is_alias, at)
            for is_alias, group in enumerate((settings.predicates, settings.aliases))
            for at, iri in enumerate(group)
        }
        self._ranks = {**self._predicates, SHAPE_NAME: (False, len(settings.predicates))}

    @property
    def predicates(self) -> tuple[str, ...]:
        """The predicates that name things, labels and aliases."""
        return tuple(self._predicates)

    @property
    def languages(self) -> tuple[str, ...]:
        """The language tags that were seen, the most used first."""
        return tuple(tag for tag, _ in self._seen.most_common() if tag)

    def name(self, predicate: str, term: Term) -> RankedLabel | None:
        """The ranked label of a literal, or None for a blank one or another term."""
        text = " ".join(term.value.split())
        if term.kind != "literal" or not text:
            return None
        self._seen[term.language or ""] += 1
        is_alias, at = self._ranks[predicate]
        return RankedLabel((is_alias, language_rank(term.language, self.settings.languages), at), text)


def named(
    reader: StoreReader,
    names: LabelRanking,
    items: Iterable[SchemaItem],
    own: Callable[[SchemaItem], Sequence[str]],
    ontology: Ontology = NOTHING_DECLARED,
) -> tuple[SchemaItem, ...]:
    """The items with labels, aliases and descriptions, by kind and then the most used first.

    `own` gives the names from an item's IRI; the first is the label of an item without one. The ontology's
    shapes name further items without a label.
    """
    reader.begin(_STAGE)
    items = tuple(items)
    found, notes = _schema_names(reader, names, sorted({item.iri for item in items}))
    complete = []
    for iri, terms in ontology.names.items():
        found[iri] = found.get(iri) or [one for term in terms if (one := names.name(SHAPE_NAME, term))]
    for iri, terms in ontology.notes.items():
        notes.setdefault(iri, terms[0].value)
    for item in items:
        label, aliases = _schema_label(found.get(item.iri, ()), own(item))
        complete.append(replace(item, label=label, aliases=aliases, description=notes.get(item.iri, "")))
    return tuple(sorted(complete, key=lambda item: (_KIND_ORDER[item.kind], -item.count, item.iri)))


def _schema_names(
    reader: StoreReader, names: LabelRanking, iris: Sequence[str]
) -> tuple[dict[str, list[RankedLabel]], dict[str, str]]:
    """Labels and one description of each IRI that has them."""
    found: dict[str, list[RankedLabel]] = defaultdict(list)
    notes: dict[str, str] = {}
    # A second VALUES would make Oxigraph read the whole graph, and join it with all pairs.
    asked = ", ".join(f"<{iri}>" for iri in (*names.predicates, *names.settings.descriptions))
    for start in range(0, len(iris), _NAMES_PER_QUERY):
        chunk = values_block("x", iris[start : start + _NAMES_PER_QUERY])
        text = f"SELECT ?x ?p ?label WHERE {{ {chunk} ?x ?p ?label FILTER(?p IN ({asked})) }}"
        for subject, predicate, label in reader.listed(text, _STAGE):
            if label is None or label.kind != "literal":
                continue
            if value(predicate) in names.settings.descriptions:
                notes[value(subject)] = min(label.value, notes.get(value(subject), label.value))
            elif name := names.name(value(predicate), label):
                found[value(subject)].append(name)
    return found, notes


def _schema_label(found: Iterable[RankedLabel], own: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Label and aliases of a schema item.

    Without a label the IRI's own names are used. Its words are an alias if they split a label's words
    (`ImdbRating` and "imdbrating").
    """
    texts = list(distinct_names(name.text for name in sorted(found)))
    if not texts:
        return own[0], tuple(own[1:])
    words = own[0]
    known = {fold(humanise(text)) for text in texts}
    joined = {text.replace(" ", "") for text in known}
    if fold(words) not in known and fold(words).replace(" ", "") in joined:
        texts.append(words)
    return texts[0], tuple(texts[1:])
