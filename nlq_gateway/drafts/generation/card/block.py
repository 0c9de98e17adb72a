"""The block of one class: its head, a line for each attribute and relation, both as text; one item alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from compilers.kopl.functions import Kind, ValueType
from compilers.kopl.values import NO_UNIT
from nlq_gateway.core.types import Partition, SchemaItem
from nlq_gateway.index import Index
from nlq_gateway.index.descriptions import stems_of
from nlq_gateway.models.templates import one_line

# In the order of a block's lines.
GROUPS = ("attributes", "forward", "backward")
MOST_TARGETS = 3
# Examples of an attribute; all of its values if these are short enough together.
MOST_EXAMPLES = 3
_LONGEST_NAME, _LONGEST_NOTE = 200, 60
_LONGEST_VALUE, _LONGEST_LISTING, _LONGEST_NUMBERS = 40, 100, 40
_TYPES = {
    ValueType.STRING: "text",
    ValueType.QUANTITY: "number",
    ValueType.YEAR: "year",
    ValueType.DATE: "date",
}
_MOST_UNITS = 2
# Of an item that is described alone.
_ENDS, _LONGEST = 3, 200
_MIDNIGHT = re.compile(r"(?<=\d)T00:00:00(?:\.0+)?(?:Z|[+-]00:00)?$")


@dataclass(frozen=True, slots=True)
class CardLine:
    """One attribute or relation of a class: its group, schema position, number of facts, and text.

    `targets` are the IRIs of the classes that a relation leads to from this class.
    """

    group: str
    position: int
    count: int
    text: str
    targets: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CardBlock:
    """A class with its lines, each group's most used first; the IRI of things without a class is empty."""

    iri: str
    label: str
    head: str
    lines: tuple[CardLine, ...]


def note_of(item: SchemaItem) -> str:
    """The description of an item if it has words that none of its names has; else ""."""
    known = stems_of(" ".join((item.label, *item.aliases)))
    return shortened(item.description, _LONGEST_NOTE) if stems_of(item.description) - known else ""


def labelled(item: SchemaItem) -> str:
    """`CSAGMN (account manager)`: the label, and the description if it adds words."""
    note = note_of(item)
    return f"{shortened(item.label, _LONGEST_NAME)}{f' ({note})' if note else ''}"


def head_of(item: SchemaItem, label: str, above: Sequence[str], members: Sequence[str]) -> str:
    """`film (72), a kind of work, such as "Fargo"`, `F0301 (72: customer)` with a description."""
    about = ": ".join(filter(None, (f"{item.count:,}", note_of(item))))
    kind = f", a kind of {', '.join(above)}" if above else ""
    such = ", ".join(f'"{shortened(one)}"' for one in members)
    return f"{label} ({about}){kind}{f', such as {such}' if such else ''}"


def attribute_line(item: SchemaItem, partition: Partition, names: bool, qualifiers: Sequence[str]) -> str:
    """`duration (number in minute: 142, 178 …)`, with the description before the type.

    `names`: its values are the members' names.
    """
    about = type_names(item) or "text"
    values = _values(partition)
    held = f"{about}: {values}" if values else about
    shown = "; ".join(filter(None, (note_of(item), held, "the name" if names else "")))
    return f"{shortened(item.label, _LONGEST_NAME)} ({shown}){_qualified(qualifiers)}"


def relation_line(item: SchemaItem, targets: Sequence[tuple[str, int]], qualifiers: Sequence[str]) -> str:
    """`directed by -> person (80)`; targets have the number of facts that lead to them."""
    led = ", ".join(f"{label} ({count:,})" for label, count in targets)
    return f"{labelled(item)} -> {led}{_qualified(qualifiers)}"


def type_names(item: SchemaItem) -> str:
    """`number in minute or hour`, `year or date`; "" for unknown types."""
    named = [unit for unit in item.units if unit != NO_UNIT][:_MOST_UNITS]
    measured = f" in {' or '.join(named)}" if named else ""
    if item.typed_texts:
        return f"{_TYPES[item.value_types[0]]}{measured}, stored as text"
    return " or ".join(
        _TYPES[one] + (measured if one == ValueType.QUANTITY else "") for one in item.value_types
    )


def shortened(text: str, longest: int = _LONGEST_VALUE) -> str:
    """A text on one line, cut if it is long."""
    return one_line(text, longest)


def block_text(block: CardBlock, lines: Iterable[CardLine]) -> str:
    """A class with some of its lines; `…` behind a group with omitted lines."""
    shown = set(lines)
    whole = {group: len([one for one in block.lines if one.group == group]) for group in GROUPS}
    text = block.head
    for group, found in groupby((one for one in block.lines if one in shown), lambda one: one.group):
        texts = [one.text for one in found]
        text += f"\n  {group}: {'; '.join(texts)}{'; …' if len(texts) < whole[group] else ''}"
    return text


def qualifier_text(item: SchemaItem) -> str:
    """`start time (year or date: 1998 …)`."""
    examples = f": {', '.join(map(shortened, item.examples[:2]))} …" if item.examples else ""
    return f"{item.label} ({type_names(item) or 'a thing'}{examples})"


def written(blocks: Iterable[tuple[CardBlock, Sequence[CardLine]]], qualifiers: Iterable[SchemaItem]) -> str:
    """Blocks that have lines, then the heads of the others, then the qualifiers."""
    shown = list(blocks)
    parts = [block_text(block, lines) for block, lines in shown if lines]
    parts += [block.head for block, lines in shown if not lines]
    if described := "; ".join(map(qualifier_text, qualifiers)):
        parts.append(f"qualifiers: {described}")
    return "\n".join(parts)


def _values(partition: Partition) -> str:
    values = [shortened(_MIDNIGHT.sub("", value)) for value in partition.values]
    listing = ", ".join(values)
    longest = _LONGEST_NUMBERS if all(value[:1].isdigit() for value in values) else _LONGEST_LISTING
    if partition.complete and len(listing) <= longest:
        return listing
    return ", ".join(values[:MOST_EXAMPLES]) + (" …" if values else "")


def _qualified(qualifiers: Sequence[str]) -> str:
    return f" [{', '.join(qualifiers)}]" if qualifiers else ""


def described(index: Index, item: SchemaItem) -> str:
    """`directed by: relation from film to person`, `duration: attribute of film, number in minute`."""
    return f"{shortened(item.label, _LONGEST)}: {item.kind.value}{''.join(_about(index, item))}"


def _about(index: Index, item: SchemaItem) -> Iterator[str]:
    begin, end = _classes(index, item.domains), _classes(index, item.ranges)
    if begin:
        yield f" {'from' if item.kind == Kind.RELATION else 'of'} {begin}"
    if end:
        yield f" to {end}"
    if types := type_names(item):
        yield f", {types}"
    if item.description:
        yield f"; {shortened(item.description, _LONGEST)}"


def _classes(index: Index, ends: Sequence[tuple[str, int]]) -> str:
    found = index.items(Kind.CONCEPT, (iri for iri, _ in ends[:_ENDS]))
    return " or ".join(shortened(item.label) for item in found)
