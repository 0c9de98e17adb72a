"""The schema of one graph as the drafter's choices, and the filter for an argument's choices."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from compilers.kopl.functions import FUNCTIONS, Kind, Parameter, ValueType
from compilers.kopl.program import Step
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.drafts.drafter.ends import end_vectors
from nlq_gateway.drafts.drafter.offers import Offers
from nlq_gateway.drafts.drafter.value_nodes import ValueNode, value_nodes_of
from nlq_gateway.drafts.drafter.vocabulary import KIND_ID
from nlq_gateway.index import Index, shipped_embedder
from nlq_gateway.neural import Array

_OF_FACTS = ("FilterStr", "FilterNum", "FilterYear", "FilterDate", "Relate")

Chosen = dict[tuple[int, int], int]


@dataclass(frozen=True)
class Catalogue:
    """Items with the vectors of their labels, shape (items, width).

    `nodes` are value nodes, whose items have the IRIs of the relations to them.
    """

    items: tuple[SchemaItem, ...]
    vectors: Array
    nodes: Mapping[str, ValueNode] = field(default_factory=dict)

    def node(self, item: int) -> ValueNode | None:
        """The value node that an item stands for; None for an item of the graph."""
        one = self.items[item]
        return self.nodes.get(one.iri) if one.kind == Kind.ATTRIBUTE else None

    @classmethod
    def of(cls, index: Index) -> Catalogue:
        """The catalogue of an index, by the model that the drafter learned with, whichever the index has.

        Labels that the index has verbatim have its own vectors where they are of that model.
        """
        embedder = shipped_embedder()
        is_same = index.manifest.embedding == embedder.name
        texts = (text for _, text in index.schema_texts)
        known = dict(zip(texts, np.asarray(index.schema_vectors), strict=True)) if is_same else {}
        nodes = value_nodes_of(index)
        schema = (*index.schema, *(one.item for one in nodes.values()))
        items = tuple(item for item in schema if item.kind in KIND_ID and item.label.strip())
        new = [label for label in dict.fromkeys(item.label for item in items) if label not in known]
        known.update(zip(new, embedder.encode(new), strict=True))
        return cls(items, np.array([known[item.label] for item in items], np.float32), nodes)

    @cached_property
    def kinds(self) -> NDArray[np.int64]:
        """The number of each item's kind."""
        return np.array([KIND_ID[item.kind] for item in self.items], np.int64)

    @property
    def ends(self) -> Array:
        """What has each item and where it leads, as mean vectors of labels, shape (items, 2 × width)."""
        rows = dict(zip((item.iri for item in self.items), self.vectors, strict=True))
        return end_vectors(((item.domains, item.ranges) for item in self.items), rows)

    @cached_property
    def offers(self) -> Offers:
        """The items' labels, for choosing those to offer first."""
        return Offers([item.label for item in self.items], self.vectors)

    def fitting_kind(self, wanted: Parameter) -> NDArray[np.bool_]:
        """A mask of the items of the wanted kind."""
        found: NDArray[np.bool_] = self.kinds == KIND_ID[wanted.kind]
        return found

    def fitting(
        self, wanted: Parameter, steps: tuple[Step, ...], chosen: Chosen, typed: Collection[ValueType]
    ) -> NDArray[np.bool_]:
        """A mask of the items that may be the next argument of the last step, given the earlier choices.

        `typed` are the types of the question's values, of which the item may have any.
        """
        fits = self.fitting_kind(wanted)
        value_type = _value_type(steps[-1])
        if value_type in typed:
            fits = fits & np.logical_or.reduce([self._with_type[one] for one in typed])
        elif value_type is not None:
            fits = fits & self._with_type[value_type]
        if wanted.kind == Kind.QUALIFIER:
            fits = fits & self._known_qualifiers(steps, chosen)
        return fits

    def _known_qualifiers(self, steps: tuple[Step, ...], chosen: Chosen) -> NDArray[np.bool_]:
        """A mask of the qualifiers seen on the facts of the last step; of all where these are not known."""
        step = len(steps) - 1
        fact = chosen.get((step, 0))
        before = step
        while fact is None and steps[before].dependencies:
            before = steps[before].dependencies[0]
            if steps[before].function in _OF_FACTS:
                fact = chosen.get((before, 0))
        known = self.items[fact].qualifiers if fact is not None else ()
        found = np.full(len(self.items), fact is None or not any(one.qualifiers for one in self.items))
        found[[self._qualifiers[iri] for iri in known if iri in self._qualifiers]] = True
        return found

    @cached_property
    def _with_type(self) -> dict[ValueType, NDArray[np.bool_]]:
        return {
            one: np.fromiter((one in item.value_types for item in self.items), bool, len(self.items))
            for one in ValueType
        }

    @cached_property
    def _qualifiers(self) -> dict[str, int]:
        return {item.iri: at for at, item in enumerate(self.items) if item.kind == Kind.QUALIFIER}


def _value_type(step: Step) -> ValueType | None:
    """The type of the value in a function's comparison."""
    parameters = FUNCTIONS[step.function].parameters
    return next((one.value_type for one in parameters if one.value_type is not None), None)
