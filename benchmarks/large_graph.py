"""A large graph as a company might have it, the same for the same seed, written as N-Triples.

Some 200 classes in a hierarchy, 400 relations, 300 attributes; names of two to four words, part of them in
three languages, with aliases and homonyms; the objects of relations are distributed by Zipf's law.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

BASE = "http://large.example/"
SEED = 11
ROOTS = ("person", "organization", "place", "product", "document", "project", "asset", "event")
_KINDS = ("internal", "external", "regional", "technical")
_LEAVES = ("partner", "record", "unit", "line", "group")
_ACTS = (
    "owns",
    "manages",
    "supplies",
    "approves",
    "contains",
    "replaces",
    "audits",
    "funds",
    "uses",
    "hosts",
)
_ROLES = ("primary", "former", "deputy", "shared", "planned")
_MEASURES = ("height", "budget", "risk score", "start date", "reference code")
_OF = ("gross", "net", "annual", "initial", "final", "minimum", "maximum", "average", "nominal", "target")
_CONSONANTS = (
    "b",
    "br",
    "c",
    "d",
    "f",
    "g",
    "gr",
    "h",
    "k",
    "l",
    "m",
    "n",
    "p",
    "r",
    "s",
    "st",
    "t",
    "tr",
    "v",
)
_VOWELS = ("a", "e", "i", "o", "u", "an", "en", "in", "ar", "el", "or")
_FORMS = ("Ltd", "Group", "Partners", "Holdings", "Systems", "Logistics", "Energy", "Foods")
_GOODS = ("Pump", "Valve", "Sensor", "Drive", "Panel", "Module", "Filter", "Router", "Cable", "Engine")
_PLAN = ("Renewal", "Migration", "Audit", "Review", "Launch", "Survey", "Upgrade", "Tender")

_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_XSD = "http://www.w3.org/2001/XMLSchema#"
_TYPE, _LABEL, _BELOW = f"<{_RDF}type>", f"<{_RDFS}label>", f"<{_RDFS}subClassOf>"
_ALIAS = "<http://www.w3.org/2004/02/skos/core#altLabel>"
_LINES = 20_000


@dataclass(frozen=True, slots=True)
class Schema:
    """The classes with the one above each, and what each leaf's members may have, all by local name.

    `relations` lists for a leaf the relations with the leaf of their objects, `attributes` those with a sort.
    """

    above: dict[str, str]
    leaves: tuple[str, ...]
    relations: dict[str, list[tuple[str, str]]]
    attributes: dict[str, list[tuple[str, int]]]


@dataclass(slots=True)
class Written:
    """The content of a file: numbers of triples and entities, and some labels to look up."""

    triples: int = 0
    entities: int = 0
    labels: list[tuple[str, str]] = field(default_factory=list)


def write_graph(file: Path, entities: int, triples: int, seed: int = SEED) -> Written:
    """Write a graph of so many entities; facts are added until there are so many triples."""
    draw = random.Random(seed)
    schema = make_schema(draw)
    classes = draw.choices(
        schema.leaves, weights=[1 / (n + 8) for n in range(len(schema.leaves))], k=entities
    )
    members: dict[str, list[int]] = {leaf: [] for leaf in schema.leaves}
    for number, leaf in enumerate(classes):
        members[leaf].append(number)
    written = Written(entities=entities)
    with file.open("w", encoding="utf-8") as stream:
        for lines in _chunks(_schema_lines(schema)):
            stream.writelines(lines)
            written.triples += len(lines)
        for lines in _chunks(_name_lines(classes, draw, written)):
            stream.writelines(lines)
            written.triples += len(lines)
        for lines in _chunks(_facts(schema, classes, members, draw, triples - written.triples)):
            stream.writelines(lines)
            written.triples += len(lines)
    return written


def make_schema(draw: random.Random) -> Schema:
    """Eight classes, four kinds of each, five of each of these; relations and attributes between leaves."""
    above = {f"{kind} {root}": root for root, kind in product(ROOTS, _KINDS)}
    above |= {f"{middle} {leaf}": middle for middle in list(above) for leaf in _LEAVES}
    leaves = tuple(name for name in above if name not in above.values())
    relations: dict[str, list[tuple[str, str]]] = {leaf: [] for leaf in leaves}
    for role, act, root in product(_ROLES, _ACTS, ROOTS):
        for start in draw.sample(leaves, 6):
            target = draw.choice([leaf for leaf in leaves if f" {root} " in leaf])
            relations[start].append((f"{act} {role} {root}", target))
    attributes: dict[str, list[tuple[str, int]]] = {leaf: [] for leaf in leaves}
    names = [f"{of} {measure}" for of, measure in product(_OF, _MEASURES)]
    for number, (name, owner) in enumerate(product(names, ROOTS[:6])):
        for leaf in draw.sample(leaves, 5):
            attributes[leaf].append((f"{owner} {name}", number // 6 % len(_MEASURES)))
    return Schema(above, leaves, relations, attributes)


def _schema_lines(schema: Schema) -> Iterator[str]:
    for name in ROOTS:
        yield f'{_class(name)} {_LABEL} "{name}"@en .\n'
    for name, parent in schema.above.items():
        yield f"{_class(name)} {_BELOW} {_class(parent)} .\n"
        yield f'{_class(name)} {_LABEL} "{name}"@en .\n'
    for table in (schema.relations, schema.attributes):
        for name in dict.fromkeys(name for pairs in table.values() for name, _ in pairs):
            yield f'{_predicate(name)} {_LABEL} "{name}"@en .\n'


def _name_lines(classes: Sequence[str], draw: random.Random, written: Written) -> Iterator[str]:
    """Classes and names: every third entity in other languages too, every eighth with an alias."""
    pools = _pools(draw)
    last = "Nobody"
    seen: Counter[str] = Counter()
    every = max(1, len(classes) // 20_000)
    for number, leaf in enumerate(classes):
        entity = _entity(number)
        root = leaf.split()[1]
        name = last if number % 40 == 39 else _name(root, pools, draw)
        last = name
        yield f"{entity} {_TYPE} {_class(leaf)} .\n"
        yield f'{entity} {_LABEL} "{name}"@en .\n'
        if number % 3 == 0:
            yield f'{entity} {_LABEL} "{name} {_OWN_WORDS[root][0]}"@de .\n'
        if number % 6 == 0:
            yield f'{entity} {_LABEL} "{_OWN_WORDS[root][1]} {name}"@fr .\n'
        if number % 8 == 0:
            words = name.split()
            yield f'{entity} {_ALIAS} "{words[0][0]}. {words[-1]} {number % 997}"@en .\n'
        if number % every == 0:
            seen[name] += 1
            written.labels.append((f"{BASE}e/{number}", name))


# The words that German and French names of each kind add.
_OWN_WORDS = {
    "person": ("junior", "Maître"),
    "organization": ("Gesellschaft", "Société"),
    "place": ("Standort", "Site"),
    "product": ("Gerät", "Appareil"),
    "document": ("Akte", "Dossier"),
    "project": ("Vorhaben", "Projet"),
    "asset": ("Anlage", "Équipement"),
    "event": ("Veranstaltung", "Événement"),
}


def _pools(draw: random.Random) -> dict[str, list[str]]:
    """Made-up words: first names, last names, and the words of everything else."""

    def words(count: int, *lengths: int) -> list[str]:
        syllables = [one + two for one, two in product(_CONSONANTS, _VOWELS)]
        found: dict[str, None] = {}
        while len(found) < count:
            found["".join(draw.choices(syllables, k=draw.choice(lengths))).title()] = None
        return list(found)

    return {"first": words(1_500, 2), "last": words(60_000, 2, 3), "word": words(20_000, 2, 3)}


def _name(root: str, pools: dict[str, list[str]], draw: random.Random) -> str:
    def common(pool: str) -> str:
        return pools[pool][_zipf(draw, len(pools[pool]))]

    match root:
        case "person":
            middle = f" {common('first')}" if draw.random() < 0.2 else ""
            return f"{common('first')}{middle} {draw.choice(pools['last'])}"
        case "organization":
            return f"{draw.choice(pools['word'])} {draw.choice(pools['last'])} {draw.choice(_FORMS)}"
        case "product" | "asset":
            return f"{draw.choice(pools['word'])} {draw.choice(_GOODS)} {draw.randrange(100, 10_000)}"
        case "project" | "event":
            year = draw.randrange(1990, 2031)
            return f"{draw.choice(pools['word'])} {common('word')} {draw.choice(_PLAN)} {year}"
        case _:
            return f"{draw.choice(pools['word'])} {draw.choice(pools['last'])}"


def _facts(
    schema: Schema,
    classes: Sequence[str],
    members: dict[str, list[int]],
    draw: random.Random,
    count: int,
) -> Iterator[str]:
    """Yield `count` facts, two in five of them attributes; duplicates are rare."""
    for number in range(count):
        subject = number % len(classes)
        leaf = classes[subject]
        if draw.random() < 0.4 and schema.attributes[leaf]:
            name, sort = draw.choice(schema.attributes[leaf])
            yield f"{_entity(subject)} {_predicate(name)} {_literal(sort, draw)} .\n"
            continue
        name, target = draw.choice(schema.relations[leaf])
        objects = members[target] or [subject]
        yield f"{_entity(subject)} {_predicate(name)} {_entity(objects[_zipf(draw, len(objects))])} .\n"


def _literal(sort: int, draw: random.Random) -> str:
    match sort:
        case 0:
            return f'"{draw.randrange(1, 100_000)}"^^<{_XSD}integer>'
        case 1:
            return f'"{draw.random() * 1e6:.2f}"^^<{_XSD}decimal>'
        case 2:
            return f'"{draw.random():.3f}"^^<{_XSD}double>'
        case 3:
            day = f"{draw.randrange(1960, 2030)}-{draw.randrange(1, 13):02}-{draw.randrange(1, 29):02}"
            return f'"{day}"^^<{_XSD}date>'
        case _:
            return f'"{"ABCDEFGH"[draw.randrange(8)]}{draw.randrange(100, 999)}-{draw.randrange(1_000_000)}"'


def _zipf(draw: random.Random, size: int) -> int:
    """A number below `size`, with a chance that falls with its rank (exponent 1)."""
    return int(size ** draw.random()) - 1


def _entity(number: int) -> str:
    return f"<{BASE}e/{number}>"


def _class(name: str) -> str:
    return f"<{BASE}class/{name.title().replace(' ', '')}>"


def _predicate(name: str) -> str:
    words = name.title().replace(" ", "")
    return f"<{BASE}p/{words[0].lower()}{words[1:]}>"


def _chunks(lines: Iterable[str]) -> Iterator[list[str]]:
    some: list[str] = []
    for line in lines:
        some.append(line)
        if len(some) == _LINES:
            yield some
            some = []
    yield some
