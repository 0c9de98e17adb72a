"""A graph in which a relation leads far, in circles and by several ways, and programs that follow it."""

from __future__ import annotations

from compilers.kopl.values import Quantity
from tests.oracle.graph import AttributeFact, Concept, Entity, Graph, RelationFact

# A part, and what it is part of: six steps deep, with two ways from `pin` to `car`, and parts of themselves.
PARTS = (
    ("grain", "flake"),
    ("flake", "pin"),
    ("pin", "lock"),
    ("pin", "hinge"),
    ("lock", "door"),
    ("hinge", "door"),
    ("door", "car"),
    ("car", "fleet"),
    ("egg", "hen"),
    ("hen", "egg"),
    ("hen", "farm"),
    ("knot", "knot"),
)
_NAMES = sorted({name for pair in PARTS for name in pair} | {"air"})
_SOLD = ("pin", "lock", "door", "car", "egg", "hen", "air")
PRICES = {"pin": 1.0, "lock": 20.0, "door": 300.0, "car": 4000.0, "egg": 0.5, "air": 7.0}
HIERARCHY = Graph(
    {name: Entity(name, frozenset({"ware"} if name in _SOLD else ())) for name in _NAMES},
    {"ware": Concept("ware")},
    frozenset(AttributeFact(name, "price", Quantity(price, "euro")) for name, price in PRICES.items()),
    frozenset(RelationFact(part, "part of", whole) for part, whole in PARTS),
)

PROGRAMS = (
    "Find(grain)->RelateTransitive(part of, forward)->What()",
    "Find(fleet)->RelateTransitive(part of, backward)->What()",
    "Find(pin)->RelateTransitive(part of, forward)->Count()",
    # A circle leads to its start, and what only leads into it does not.
    "Find(egg)->RelateTransitive(part of, forward)->What()",
    "Find(farm)->RelateTransitive(part of, backward)->What()",
    "Find(knot)->RelateTransitive(part of, backward)->What()",
    # What leads nowhere.
    "Find(fleet)->RelateTransitive(part of, forward)->What()",
    "Find(air)->RelateTransitive(part of, backward)->Count()",
    "Find(air)->RelateTransitive(part of, forward)->FilterConcept(ware)->Exists()",
    # From many, and to many more.
    "FindAll()->RelateTransitive(part of, forward)->Count()",
    "FindAll()->FilterConcept(ware)->RelateTransitive(part of, backward)->What()",
    "FindAll()->FilterNum(price, 5 euro, <)->RelateTransitive(part of, forward)->FilterConcept(ware)->What()",
    "Find(fleet)->RelateTransitive(part of, backward)->FilterConcept(ware)->QueryAttr(price)->Sum()",
    "Find(fleet)->RelateTransitive(part of, backward)->SelectAmong(price, largest)",
    "Find(fleet)->RelateTransitive(part of, backward)->Relate(part of, forward)->What()",
    # Twice in a line, in branches, and in what is left out.
    "Find(flake)->RelateTransitive(part of, forward)->RelateTransitive(part of, backward)->What()",
    "Step 1: Find(pin)\nStep 2: RelateTransitive(part of, forward) <- 1\nStep 3: Find(fleet)\n"
    "Step 4: RelateTransitive(part of, backward) <- 3\nStep 5: And() <- 2, 4\nStep 6: What() <- 5",
    "Step 1: Find(egg)\nStep 2: RelateTransitive(part of, forward) <- 1\nStep 3: Find(lock)\n"
    "Step 4: RelateTransitive(part of, backward) <- 3\nStep 5: Or() <- 2, 4\nStep 6: Count() <- 5",
    "Step 1: FindAll()\nStep 2: FilterConcept(ware) <- 1\nStep 3: Find(car)\n"
    "Step 4: RelateTransitive(part of, backward) <- 3\nStep 5: Except() <- 2, 4\nStep 6: What() <- 5",
    # In rows, each thing that one start leads to once.
    "Step 1: Find(fleet)\nStep 2: RelateTransitive(part of, backward) <- 1\nStep 3: QueryAttr(price) <- 2\n"
    "Step 4: Table() <- 2, 3",
)
# Here what it leads to goes with what it started from.
PAIRED = (
    "Step 1: FindAll()\nStep 2: RelateTransitive(part of, forward) <- 1\nStep 3: Table() <- 1, 2",
    "Step 1: FindAll()\nStep 2: FilterConcept(ware) <- 1\nStep 3: RelateTransitive(part of, forward) <- 2\n"
    "Step 4: FilterCount(2, >) <- 2, 3\nStep 5: What() <- 4",
)
