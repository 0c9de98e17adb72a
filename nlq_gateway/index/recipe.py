"""The sources of an index: a version with another recipe does not fit."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field

from connectors.base import Connector
from nlq_gateway.index.embedding import Embedder
from nlq_gateway.index.manifest import FORMAT, BuildLimits, LabelPreferences, Layout, Manifest


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """The settings of a build.

    `labels` are the predicates and languages of names, `limits` the bounds on time and size; without an
    `embedder` there are no vectors. `endpoint` is the endpoint's id, for the manifest, and `prefixes` are the
    graph's own, besides which others are made for namespaces without one. `data` is the caller's fingerprint
    of the content, such as sizes and times of files, "" if it has none.
    """

    labels: LabelPreferences = field(default_factory=LabelPreferences)
    limits: BuildLimits = field(default_factory=BuildLimits)
    embedder: Embedder | None = None
    endpoint: str = ""
    prefixes: Mapping[str, str] = field(default_factory=dict)
    data: str = ""


USUAL = BuildOptions()


@dataclass(frozen=True, slots=True)
class Recipe:
    """The store and the settings of a build, each as text.

    `parts` are by the names used in messages about a version that does not fit.
    """

    parts: Mapping[str, str]

    @classmethod
    def of(cls, connector: Connector, layout: Layout, options: BuildOptions) -> Recipe:
        """The recipe of a `build` with these arguments."""
        settings = {**asdict(options.labels), **asdict(options.limits)}
        return cls(
            {
                "format": str(FORMAT),
                "address": connector.address,
                "layout": layout,
                "embedding": options.embedder.name if options.embedder is not None else "",
                "data": options.data,
                **{name: str(value) for name, value in settings.items()},
            }
        )

    @property
    def fingerprint(self) -> str:
        """A short hash of the recipe."""
        return hashlib.sha256(repr(sorted(self.parts.items())).encode()).hexdigest()[:16]

    def differences(self, manifest: Manifest) -> Iterator[str]:
        """The differences of a version's recipe from this one, in words; none if it fits."""
        for name in sorted({*self.parts, *manifest.recipe}):
            wanted, has = self.parts.get(name, ""), manifest.recipe.get(name, "")
            if wanted != has:
                yield f"{name} is {has or 'none'}, not {wanted or 'none'}"
