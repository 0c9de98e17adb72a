"""Questions by a small grammar of English, for what KQA Pro's open questions lack."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from random import Random

from compilers.kopl.functions import ValueType
from nlq_gateway.language.wording.english import article
from training.kqapro.clauses import agreed, heads
from training.kqapro.described import Described, Describer
from training.kqapro.examples import Example, is_valid
from training.kqapro.labels import suffix
from training.kqapro.mentions import in_order, is_said
from training.kqapro.phrasings import (
    ADJECTIVES,
    AMONG,
    AMONG_ONE,
    ASKED,
    BETWEEN,
    COUNT,
    OPENINGS,
    QUERY,
    QUERY_WHEN,
    RELATION,
    SIZES,
    UNDER,
    VERIFY,
    WHAT,
    WHEN_HAD,
)
from training.kqapro.pools import Pools
from training.kqapro.trees import Call, Edge, Join, Set, Tree, write

Drawn = tuple[str, Tree]
_TRIES = 4


def grammar_examples(pools: Pools, number: int, random: Random) -> Iterator[Example]:
    """Yield `number` different examples, if enough tries succeed; kinds of questions by their weights."""
    describer = Describer(pools, random)
    kinds = [make for make, weight in _WEIGHTS.items() for _ in range(weight)]
    seen: set[str] = set()
    for _ in range(number * _TRIES):
        if len(seen) >= number:
            return
        question, tree = random.choice(kinds)(describer)
        question = _sentence(question)
        program = write(in_order(tree, question))
        if question not in seen and len(question) < 300 and is_valid(program) and is_said(tree, question):
            seen.add(question)
            yield Example(question, program, "grammar")


def what(d: Describer) -> Drawn:
    """Ask for the members of a set."""
    found = _kind(d)
    return _about(d, found, WHAT, is_many=d.random.random() < 0.3), Tree((found.set,), (Call("What"),))


def count(d: Describer) -> Drawn:
    """Ask for the number of members of a set."""
    found = _kind(d)
    return _about(d, found, COUNT, is_many=True), Tree((found.set,), (Call("Count"),))


def either(d: Describer) -> Drawn:
    """Ask for the number or the members of a union of two clauses."""
    concept = d.pools.concept(d.random)
    first, second = d.kind(concept, 1), d.kind(concept, 1)
    clause = d.random.choice(("either {} or {}", "{} or {}", "{} or {}"))
    both = (agreed(part.clauses[0], True) for part in (first, second))
    joined = replace(first, clauses=(clause.format(*both),))
    ways, ending = (COUNT, "Count") if d.random.random() < 0.75 else (WHAT, "What")
    tree = Tree((Set(Join("Or", first.set, second.set)),), (Call(ending),))
    return _about(d, joined, ways, is_many=True), tree


def query(d: Describer) -> Drawn:
    """The value of an attribute, of one fact with a qualifier now and then."""
    attribute = d.pools.attribute(_kind_of_value(d), d.random)
    found = _one(d, attribute)
    said = d.text(found)
    if qualifiers := d.qualifiers(attribute, 0.25):
        qualifier, value = qualifiers[0].inputs[:2]
        tail = d.english.qualifier(replace(qualifiers[0], inputs=(qualifier, value, "=")))
        question = d.random.choice(UNDER).format(a=attribute, x=said, q=tail)
        return question, Tree((found.set,), (Call("QueryAttrUnderCondition", (attribute, qualifier, value)),))
    ways = QUERY_WHEN.get(attribute, ()) * 3 + QUERY
    question = d.random.choice(ways).format(a=attribute, x=said, n=attribute.removeprefix("number of "))
    return question, Tree((found.set,), (Call("QueryAttr", (attribute,)),))


def verify(d: Describer) -> Drawn:
    """Ask if the value of an attribute compares so with another."""
    kind = d.random.choice((ValueType.QUANTITY, ValueType.QUANTITY, ValueType.YEAR, ValueType.DATE))
    attribute = d.pools.attribute(kind, d.random)
    operator = d.random.choice("=<>!")
    value = d.pools.value(attribute, kind, d.random)
    found = _one(d, attribute)
    words = d.random.choice(VERIFY[kind == ValueType.QUANTITY][operator])
    question = words.format(
        a=attribute,
        an_a=f"{article(attribute)} {attribute}",
        x=d.text(found),
        v=d.english.value(value, suffix(kind)),
    )
    inputs = (value, "!=" if operator == "!" else operator)
    return question, Tree(
        (found.set,), (Call("QueryAttr", (attribute,)), Call("Verify" + suffix(kind), inputs))
    )


def between(d: Describer) -> Drawn:
    """Ask which of two has more of an attribute."""
    attribute = d.pools.attribute(ValueType.QUANTITY, d.random)
    concept = d.pools.head(attribute, "subject", d.random)
    first, second = (_of_concept(d, concept) for _ in range(2))
    word, more, most = _size(d, attribute)
    ways = ADJECTIVES.get(attribute, {}).get(word)
    x, y = d.text(first), d.text(second)
    if ways and d.random.random() < 0.4:
        question = d.random.choice(ASKED).format(more=ways[0], x=x, y=y)
    else:
        question = d.random.choice(BETWEEN).format(a=_plain(attribute, more), more=more, most=most, x=x, y=y)
    return question, Tree((first.set, second.set), (Call("SelectBetween", (attribute, word)),))


def among(d: Describer) -> Drawn:
    """Ask which of a set has the most of an attribute."""
    attribute = d.pools.attribute(ValueType.QUANTITY, d.random)
    found = d.kind(d.pools.head(attribute, "subject", d.random), 0)
    if d.random.random() < 0.4:
        part, clause = d.condition(ValueType.QUANTITY, attribute, d.random.choice(("<", ">", "!=")))
        found = replace(found, set=found.set.meet(part), clauses=(clause,))
    else:
        found = d.with_clause(found)
    word, _, most = _size(d, attribute)
    ways = ADJECTIVES.get(attribute, {}).get(word)
    if ways and d.random.random() < 0.3:
        question = d.random.choice(
            (
                f"Which of {d.text(found, True)} is the {ways[1]}",
                f"What is the {ways[1]} of {d.text(found, True)}",
            )
        )
    else:
        is_many = d.random.random() < 0.6
        ways_of_set = AMONG if is_many else AMONG_ONE
        question = _about(d, found, ways_of_set, is_many, a=_plain(attribute, most), most=most)
    inputs = (attribute, "largest" if word == "greater" else "smallest")
    return question, Tree((found.set,), (Call("SelectAmong", inputs),))


def relation(d: Describer) -> Drawn:
    """Ask for the relation of two entities, by a fact of the graph."""
    known = d.random.choice(list(d.pools.facts))
    subject, thing = d.random.choice(d.pools.facts[known])
    first, second = d.named(name=subject), d.named(name=thing)
    texts = [d.text(first), d.text(second)]
    if d.random.random() < 0.4:
        texts.reverse()
    question = d.random.choice(RELATION).format(x=texts[0], y=texts[1])
    return question, Tree((first.set, second.set), (Call("QueryRelation"),))


def had_value(d: Describer) -> Drawn:
    """A qualifier of the fact that gives an attribute its value."""
    kind = d.random.choice((ValueType.QUANTITY, ValueType.QUANTITY, ValueType.YEAR, ValueType.STRING))
    attribute = d.pools.attribute(kind, d.random)
    known = d.pools.qualifiers.get(attribute)
    qualifier = d.random.choice(known)[0] if known and d.random.random() < 0.6 else "point in time"
    value = d.pools.value(attribute, kind, d.random)
    found = _one(d, attribute)
    ways = WHEN_HAD["point in time" if qualifier == "point in time" and d.random.random() < 0.7 else ""]
    question = d.random.choice(ways).format(
        q=qualifier, a=attribute, x=d.text(found), v=d.english.value(value, suffix(kind))
    )
    return question, Tree((found.set,), (Call("QueryAttrQualifier", (attribute, value, qualifier)),))


def related_since(d: Describer) -> Drawn:
    """Ask for entities related to one by a fact with a qualifier of time or number."""
    qualified = [label for label in d.pools.facts if d.pools.qualifiers.get(label)]
    known = d.random.choice(qualified or list(d.pools.facts))
    direction, end = d.random.choice((("backward", "object"), ("forward", "subject")))
    other = d.named(known, end, depth=1)
    edge = Edge(known, direction, other.set, d.qualifiers(known, 1.0))
    clause = d.english.edge(edge, d.text(other)) + d.english.qualifier(edge.qualifiers[0])
    concept = d.pools.head(known, "subject" if direction == "backward" else "object", d.random)
    found = Described(Set(concepts=(concept,), edges=(edge,)), concept=concept, clauses=(clause,))
    return _about(d, found, WHAT, is_many=False), Tree((found.set,), (Call("What"),))


_WEIGHTS: Mapping[Callable[[Describer], Drawn], int] = {
    what: 4,
    count: 3,
    either: 3,
    query: 4,
    verify: 3,
    between: 3,
    among: 4,
    relation: 4,
    had_value: 2,
    related_since: 2,
}


def _kind(d: Describer) -> Described:
    return d.kind(d.pools.concept(d.random), d.random.choice((1, 1, 2)))


def _one(d: Describer, attribute: str) -> Described:
    if d.random.random() < 0.55:
        return d.named(depth=d.random.choice((0, 0, 1)))
    return d.kind(d.pools.head(attribute, "subject", d.random), 1)


def _of_concept(d: Describer, concept: str) -> Described:
    ends = [key for key, concepts in d.pools.heads.items() if concept in concepts and key[0] in d.pools.facts]
    return d.named(*d.random.choice(ends)) if ends else d.named()


def _kind_of_value(d: Describer) -> ValueType:
    return d.random.choice((ValueType.QUANTITY, ValueType.QUANTITY, ValueType.YEAR, ValueType.STRING))


def _size(d: Describer, attribute: str) -> tuple[str, str, str]:
    counted = attribute.startswith("number of ") and d.random.random() < 0.6
    word = d.random.choice(("greater", "less"))
    return word, *d.random.choice(SIZES[word, counted])


def _plain(attribute: str, size: str) -> str:
    return attribute.removeprefix("number of ") if size in OPENINGS else attribute


def _about(d: Describer, found: Described, ways: tuple[str, ...], is_many: bool, **more: str) -> str:
    """A question about a kind: its noun, clauses, and the predicate of its last clause if it has one."""
    clauses = [agreed(clause, is_many) for clause in found.clauses]
    noun = heads(found.concept, is_many, d.random)
    last = clauses[-1]
    usable = [way for way in ways if "{predicate}" not in way or last.startswith("that ")]
    before = " and ".join(clauses[:-1])
    return d.random.choice(usable).format(
        head=noun,
        clause=" and ".join(clauses),
        before=f" {before}" if before else "",
        predicate=last.removeprefix("that "),
        be="are" if is_many else "is",
        who="Who" if found.concept == "human" else "What",
        **more,
    )


def _sentence(text: str) -> str:
    words = " ".join(text.split()).replace(" ,", ",").replace(",?", "?")
    return words[:1].upper() + words[1:]
