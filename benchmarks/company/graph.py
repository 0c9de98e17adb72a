"""Writes the company: offices, departments, employees, projects, products and customers."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import product
from pathlib import Path

_VOCABULARY = Path(__file__).with_name("vocabulary.ttl")
_SEED = 7
_FIRST = (
    "Anna",
    "Bruno",
    "Carla",
    "David",
    "Elena",
    "Felix",
    "Greta",
    "Hugo",
    "Ines",
    "Jonas",
    "Karin",
    "Leo",
)
_LAST = ("Lindgren", "Okafor", "Marchetti", "Novak", "Petersen", "Quist", "Rossi", "Steiner")
_COUNTRIES = ("Sweden", "Germany", "Portugal", "Canada")
_CITIES = (
    ("Stockholm", "en", "Sweden", 984_748),
    ("Uppsala", "en", "Sweden", 177_074),
    ("München", "de", "Germany", 1_512_491),
    ("Köln", "de", "Germany", 1_073_096),
    ("Lisbon", "en", "Portugal", 545_796),
    ("Montreal", "en", "Canada", 1_762_949),
)
_OFFICES = (
    ("Harbour House", "Stockholm", 120, 2_400, "2008-03-01"),
    ("Old Mill", "Uppsala", 45, 900, "2012-09-15"),
    ("Isar Yard", "München", 80, 1_650, "2015-05-04"),
    ("Dom Lofts", "Köln", 60, 1_100, "2019-01-14"),
    ("Tagus Point", "Lisbon", 70, 1_250, "2017-10-02"),
    ("Mount Royal Hub", "Montreal", 95, 2_050, "2021-06-21"),
)
_DEPARTMENTS = ("Research", "Platform", "Design", "Sales", "Support", "Finance", "Security", "Operations")
_SKILLS = (
    "Python",
    "Rust",
    "SQL",
    "Kubernetes",
    "Figma",
    "Accounting",
    "Negotiation",
    "Cryptography",
    "Statistics",
)
_PRODUCTS = (
    ("Fjord Analytics", 4_900, "2016-02-10", "commercial", None),
    ("Fjord Insight", 6_200, "2021-11-03", "commercial", "Fjord Analytics"),
    ("Birch Mail", 300, "2010-04-22", "open source", None),
    ("Birch Post", 450, "2018-08-30", "commercial", "Birch Mail"),
    ("Granite Vault", 8_800, "2014-01-17", "commercial", None),
    ("Granite Vault Cloud", 11_500, "2022-05-09", "subscription", "Granite Vault"),
    ("Aurora Forms", 150, "2011-07-07", "open source", None),
    ("Aurora Flow", 1_250, "2019-03-28", "subscription", "Aurora Forms"),
    ("Moss Ledger", 2_700, "2013-10-12", "commercial", None),
    ("Reindeer Router", 0, "2015-12-01", "open source", None),
    ("Saga Search", 3_400, "2020-09-16", "subscription", None),
    ("Tern Tickets", 900, "2017-06-05", "subscription", None),
)
_CUSTOMERS = ("Abbey", "Beacon", "Cobalt", "Delta", "Ember", "Falcon", "Garnet", "Heron", "Ivory", "Juniper")
_FORMS = ("Bank", "Foods", "Rail")
_PROJECTS = ("Atlas", "Borealis", "Comet", "Dune", "Echo", "Flint", "Glacier", "Harvest", "Iris", "Jade")
_PARTS = ("Pilot", "Rollout", "Migration")
_STATUSES = ("active", "active", "closed", "planned", "active", "closed", "closed", "active", "on hold")


def write(file: Path) -> Path:
    """The file, with the graph written into it."""
    file.write_text(turtle(), encoding="utf-8")
    return file


def turtle() -> str:
    """The graph with its vocabulary."""
    rng = random.Random(_SEED)
    parts = (_places(), _departments(), _products(), _customers(rng), _projects(rng), _employees(rng))
    return _VOCABULARY.read_text("utf-8") + "".join(f"{line}\n" for part in parts for line in part)


def _places() -> Iterator[str]:
    for country in _COUNTRIES:
        yield _thing(country, "Country")
    for city, language, country, population in _CITIES:
        facts = (f"v:locatedIn {_id(country)}", f"v:population {population}")
        yield _thing(city, "City", *facts, language=language)
    for office, place, capacity, area, opened in _OFFICES:
        size = (f"v:capacity {capacity}", f"v:floorArea {area}", f"v:openingDate {_date(opened)}")
        yield _thing(office, "Office", f"v:locatedIn {_id(place)}", *size)


def _departments() -> Iterator[str]:
    for name in _DEPARTMENTS:
        yield _thing(name, "Department")
    for name in _SKILLS:
        yield _thing(name, "Skill")


def _products() -> Iterator[str]:
    for name, price, released, licence, replaced in _PRODUCTS:
        facts = (f"v:price {price}", f"v:releaseDate {_date(released)}", f'v:licence "{licence}"')
        yield _thing(name, "Product", *facts, *([f"v:replaces {_id(replaced)}"] if replaced else []))


def _customers(rng: random.Random) -> Iterator[str]:
    for first, form in product(_CUSTOMERS, _FORMS):
        bought = ", ".join(_id(one[0]) for one in rng.sample(_PRODUCTS, rng.randint(1, 3)))
        founded = f'v:foundedIn "{rng.randint(1880, 2015)}"^^xsd:gYear'
        yield _thing(f"{first} {form}", "Customer", f"v:bought {bought}", founded)


def _projects(rng: random.Random) -> Iterator[str]:
    for number, (name, part) in enumerate(product(_PROJECTS, _PARTS)):
        begun = date(2018, 1, 8) + timedelta(days=rng.randint(0, 2_300))
        customer = f"{rng.choice(_CUSTOMERS)} {rng.choice(_FORMS)}"
        yield _thing(
            f"{name} {part}",
            "Project",
            f"v:forCustomer {_id(customer)}",
            f"v:delivers {_id(rng.choice(_PRODUCTS)[0])}",
            f"v:budget {rng.randrange(20_000, 900_000, 5_000)}",
            f"v:startDate {_date(begun.isoformat())}",
            f'v:status "{_STATUSES[number % len(_STATUSES)]}"',
        )


def _employees(rng: random.Random) -> Iterator[str]:
    """Yield all employees: the first of each department is its head, to whom the others report."""
    names = [f"{first} {last}" for first, last in product(_FIRST, _LAST)]
    rng.shuffle(names)
    for number, name in enumerate(names):
        place, department = divmod(number, len(_DEPARTMENTS))
        team = names[department :: len(_DEPARTMENTS)]
        yield _thing(name, *_employee(rng, name, place, _DEPARTMENTS[department], team))


def _employee(rng: random.Random, name: str, place: int, department: str, team: list[str]) -> Iterator[str]:
    yield (
        "Manager"
        if place == 0
        else "Designer"
        if department == "Design"
        else "Engineer"
        if place % 2
        else "Employee"
    )
    yield f"v:worksIn {_id(department)}"
    yield f"v:headOf {_id(department)}" if place == 0 else f"v:reportsTo {_id(team[0])}"
    if place % 3 == 1:
        yield f"v:mentors {_id(team[place + 1])}"
    yield f"v:basedAt {_id(rng.choice(_OFFICES)[0])}"
    yield "v:hasSkill " + ", ".join(map(_id, rng.sample(_SKILLS, rng.randint(1, 3))))
    yield f"v:worksOn {_id(rng.choice(_PROJECTS) + ' ' + rng.choice(_PARTS))}"
    yield f"v:salary {rng.randrange(38_000, 120_000, 500)}"
    hired = date(2008, 3, 1) + timedelta(days=rng.randint(0, 6_000))
    yield f"v:hireDate {_date(hired.isoformat())}"
    yield f'v:email "{name.lower().replace(" ", ".")}@lindgren.example"'


def _thing(name: str, kind: str, *facts: str, language: str = "en") -> str:
    return " ;\n    ".join((f"{_id(name)} a v:{kind}", f'rdfs:label "{name}"@{language}', *facts)) + " ."


def _id(name: str) -> str:
    return "c:" + name.replace(" ", "_")


def _date(text: str) -> str:
    return f'"{text}"^^xsd:date'
