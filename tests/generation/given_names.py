"""Names for grammars: those that a program has, and random hostile ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from random import Random

from compilers.kopl.functions import Kind, ValueType
from compilers.kopl.program import Program
from compilers.kopl.values import Date, Quantity, Value, Year, possible_values
from nlq_gateway.drafts.generation.known import AllowedNames
from tests.oracle.calculation import commonest_units
from tests.oracle.graph import Graph

HOSTILE = (
    'say "hi"',
    "it's",
    "both ' and \"",
    "back\\slash\\",
    "\\x41\\u0041",
    "line\nbreak",
    "tab\tand\rreturn",
    "a, b (c)",
    "((",
    ") ::= root | [^]]",
    "[a-z]{2,3}",
    "x->y <- 2",
    " edge ",
    "Zoë 東京 🜨",
    "\u202eright to left",
    "\u00a0",
    "none",
    "0",
    "STOP(expression_1)",
    "Step 1: Find(x)",
    "expression_1",
    "# comment",
    "",
    "   ",
)
_TYPES = {Year: "years", Date: "dates", Quantity: "quantities"}


def names_in(program: Program, graph: Graph) -> AllowedNames:
    """The names and values that a program has, with the types and units that a graph has of them."""
    found: dict[Kind, dict[str, None]] = defaultdict(dict)
    values: dict[str, dict[str, None]] = defaultdict(dict)
    for step in program.steps:
        for parameter, text in zip(step.signature.parameters, step.inputs, strict=True):
            found[parameter.kind][text] = None
            if parameter.kind == Kind.VALUE:
                values["strings"][text] = None
                for value in possible_values(text):
                    values[_TYPES.get(type(value), "strings")][text] = None
            if parameter.kind == Kind.NUMBER:
                values["quantities"][text] = None
    attributes, qualifiers = found[Kind.ATTRIBUTE], found[Kind.QUALIFIER]
    return AllowedNames(
        tuple(found[Kind.ENTITY]),
        tuple(found[Kind.CONCEPT]),
        tuple(found[Kind.RELATION]),
        {name: graph.attribute_types[name] for name in attributes},
        {name: graph.qualifier_types[name] for name in qualifiers},
        units_of(graph),
        **{name: tuple(texts) for name, texts in values.items()},
    )


def units_of(graph: Graph) -> Mapping[str, tuple[str, ...]]:
    """The units of every attribute's quantities."""
    held: dict[str, list[Value]] = defaultdict(list)
    for fact in graph.attributes:
        held[fact.attribute].append(fact.value)
    return {attribute: commonest_units(values) for attribute, values in held.items()}


def random_names(random: Random) -> AllowedNames:
    """Up to six names of each kind and up to two values of each type, hostile ones among them."""

    def some(stem: str, most: int = 6) -> tuple[str, ...]:
        plain = [f"{stem} {number}" for number in range(most)]
        return tuple(random.sample([*plain, *HOSTILE], random.randint(0, most)))

    def typed(stem: str) -> dict[str, tuple[ValueType, ...]]:
        return {name: tuple(random.sample(list(ValueType), random.randint(0, 2))) for name in some(stem)}

    attributes = typed("attribute")
    return AllowedNames(
        some("entity"),
        some("concept"),
        some("relation"),
        attributes,
        typed("qualifier"),
        {name: random.choice(((), ("1",), ("metre", "1"), ("per 100,000", "it's"))) for name in attributes},
        some("text", 2),
        tuple(random.sample(("5", "-2.5 metre", "180 centimetre", "3 it's", "1000"), random.randint(0, 2))),
        tuple(random.sample(("1960", "-44", "988"), random.randint(0, 2))),
        tuple(random.sample(("1960-02-01", "-0044-03-15"), random.randint(0, 2))),
    )


SMALL = AllowedNames(
    entities=("Ada", 'Bo "the cat", Jr.'),
    concepts=("person",),
    relations=("friend of",),
    attributes={
        "height": (ValueType.QUANTITY,),
        "born": (ValueType.DATE, ValueType.YEAR),
        "motto": (ValueType.STRING,),
    },
    qualifiers={
        "note": (ValueType.STRING,),
        "share": (ValueType.QUANTITY,),
        "start time": (ValueType.DATE,),
    },
    units={"height": ("centimetre", "metre")},
    quantities=("180 centimetre",),
)
"""A few names of every kind and type."""
