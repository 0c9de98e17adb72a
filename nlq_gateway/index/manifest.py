"""What an index says about itself, and the settings that it was built with."""

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

FORMAT = 5
MANIFEST = "manifest.json"
ITEMS = "items.sqlite"
SCHEMA_VECTORS = "schema.npy"

_FOAF = WELL_KNOWN_PREFIXES["foaf"]


@dataclass(frozen=True, slots=True)
class LabelSettings:
    """Which predicates name things, as full IRIs, and which languages come first.

    `predicates` and `languages` are in order of preference. A literal without a language tag comes
    after the languages listed, and before all others.
    """

    predicates: tuple[str, ...] = (
        RDFS + "label",
        SKOS + "prefLabel",
        SCHEMA + "name",
        "https://schema.org/name",
        _FOAF + "name",
    )
    aliases: tuple[str, ...] = (
        SKOS + "altLabel",
        SCHEMA + "alternateName",
        "https://schema.org/alternateName",
    )
    descriptions: tuple[str, ...] = (RDFS + "comment", SKOS + "definition")
    languages: tuple[str, ...] = ("en",)


@dataclass(frozen=True, slots=True)
class BuildLimits:
    """Bounds on a build: what is beyond them is left out, and the manifest says so.

    `seconds` bounds the listing of entities, `entities` their number, `vectors` how many of them are
    embedded. `texts` bounds the strings that are kept as values, `texts_each` those of one predicate, and
    `text_seconds` the time for reading them. `page_rows` and `query_ms` bound one request; `sample_facts`
    is how many facts of a predicate are looked at where the store cannot group all of them in time. Classes
    and predicates belong to the schema when they begin like one of `include` (empty: all do) and like none
    of `exclude`.
    """

    seconds: float = 900.0
    entities: int = 1_000_000
    vectors: int = 10_000
    texts: int = 200_000
    texts_each: int = 20_000
    text_seconds: float = 120.0
    page_rows: int = 50_000
    query_ms: int = 60_000
    sample_facts: int = 20_000
    examples: int = 5
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    def wants(self, iri: str) -> bool:
        """Whether a class or predicate belongs to the schema."""
        return iri.startswith(self.include or "") and not iri.startswith(self.exclude)


@dataclass(frozen=True, slots=True)
class Manifest:
    """What one version of an index holds.

    `fingerprint` stands for the endpoint and the settings, `version` for the content and the time.
    `sampled` says what is incomplete and why; `embedding` is the model's name, "" without vectors.
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
    prefixes: dict[str, str] = field(default_factory=dict)
    languages: tuple[str, ...] = ()
    embedding: str = ""
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
            if values["format"] != FORMAT or set(values) != {field.name for field in fields(cls)}:
                raise ValueError(f"its format is {values['format']}, not {FORMAT}")
        except FileNotFoundError as error:
            raise IndexMissing(
                f"There is no index in {folder}.", hint="Build it with `nlq index`."
            ) from error
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise IndexDamaged(
                f"The manifest of {folder} cannot be used: {error}.",
                hint="Delete the folder and build it again with `nlq index`.",
            ) from error
        return cls(**{**values, "languages": tuple(values["languages"])})
