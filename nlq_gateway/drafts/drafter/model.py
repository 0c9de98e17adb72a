"""Programs for a question by the package's own small model (docs/drafter.md).

Every draft passes the checker, since the search follows the grammar; names and values are stretches of the
question, concepts, relations, attributes and qualifiers are items of the graph's index.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import combinations

from compilers.kopl.check import check
from compilers.kopl.functions import Kind
from compilers.kopl.program import Program
from nlq_gateway.core.types import Draft
from nlq_gateway.drafts.drafter.beam import WIDTH, Hypothesis, Search
from nlq_gateway.drafts.drafter.catalogue import Catalogue
from nlq_gateway.drafts.drafter.members import Members
from nlq_gateway.drafts.drafter.naming import Characters, MentionLookup
from nlq_gateway.drafts.drafter.network import DrafterNetwork, Shelf, shared_network
from nlq_gateway.drafts.drafter.offers import OFFERED, label_tokens
from nlq_gateway.drafts.drafter.pieces import Pieces
from nlq_gateway.drafts.drafter.shown import with_havers, with_names
from nlq_gateway.drafts.drafter.value_nodes import ValueNode, told_by_values
from nlq_gateway.drafts.drafter.values import StatedProgram, readings
from nlq_gateway.drafts.drafter.variants import apart, turned
from nlq_gateway.index import Index, shipped_embedder
from nlq_gateway.index.members import StepReader
from nlq_gateway.index.naming import NamingAttributes
from nlq_gateway.index.units import in_own_units
from nlq_gateway.neural import open_tokenizer
from nlq_gateway.question.reading.reading import QuestionReading

NAME = "drafter"
TURNED = 3
_BY_STRING = ("FilterStr", "QFilterStr")
_OF_THINGS = ("Find", "FilterStr")
LONGEST_QUESTION = 128

Place = tuple[int, int]


class Drafter:
    """Drafts programs over one index. Safe to share between threads."""

    def __init__(self, index: Index, network: DrafterNetwork | None = None) -> None:
        """Take the graph; `network` is the package's own if none is given."""
        self.index = index
        self.network = network or shared_network()
        self._tokenizer = open_tokenizer(LONGEST_QUESTION)

    def draft(self, reading: QuestionReading) -> tuple[Draft, ...]:
        """At most `WIDTH` programs, and the likeliest ones with one relation reversed.

        The likeliest come first; () without a model or a schema. `score` is the mean log-probability of a
        decision, at most 0; `parts` has it as `likelihood`, and that of the whole program as
        `log_probability`.
        """
        catalogue, shelf = self._catalogue, self._shelf
        if self.network is None or shelf is None:
            return ()
        links, text = reading.links, reading.links.question.text
        pieces = Pieces.of(text, self._tokenizer)
        offered = catalogue.offers.best(text, shipped_embedder().encode([text])[0], OFFERED).tolist()
        memory = self.network.read(pieces.ids, shelf, offered)
        naming = MentionLookup(links, self.index)
        members = Members(StepReader(self.index, strict=not reading.asks_verdict), naming)
        stated = [bound for one in links.literals for bound in one.bounds or (one,)]
        search = Search(self.network, memory, catalogue, pieces, stated, members, reading)
        drafts = [(one, self._named(one, reading, pieces, naming)) for one in search.run(WIDTH)]
        written = [draft for _, draft in drafts if draft is not None]
        others = [
            other
            for one, draft in drafts[:TURNED]
            if draft is not None
            for other in turned(draft, one.decisions, catalogue.nodes)
        ]
        ordered = sorted((*written, *others), key=lambda one: -one.parts["log_probability"])
        return tuple(_different(one for draft in ordered for one in apart(draft)))

    @cached_property
    def _catalogue(self) -> Catalogue:
        return Catalogue.of(self.index)

    @cached_property
    def _shelf(self) -> Shelf | None:
        if self.network is None or not self._catalogue.items:
            return None
        catalogue = self._catalogue
        tokens = tuple(label_tokens([item.label for item in catalogue.items], self._tokenizer))
        return self.network.shelve(catalogue.vectors, catalogue.kinds, catalogue.ends, tokens)

    @cached_property
    def _names(self) -> NamingAttributes:
        return NamingAttributes(self.index)

    def _named(
        self, found: Hypothesis, reading: QuestionReading, pieces: Pieces, naming: MentionLookup
    ) -> Draft | None:
        """A draft with the graph's names.

        None if it lacks one, if a part of a name is another's, or if a thing is related to itself.
        """
        catalogue = self._catalogue
        if _cuts_a_name(found, pieces):
            return None
        choices: dict[Place, tuple[str, ...]] = {
            place: (catalogue.items[item].iri,) for place, item in found.items.items()
        }
        mentions: dict[Place, str] = {}
        margins: dict[Place, float] = {}
        unknown: dict[int, Characters] = {}
        steps = list(found.program.steps)
        for (step, argument), stretch in found.stretches.items():
            place = pieces.spans[stretch[0]][0], pieces.spans[stretch[1]][1]
            words = pieces.words(*stretch)
            kind = steps[step].signature.parameters[argument].kind
            mentions[step, argument] = words
            if kind == Kind.ENTITY:
                mentions[step, argument], hits = naming.bearers(place)
                if not hits:
                    unknown[step] = place
                    continue
                choices[step, argument] = tuple(hit.iri for hit in hits)
                margins[step, argument] = hits[0].score
                steps[step] = steps[step].with_input(argument, hits[0].label)
            elif steps[step].inputs[argument] == words:
                predicate = next(iter(choices.get((step, 0), ())), None)
                string = naming.string(place, words, predicate)
                if string is None and steps[step].function in _BY_STRING:
                    unknown[step] = place
                    continue
                steps[step] = steps[step].with_input(argument, string or words)
        items = {place: catalogue.items[item] for place, item in found.items.items()}
        steps = list(in_own_units(steps, items))
        nodes = {step: one for (step, _), item in found.items.items() if (one := catalogue.node(item))}
        pointed = StatedProgram(tuple(steps), choices, mentions, margins)
        stated = self._stated(pointed, unknown, nodes, naming)
        if stated is None:
            return None
        stated = with_names(with_havers(stated.with_exceptions(), reading), reading, self._names)
        program = Program(stated.steps)
        if any(issue.severity == "error" for issue in check(program)) or _relates_one_to_itself(program):
            return None
        likelihood = found.score / found.decisions
        parts = {"likelihood": likelihood, "log_probability": found.score}
        named = dict(stated.mentions), dict(stated.choices)
        return Draft(program, NAME, likelihood, parts, *named, margins=dict(stated.margins))

    def _stated(
        self,
        written: StatedProgram,
        unknown: Mapping[int, Characters],
        nodes: Mapping[int, ValueNode],
        naming: MentionLookup,
    ) -> StatedProgram | None:
        """The program with values in the place of names that nothing has, and through the nodes of others.

        None if it cannot be stated so.
        """
        found: StatedProgram | None = written
        for step in sorted({*unknown, *nodes}, reverse=True):
            if found is None or (step in unknown and step in nodes):
                return None
            one = nodes.get(step)
            found = one.through(found, step) if one else self._with_values(found, step, unknown[step], naming)
        if found is None:
            return None
        return told_by_values(found.merged() if nodes else found, self._catalogue.nodes)

    def _with_values(
        self, written: StatedProgram, step: int, place: Characters, naming: MentionLookup
    ) -> StatedProgram | None:
        """The program with conditions in the place of a step; None if the words are no values."""
        if written.steps[step].function not in _OF_THINGS:
            return None
        beside = self.index.item(Kind.ATTRIBUTE, next(iter(written.choices.get((step, 0), ())), ""))
        ways = readings(naming.stated(place), self.index, beside)
        told = (written.with_conditions(step, conditions) for conditions in ways)
        return next((one for one in told if not one.is_impossible(self.index)), None)


def _cuts_a_name(found: Hypothesis, pieces: Pieces) -> bool:
    """True if two stretches name things by the same words, which the question has no second time."""
    steps = found.program.steps
    names = {
        stretch
        for (step, argument), stretch in found.stretches.items()
        if steps[step].signature.parameters[argument].kind == Kind.ENTITY
    }
    meeting = (pair for pair in combinations(sorted(names), 2) if pair[1][0] <= pair[0][1])
    said = (sorted((pieces.words(*one) for one in pair), key=len) for pair in meeting)
    return any(pieces.text.count(part) <= max(1, whole.count(part)) for part, whole in said)


def _relates_one_to_itself(program: Program) -> bool:
    """True if a step compares or relates two inputs that are the same, which no question asks."""
    trees: list[tuple[object, ...]] = []
    for step in program.steps:
        inputs = [trees[at] for at in step.dependencies]
        if len(inputs) > len(set(inputs)):
            return True
        trees.append((step.function, step.inputs, *inputs))
    return False


def _different(drafts: Iterable[Draft]) -> Iterable[Draft]:
    seen = set()
    for draft in drafts:
        key = (draft.program.steps, tuple(sorted(draft.choices.items())))
        if key not in seen:
            seen.add(key)
            yield draft
