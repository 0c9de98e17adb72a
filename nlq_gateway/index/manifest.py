"""The description of an index, and the settings of its build."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, Literal

from compilers.layouts.vocabulary import RDFS, SCHEMA, SKOS, WELL_KNOWN_PREFIXES
from nlq_gateway.index.errors import IndexDamaged, IndexMissing

Layout = Literal[
    "direct", "kqapro", "wikidata", "reification", "rdf12", "rdf_star", "singleton", "graph_per_fact"
]

FORMAT = 20
_TUPLES = ("languages", "warnings", "label_predicates", "labelled")
MANIFEST = "manifest.json"
ITEMS = "items.sqlite"
SCHEMA_VECTORS = "schema.npy"

_FOAF = WELL_KNOWN_PREFIXES["foaf"]


@dataclass(frozen=True, slots=True)
class LabelPreferences:
    """The predicates that name things, as full IRIs, and the order of languages.

    `predicates` and `languages` are in order of preference. A literal without a language tag comes
    after the languages listed, and before all others. An attribute called by one of the `naming_words` names
    the things of a class that have no label; without such words none does.
    """

    predicates: tuple[str, ...] = (
        RDFS + "label",
        SKOS + "prefLabel",
        SCHEMA + "name",
        "https://schema.org/name",
        _FOAF + "name",
        WELL_KNOWN_PREFIXES["dcterms"] + "title",
    )
    aliases: tuple[str, ...] = (
        SKOS + "altLabel",
        SKOS + "hiddenLabel",
        SKOS + "notation",
        SCHEMA + "alternateName",
        "https://schema.org/alternateName",
    )
    descriptions: tuple[str, ...] = (RDFS + "comment", SKOS + "definition")
    languages: tuple[str, ...] = ("en",)
    naming_words: tuple[str, ...] = ()


_LEAST_SAMPLE = 300


@dataclass(frozen=True, slots=True)
class BuildLimits:
    """Bounds on a build: the rest is left out, and the manifest notes it.

    `seconds` bounds the reading of the store, `entities` the number kept, `vectors` the number embedded.
    `texts` bounds the strings that are kept as values, `texts_each` those of one predicate, and
    `text_seconds` the time for reading them. `page_rows` and `query_ms` bound one request; `sample_facts` is
    the number of facts read of a predicate if the store cannot group all of them in time, and `sample_total`
    that of all predicates together, at least 300 of each. Classes and predicates belong to the schema if they
    begin like one of `include` (empty: all do) and like none of `exclude`. `graphs` are the named graphs that
    belong to the endpoint, None for all that the store shows. With `names_in_store` entities are looked up in
    the store, and only a sample is kept.
    """

    seconds: float = 900.0
    entities: int = 1_000_000
    vectors: int = 10_000
    texts: int = 200_000
    texts_each: int = 20_000
    text_seconds: float = 120.0
    page_rows: int = 100_000
    query_ms: int = 60_000
    sample_facts: int = 20_000
    sample_total: int = 400_000
    examples: int = 5
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    names_in_store: bool = False
    graphs: tuple[str, ...] | None = None

    def sample_of(self, predicates: int) -> int:
        """The number of facts to read of each of so many predicates."""
        return min(self.sample_facts, max(_LEAST_SAMPLE, self.sample_total // max(1, predicates)))

    def wants(self, iri: str) -> bool:
        """True if a class or predicate belongs to the schema."""
        return iri.startswith(self.include or "") and not iri.startswith(self.exclude)


@dataclass(frozen=True, slots=True)
class Manifest:
    """The contents of one version of an index.

    `fingerprint` identifies the endpoint and the settings, `version` the content and the time.
    `label_predicates` are the predicates of names in use, `naming` has the one of each class of which the
    things have no other label, `labelled` are the largest classes of which most things have one. `sampled`
    maps incomplete parts to the reason, `warnings` are contradictions; `embedding` is the model's name, ""
    without vectors. `recipe` are the sources of the build, `state` the store's statement about its content.
    """

    endpoint: str
    address: str
    layout: Layout
    version: str
    fingerprint: str
    built_at: str
    seconds: float
    counts: dict[str, int] = field(default_factory=dict)
    sampled: dict[str, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    label_predicates: tuple[str, ...] = ()
    naming: dict[str, str] = field(default_factory=dict)
    labelled: tuple[str, ...] = ()
    prefixes: dict[str, str] = field(default_factory=dict)
    languages: tuple[str, ...] = ()
    embedding: str = ""
    recipe: dict[str, str] = field(default_factory=dict)
    state: dict[str, str] = field(default_factory=dict)
    format: int = FORMAT

    def write(self, folder: Path) -> None:
        """Write `manifest.json`; the last file of a build, so that a folder with one is complete."""
        text = json.dumps(asdict(self), ensure_ascii=False, indent=2, sort_keys=True)
        (folder / MANIFEST).write_text(text + "\n", encoding="utf-8")

    @classmethod
    def read(cls, folder: Path) -> Manifest:
        """Read `manifest.json`.

        Raises:
            IndexMissing: when there is none.
            IndexDamaged: when it is not of this format.
        """
        try:
            values: dict[str, Any] = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
            if values["format"] != FORMAT:
                raise ValueError(f"its format is {values['format']}, not {FORMAT}")
            if set(values) != {field.name for field in fields(cls)}:
                raise ValueError("it has other keys than a manifest of its format")
        except FileNotFoundError as error:
            raise IndexMissing(
                "There is no index yet.", place=folder, hint="Build it with `nlq index`."
            ) from error
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise IndexDamaged(
                f"The manifest of the index cannot be used: {type(error).__name__}.",
                place=folder,
                hint="Delete the folder and build it again with `nlq index`.",
            ) from error
        tuples = {name: tuple(values[name]) for name in _TUPLES}
        return cls(**{**values, **tuples})
