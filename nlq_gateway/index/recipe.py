"""The sources of an index: a version with another recipe does not fit."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass

from connectors.base import Connector
from nlq_gateway.index.embedding import Embedder
from nlq_gateway.index.manifest import FORMAT, BuildLimits, LabelPreferences, Layout, Manifest


@dataclass(frozen=True, slots=True)
class Recipe:
    """The store and the settings of a build, each as text.

    `parts` are by the names used in messages about a version that does not fit; `data` is the gateway's
    fingerprint of the content, if it has one.
    """

    parts: Mapping[str, str]

    @classmethod
    def of(
        cls,
        connector: Connector,
        layout: Layout,
        *,
        labels: LabelPreferences,
        embedder: Embedder | None,
        limits: BuildLimits,
        data: str = "",
    ) -> Recipe:
        """The recipe of a `build` with these arguments; `data` as for `ensure`."""
        settings = {**asdict(labels), **asdict(limits)}
        return cls(
            {
                "format": str(FORMAT),
                "address": connector.address,
                "layout": layout,
                "embedding": embedder.name if embedder is not None else "",
                "data": data,
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
