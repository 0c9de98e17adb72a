"""The facts of a thing, and the questions about a class: each group of facts with its question."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from compilers.answers import AnswerValue
from compilers.errors import CompilerError
from compilers.kopl.functions import Kind, ValueType
from compilers.kopl.program import Program, Step
from connectors.errors import EndpointRefusedQuery, EndpointTimeout, IncompleteResult
from nlq_gateway.answering.attempt import Ask, carry_out
from nlq_gateway.core.types import Draft, EntityItem, Hit, SchemaItem
from nlq_gateway.drafts.generation.looking import things
from nlq_gateway.drafts.reasoning import Facts, Vocabulary
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.index import Index
from nlq_gateway.index.members import is_told_by_label
from nlq_gateway.question.linking.forms import other_forms
from nlq_gateway.trace import Recorder

# Values shown of each group; its question has all.
SHOWN = 5
MOST_QUESTIONS = 12
# A slow store is asked for no more groups after so long, and for one so long.
_SECONDS, _GROUP_MS = 10.0, 3_000
_MOST_OF_A_SORT = 2
_MOST_MEMBERS = 4
Choices = dict[tuple[int, int], tuple[str, ...]]

_SOURCE = "describe"
_DESCRIBED = (Kind.ENTITY, Kind.CONCEPT)
_MOST_MEANT = 5
# The largest class of which a list of all members is suggested.
_MOST_LISTED = 500
# Groups that the store refuses or does not answer in time are left out.
_NOT_TOLD = (EndpointRefusedQuery, EndpointTimeout, IncompleteResult, CompilerError)
_ORDERED = (ValueType.QUANTITY, ValueType.DATE, ValueType.YEAR)


@dataclass(frozen=True, slots=True)
class SuggestedQuestion:
    """A question, "" where there are no words for it, and the draft that answers it."""

    question: str
    draft: Draft


@dataclass(frozen=True, slots=True)
class DescribedFacts:
    """The facts of one attribute or relation; `more` says that there are others than `values`."""

    item: SchemaItem
    direction: str
    asked: SuggestedQuestion
    values: tuple[AnswerValue, ...]
    more: bool


@dataclass(frozen=True, slots=True)
class Description:
    """A thing or a class; `left_out` counts the attributes and relations that are not described."""

    kind: Kind
    iri: str
    label: str
    aliases: tuple[str, ...] = ()
    concepts: tuple[SchemaItem, ...] = ()
    text: str = ""
    count: int | None = None
    groups: tuple[DescribedFacts, ...] = ()
    questions: tuple[SuggestedQuestion, ...] = ()
    left_out: int = 0


def meant_by(index: Index, name: str) -> tuple[Hit, ...]:
    """The things and classes that a name may mean, best first.

    Those that bear it, or else a form of it such as the name without its article; else those that it
    misspells or is a part of.
    """
    forms = (name, *other_forms(name))
    named = index.look_up(forms, _DESCRIBED)
    # A search may be a query of the store: one of the name, and one without its article or title.
    searched = dict.fromkeys((name, min(forms, key=len)))
    near = (index.near(form, _DESCRIBED, _MOST_MEANT) for form in searched)
    return next(filter(None, chain(map(named.get, forms), near)), ())


@dataclass(frozen=True, slots=True)
class ThingDescriber:
    """Describes what an endpoint's graph has; `around` gives the predicates around an IRI."""

    endpoint: Endpoint
    around: Facts
    language: str

    def thing(self, thing: EntityItem, facts: int | None = None) -> Description:
        """The facts of a thing, both directions, the most used relations first. Raises EndpointError.

        Of so many `facts` alone those that tell most are described.
        """
        index = self.endpoint.index
        having = things.having(index, self.around)
        asked = [(item, "forward", things.value_of(thing, item)) for item in having.attributes]
        asked += [(item, way, things.led_to(thing, item, way)) for item, way in having.relations]
        told = list(self._told(asked if facts is None else sorted(asked, key=_dullness)[:facts]))
        return Description(
            Kind.ENTITY,
            thing.iri,
            thing.label,
            thing.aliases,
            index.items(Kind.CONCEPT, thing.concepts),
            groups=tuple(one for one in told if one is not None),
            left_out=len(having.left_out) + len(asked) - len(told),
        )

    def _told(
        self, asked: Sequence[tuple[SchemaItem, str, things.ThingProgram]]
    ) -> Iterator[DescribedFacts | None]:
        """The groups, as many as there is time for; None for one without facts."""
        until = time.monotonic() + _SECONDS
        for item, way, one in asked:
            if time.monotonic() > until:
                return
            yield self._group(item, way, one)

    def _group(self, item: SchemaItem, way: str, asked: things.ThingProgram) -> DescribedFacts | None:
        draft = Draft(asked.program, _SOURCE, 1.0, choices=dict(asked.choices))
        request = Ask("", language=self.language, max_rows=2 * SHOWN, timeout_ms=_GROUP_MS)
        with suppress(*_NOT_TOLD):
            outcome = carry_out(self.endpoint, request, draft, {}, Recorder(), near=False)
            values = outcome.answer.values if outcome.answer is not None else ()
            more = len(values) > SHOWN or (outcome.result is not None and outcome.result.truncated)
            if values:
                question = self.endpoint.judge.words_of(draft)
                return DescribedFacts(item, way, SuggestedQuestion(question, draft), values[:SHOWN], more)
        return None


