"""The names of the schema's items, looked up as they are, folded, or by their stems."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from compilers.kopl.functions import SCHEMA_KINDS, Kind
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.index import search
from nlq_gateway.index.text import fold, humanise, stem


@dataclass(frozen=True, slots=True)
class _SchemaName:
    """A label or alias of a schema item."""

    position: int
    text: str
    is_alias: bool


_NamesOfKind = dict[Kind, dict[str, list[_SchemaName]]]


class SchemaNames:
    """Labels and aliases of a schema. Safe to share between threads."""

    def __init__(self, schema: Sequence[SchemaItem]) -> None:
        """Fold the names; those of a language are stemmed when they are first asked for."""
        self._schema = schema
        self._folded = _names_by(schema, lambda form: form)
        self._stemmed: dict[str, _NamesOfKind] = {}

    def named(self, kind: Kind, name: str) -> tuple[int, ...]:
        """The positions of items with exactly this label or alias, else those with the same folded one."""
        by_name = self._folded[kind]
        found = by_name.get(fold(name)) or by_name.get(fold(humanise(name)), [])
        exact = [one for one in found if one.text == name]
        return tuple(dict.fromkeys(one.position for one in exact or found))

    def matches(self, kind: Kind, text: str, form: str, language: str) -> Iterator[tuple[int, str, str]]:
        """Yield position, name, and exact, folded, alias or stem for each match of a text, folded `form`."""
        for name in self._folded[kind].get(form, ()):
            yield name.position, name.text, search.how_named(text, name.text, name.is_alias)
        for name in self._by_stem(language)[kind].get(stem(form, language), ()):
            yield name.position, name.text, "stem"

    def _by_stem(self, language: str) -> _NamesOfKind:
        """The names by kind and the stem that they have in a language."""
        found = self._stemmed.get(language)
        if found is None:
            found = self._stemmed[language] = _names_by(self._schema, lambda form: stem(form, language))
        return found


def _names_by(schema: Sequence[SchemaItem], key: Callable[[str], str]) -> _NamesOfKind:
    """The schema's names by kind and the key of their folded form."""
    found: _NamesOfKind = {kind: defaultdict(list) for kind in SCHEMA_KINDS}
    for position, item in enumerate(schema):
        for number, text in enumerate((item.label, *item.aliases)):
            name = _SchemaName(position, text, number > 0)
            for form in dict.fromkeys((fold(text), fold(humanise(text)))):
                found[item.kind][key(form)].append(name)
    return found
