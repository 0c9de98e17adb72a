"""Responses as dictionaries, which both the gateway's description of itself and its clients declare."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypeAlias

from typing_extensions import TypedDict

from nlq_gateway.trace.part import Count, Json, SentAs
from nlq_gateway.trace.parts import MeantHere, ValueTrace

SchemaKind = Literal["concept", "relation", "attribute", "qualifier"]
ValueJson: TypeAlias = Annotated[Json, SentAs(ValueTrace)]
PinJson: TypeAlias = Annotated[Json, SentAs(MeantHere)]


class Suggestion(TypedDict):
    """A completion of a question: a whole question, or a name, with its owner's label if that differs."""

    text: str
    kind: Literal["question", "entity", "concept", "relation", "attribute", "term"]
    iri: NotRequired[str]
    label: NotRequired[str]


class Meant(TypedDict):
    """An entity or class that a name may refer to."""

    kind: Literal["entity", "concept"]
    iri: str
    label: str


class AlsoMeant(Meant):
    """Another meaning of a name; `about` has the classes of a thing."""

    about: str


class AskedOf(TypedDict):
    """A question, "" where there are no words for it, with its program and its pins for `/run`."""

    question: str
    program: str
    pins: list[PinJson]


class FactGroup(AskedOf):
    """The facts of one attribute or relation of a thing; `more` says that there are others than `values`."""

    kind: Literal["relation", "attribute"]
    iri: str
    label: str
    direction: Literal["forward", "backward"]
    values: list[ValueJson]
    more: bool


class Described(TypedDict):
    """A thing with its facts, or a class with what can be asked of it."""

    dataset: str
    kind: Literal["entity", "concept"]
    iri: str
    label: str
    aliases: list[str]
    concepts: list[Meant]
    description: str
    count: Count | None
    groups: list[FactGroup]
    questions: list[AskedOf]
    left_out: Count
    others: list[AlsoMeant]


class PathEnd(Meant):
    """An end of a path, and what else its name may stand for."""

    others: list[AlsoMeant]


class PathRelation(TypedDict):
    """A relation between two things of a path; its fact leads along the path (`forward`) or against it."""

    iri: str
    label: str
    direction: Literal["forward", "backward"]


class FoundPath(TypedDict):
    """The things of a path in order, and between each two all relations that connect them."""

    things: list[Meant]
    relations: list[list[PathRelation]]


class Connected(TypedDict):
    """The shortest paths between two things; `more` says that others are as short.

    Where `complete` is true, no path is shorter, and without `paths` none has at most `longest` relations;
    where it is false, the search was cut off.
    """

    dataset: str
    ends: list[PathEnd]
    paths: list[FoundPath]
    more: bool
    longest: Count
    complete: bool


class ModelState(TypedDict):
    """The language model that is configured."""

    name: str
    status: str
    detail: NotRequired[str]


class Dataset(TypedDict):
    """A graph that can be asked; one that is not ready says why in `detail`."""

    id: str
    aliases: list[str]
    status: Literal["ready", "loading", "down"]
    layout: str
    dialect: str
    detail: NotRequired[str]
    examples: NotRequired[list[str]]
    languages: NotRequired[list[str]]
    counts: NotRequired[dict[str, Count]]
    demonstrations: NotRequired[Count]
    index_version: NotRequired[str]
    store_ui: NotRequired[str]


class Datasets(TypedDict):
    """The datasets, the default first; strategies, and the use of feedback."""

    datasets: list[Dataset]
    strategies: list[str]
    feedback: Literal["off", "review", "trusted"]
    yasgui: NotRequired[str]
    pictures: NotRequired[list[str]]
    model: NotRequired[ModelState]


class Named(TypedDict):
    """An item of the graph, and its names."""

    iri: str
    label: str


class SchemaEntry(TypedDict):
    """A class, relation, attribute or qualifier; `count` is of its members or facts."""

    kind: SchemaKind
    iri: str
    label: str
    aliases: NotRequired[list[str]]
    description: NotRequired[str]
    count: Count
    parents: NotRequired[list[Named]]
    domain: NotRequired[list[Named]]
    range: NotRequired[list[Named]]
    datatypes: NotRequired[list[Literal["string", "quantity", "year", "date"]]]
    units: NotRequired[list[str]]
    examples: NotRequired[list[str]]
    qualifiers: NotRequired[list[Named]]
    predicate: NotRequired[str]
    inverse: NotRequired[list[Named]]


class SchemaCounts(TypedDict):
    """The numbers of items in the whole schema, for any query."""

    concept: Count
    relation: Count
    attribute: Count
    qualifier: Count


class SchemaListing(TypedDict):
    """The items of a graph's schema that match the query."""

    dataset: str
    index_version: str
    query: str
    counts: SchemaCounts
    items: list[SchemaEntry]
    truncated: bool
    prefixes: dict[str, str]
    class_predicate: str
    functions: list[str]


class FeedbackTaken(TypedDict):
    """The state of feedback; `demonstration` is true if it is used from now on."""

    feedback: Count
    state: Literal["pending", "approved", "rejected"]
    trace: str
    dataset: str
    demonstration: bool