@dataclass(frozen=True)
class Asking:
    """The questions about a class, by the attributes and relations of its members.

    `around` gives the predicates around a thing.
    """

    endpoint: Endpoint
    around: Callable[[str], Facts]

    def about(self, concept: SchemaItem) -> Description:
        """The class with questions about it, the plainest first. Raises EndpointError."""
        questions = tuple(self.worded(concept))
        return Description(
            Kind.CONCEPT,
            concept.iri,
            concept.label,
            concept.aliases,
            self.endpoint.index.items(Kind.CONCEPT, concept.parents),
            concept.description,
            concept.count,
            questions=questions,
        )

    def worded(self, concept: SchemaItem) -> Iterator[SuggestedQuestion]:
        """The questions about a class, each once."""
        known: set[str] = set()
        for draft in self._programs(concept):
            question = self.endpoint.judge.words_of(draft)
            if question and question not in known and len(known) < MOST_QUESTIONS:
                known.add(question)
                yield SuggestedQuestion(question, draft)

    def _programs(self, concept: SchemaItem) -> Iterator[Draft]:
        yield _of_class(concept, Step("Count", (), (1,)))
        if concept.count <= _MOST_LISTED:
            yield _of_class(concept, Step("What", (), (1,)))
        attributes, relations = self._having(concept)
        attributes = [item for item in attributes if not self._vocabulary.is_key(item)]
        ordered = [item for item in attributes if set(item.value_types[:1]) & set(_ORDERED)]
        for item in ordered[:_MOST_OF_A_SORT]:
            for end in ("largest", "smallest"):
                yield _of_class(concept, Step("SelectAmong", (item.label, end), (1,)), item)
        # Backwards, most things have one member each.
        leading = [item for item, way in relations if way == "forward"]
        for item in leading[:_MOST_OF_A_SORT]:
            yield _counted(concept, item)
        yield from self._of_members(concept, attributes, relations)

    def _of_members(
        self,
        concept: SchemaItem,
        attributes: Sequence[SchemaItem],
        relations: Sequence[tuple[SchemaItem, str]],
    ) -> Iterator[Draft]:
        """Questions about members that have what is asked for, each about another where it can be."""
        asked = [
            *(
                (item, "forward", Step("QueryAttr", (item.label,), (0,)))
                for item in attributes[:_MOST_OF_A_SORT]
            ),
            *(
                (item, way, Step("Relate", (item.label, way), (0,)))
                for item, way in relations[:_MOST_OF_A_SORT]
            ),
        ]
        labels = self.endpoint.index.members((concept.iri,)).get(concept.iri, ())[:_MOST_MEMBERS]
        named = (one for label in labels for one in self.endpoint.index.entities_named(label)[:1])
        members = list(filter(is_told_by_label, named))
        for number, (item, way, step) in enumerate(asked):
            turned = (*members[number:], *members[:number])
            member = next((one for one in turned if (item.iri, way) in self._facts(one.iri)), None)
            if member is not None:
                steps = (Step("Find", (member.label,)), step)
                names = step.function == "Relate"
                program = Program((*steps, Step("What", (), (1,))) if names else steps)
                yield Draft(program, _SOURCE, 1.0, choices={(0, 0): (member.iri,), (1, 0): (item.iri,)})

    def _facts(self, iri: str) -> Facts:
        """The predicates around a thing; none where the store does not tell of it in time."""
        try:
            return self.around(iri)
        except _NOT_TOLD:
            return frozenset()

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        """Knows the attributes that identify, about which people do not ask."""
        return Vocabulary(self.endpoint.index)

    def _having(self, concept: SchemaItem) -> tuple[list[SchemaItem], list[tuple[SchemaItem, str]]]:
        """The attributes and relations that members have, those with the most facts first."""
        counts: dict[tuple[Kind, str, str], int] = {}
        for one in self.endpoint.index.partitions((concept.iri,)):
            way = "forward" if one.concept == concept.iri else "backward"
            counts[one.kind, one.iri, way] = counts.get((one.kind, one.iri, way), 0) + one.count
        order = sorted(counts, key=lambda key: -counts[key])
        found = [
            (item, kind, way) for kind, iri, way in order if (item := self.endpoint.index.item(kind, iri))
        ]
        attributes = [item for item, kind, way in found if kind == Kind.ATTRIBUTE and way == "forward"]
        return attributes, [(item, way) for item, kind, way in found if kind == Kind.RELATION]


def _dullness(asked: tuple[SchemaItem, str, things.ThingProgram]) -> int:
    """A rank of a fact by how well it tells things of one name apart: 0 for times, 3 for the worst."""
    item, way, _ = asked
    types = set(item.value_types)
    if types & {ValueType.DATE, ValueType.YEAR}:
        return 0
    if item.kind == Kind.RELATION:
        return 1 if way == "forward" else 3
    return 2 if ValueType.QUANTITY in types else 3


def _of_class(concept: SchemaItem, step: Step, meant: SchemaItem | None = None) -> Draft:
    steps = (Step("FindAll"), Step("FilterConcept", (concept.label,), (0,)), step)
    choices: Choices = {(1, 0): (concept.iri,)}
    if meant is not None:
        choices[2, 0] = (meant.iri,)
    return Draft(Program(steps), _SOURCE, 1.0, choices=choices)


def _counted(concept: SchemaItem, relation: SchemaItem) -> Draft:
    """The number of members for each thing that a relation leads to."""
    steps = (
        Step("FindAll"),
        Step("FilterConcept", (concept.label,), (0,)),
        Step("Relate", (relation.label, "forward"), (1,)),
        Step("Count", (), (1,)),
        Step("Table", (), (3, 2)),
    )
    choices: Choices = {(1, 0): (concept.iri,), (2, 0): (relation.iri,)}
    return Draft(Program(steps), _SOURCE, 1.0, choices=choices)
