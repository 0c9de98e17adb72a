"""Tables of a program in words: columns, groups, conditions and orders."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import reduce

from compilers.kopl.functions import Type
from compilers.kopl.values import percent_in, possible_values
from nlq_gateway.language.wording import english
from nlq_gateway.language.wording.attributes import value_text
from nlq_gateway.language.wording.english import sentence, words_of
from nlq_gateway.language.wording.phrases import Phrase
from nlq_gateway.language.wording.sets import COMPARED
from nlq_gateway.language.wording.writer import NoForm, Writer

_ORDER = {"descending": "highest", "ascending": "lowest"}
_TIME_ORDER = {"descending": "latest", "ascending": "earliest"}
_NAMING = frozenset(["name", "title", "label", "id", "number", "code"])
_SETS = (Type.ENTITIES, Type.FACTS)


@dataclass(frozen=True, slots=True)
class ColumnWording:
    """A column by its name: `kind` is base (the members), own (an attribute of theirs), other or number.

    `inner` is True for a number that is aggregated for each member, as the number of their concerts.
    """

    kind: str
    name: str
    inner: bool = False
    is_time: bool = False

    @property
    def plain(self) -> str:
        """The name in comparisons and orders."""
        return self.name.replace("their ", "").removeprefix("the ")


@dataclass(frozen=True, slots=True)
class TableWording:
    """A table: columns over the members of `base`, or numbers alone; or a text that says it all."""

    columns: tuple[ColumnWording, ...] = ()
    base: Phrase | None = None
    shown: tuple[int, ...] = ()
    tails: tuple[str, ...] = ()
    order: tuple[int, str] | None = None
    limit: int | None = None
    different: bool = False
    whole: str = ""

    @property
    def groups(self) -> list[ColumnWording]:
        """The columns that are no numbers, with those that are not shown."""
        return [column for column in self.columns if column.kind != "number"]

    def seen(self, kind: str) -> list[ColumnWording]:
        """The columns of a kind that are shown."""
        return [self.columns[at] for at in self.shown if self.columns[at].kind == kind]

    def text(self) -> str:
        """The table as a noun phrase."""
        if self.whole:
            return self.whole
        text = self._grouped() if self._is_grouped else self._listed()
        text = words_of(text, *self.tails)
        if self.order is not None and self.limit is None:
            at, direction = self.order
            down = " in descending order" if direction == "descending" else ""
            text = f"{text}, sorted by {self.columns[at].plain}{down}"
        return text

    @property
    def is_one(self) -> bool:
        """True if it is a single cell."""
        numbers = self.seen("number")
        if not numbers and len(self.shown) == 1 and self.base is not None and not self.base.many:
            return True
        return (
            len(numbers) == 1 == len(self.shown)
            or (self._is_grouped and len(numbers) == 1)
            or (self.limit == 1 and len(self.shown) == len(numbers) + 1)
        )

    @property
    def _is_grouped(self) -> bool:
        """True if a number aggregates all members with the same values in the other columns."""
        numbers = [column for column in self.columns if column.kind == "number"]
        return bool(numbers) and not any(column.inner for column in numbers)

    def _grouped(self) -> str:
        numbers = [column.name for column in self.seen("number")]
        groups = _factored([column.plain for column in self.groups])
        if self.limit is not None and self.order is not None and groups:
            return self._first_groups(groups, numbers)
        if not numbers:
            return f"the {english.listed([english.plural(group) for group in groups])} of {_of(self.base)}"
        each = f"for each {english.listed([english.singular(group) for group in groups])}" if groups else ""
        return words_of(english.listed(_factored(numbers)), each)

    def _first_groups(self, groups: list[str], numbers: list[str]) -> str:
        many = self.limit != 1
        nouns = [english.plural(group) if many else english.singular(group) for group in groups]
        rank = english.number_word(self.limit or 1) if many else ""
        sorted_by = self.columns[self.order[0]].name if self.order else ""
        others = [number for number in numbers if number != sorted_by]
        also = f"and {english.listed([*(['this number'] if sorted_by in numbers else []), *others])}"
        also = also if numbers else ""
        return words_of("the", rank, english.listed(nouns), f"with {self._most()}", also)

    def _most(self) -> str:
        at, direction = self.order or (0, "")
        column = self.columns[at]
        most = _TIME_ORDER if column.is_time else _ORDER
        return f"the {most[direction]} {column.plain}"

    def _listed(self) -> str:
        if self.base is None:
            raise NoForm
        base = self.base
        if self.limit is not None and self.order is not None:
            many = self.limit > 1
            rank = english.number_word(self.limit) if many else ""
            base = replace(base, before=rank, after=f"with {self._most()}", many=many)
        elif self.limit is not None:
            base = replace(base, before=f"first {english.number_word(self.limit)}")
        own = [column.name for column in self.seen("own")]
        nouns = english.listed([english.plural(noun) for noun in own] if base.many else own)
        others = [column.name for column in (*self.seen("other"), *self.seen("number"))]
        different = "different" if self.different else ""
        if self.seen("base"):
            with_own = [words_of("their" if base.many else "its", nouns)] if own else []
            rest = english.listed([*with_own, *others])
            return words_of(_of(base), f"with {rest}" if rest else "")
        if not own:
            return f"{english.listed(others)} for {_of(base)}"
        return english.listed([f"{words_of('the', different, nouns)} of {_of(base)}", *others])


def _factored(numbers: list[str]) -> list[str]:
    """The numbers without the owner that all have in common, but the last."""
    first = numbers[0] if len(numbers) > 1 else ""
    ends = [first[at:] for at in range(len(first)) if first.startswith(" of ", at)]
    common = next((end for end in ends if all(number.endswith(end) for number in numbers)), "")
    return [*(number.removesuffix(common) for number in numbers[:-1]), *numbers[-1:]]


def _of(base: Phrase | None) -> str:
    if base is None:
        raise NoForm
    return base.definite()


def _table(writer: Writer, at: int) -> TableWording:
    steps = writer.sources(at)
    is_number = [writer.step(step).signature.output == Type.NUMBER for step in steps]
    members = [step for step, number in zip(steps, is_number, strict=True) if not number]
    base = _base(writer, members, [step for step in steps if step not in members])
    if base is None and members:
        raise NoForm
    phrase = writer.phrase(base) if base is not None else None
    columns = tuple(
        _number(writer, step, base, members) if number else _column(writer, step, base)
        for step, number in zip(steps, is_number, strict=True)
    )
    return TableWording(columns, phrase, tuple(range(len(columns))))


def _optional_table(writer: Writer, at: int) -> TableWording:
    return replace(_table(writer, at), tails=("where there are any",))


def _base(writer: Writer, members: list[int], numbers: list[int]) -> int | None:
    """The step that all columns speak of."""
    if not members:
        return None
    lines = [writer.line(step) for step in members]
    counted = [line for step in numbers if set(line := writer.line(step)) & set(lines[0])]
    common = reduce(lambda line, other: [step for step in line if step in other], [*lines, *counted])
    sets = (step for step in common if writer.step(step).signature.output in _SETS)
    found = next(sets, None)
    return None if found is None or writer.step(found).signature.name == "FindAll" else found


def _them(writer: Writer, base: int) -> Writer:
    noun = writer.phrase(base).head(False)
    return writer.meaning(base, Phrase(name="them", guess=noun, pronoun="their", many=False))


def _column(writer: Writer, step: int, base: int | None) -> ColumnWording:
    if base is None:
        raise NoForm
    if step == base:
        return ColumnWording("base", writer.phrase(step).head(False))
    if writer.step(step).signature.name == "QueryAttr" and writer.source(step) == base:
        return ColumnWording("own", writer.attribute(step).noun, is_time=writer.is_time(step))
    inner = _them(writer, base)
    if writer.step(step).signature.output == Type.VALUES:
        time = writer.step(step).signature.name == "QueryAttr" and writer.is_time(step)
        return ColumnWording("other", inner.measure(step).text(), is_time=time)
    phrase = inner.phrase(step)
    if phrase.is_role and phrase.possessive and not phrase.clauses:
        return ColumnWording("own", phrase.role)
    return ColumnWording("other", phrase.definite())


def _number(writer: Writer, step: int, base: int | None, members: list[int]) -> ColumnWording:
    counted = writer.source(step)
    if base is not None and base not in writer.line(counted):
        raise NoForm
    inside = base is not None and base in writer.line(counted)[1:]
    of_base = base is not None and writer.step(counted).signature.output == Type.VALUES
    own = of_base and writer.source(counted) == base
    named = any(_is_name(writer, member, base) for member in members)
    if base is not None and (base in members or (inside and not own and named)):
        return ColumnWording("number", _them(writer, base).measure(step).text(), inner=True)
    return ColumnWording("number", writer.measure(step).text())


def _is_name(writer: Writer, step: int, base: int | None) -> bool:
    """True if a column identifies the members of the base, as their names do."""
    named = writer.step(step).signature.name == "QueryAttr" and writer.source(step) == base
    return named and writer.attribute(step).noun.lower().rpartition(" ")[2] in _NAMING


def _filter(writer: Writer, at: int) -> TableWording:
    rows = rows_at(writer, writer.source(at))
    if rows.limit is not None:
        raise NoForm
    column, text, operator = writer.step(at).inputs
    value = possible_values(text)[0]
    condition = f"where the {_plain(rows, column)} {COMPARED[operator]} {value_text(value)}"
    return replace(
        rows, tails=(*rows.tails, condition.replace("where", "and where") if rows.tails else condition)
    )


def _plain(rows: TableWording, column: str) -> str:
    if rows.whole:
        raise NoForm
    return rows.columns[rows.shown[int(column) - 1]].plain


def _sort(writer: Writer, at: int) -> TableWording:
    rows = rows_at(writer, writer.source(at))
    column, direction = writer.step(at).inputs
    if rows.whole or rows.limit is not None:
        raise NoForm
    return replace(rows, order=(rows.shown[int(column) - 1], direction))


def _limit(writer: Writer, at: int) -> TableWording:
    rows = rows_at(writer, writer.source(at))
    if rows.whole or rows.limit is not None or (rows.base is not None and rows.base.name):
        raise NoForm
    percent = percent_in(writer.argument(at, 0))
    if percent is not None:
        return TableWording(whole=f"{rows.text()}, the first {percent} per cent of these")
    return replace(rows, limit=int(writer.argument(at, 0)))


def _skip(writer: Writer, at: int) -> TableWording:
    rows = rows_at(writer, writer.source(at))
    if rows.whole or rows.limit is not None or rows.order is None:
        raise NoForm
    percent = percent_in(writer.argument(at, 0))
    if percent is not None:
        return TableWording(whole=f"{rows.text()}, but for the first {percent} per cent of these")
    return TableWording(
        whole=f"{rows.text()}, from the {english.ordinal(int(writer.argument(at, 0)) + 1)} on"
    )


def _drop(writer: Writer, at: int) -> TableWording:
    rows = rows_at(writer, writer.source(at))
    if rows.whole:
        raise NoForm
    left_out = int(writer.argument(at, 0)) - 1
    return replace(rows, shown=rows.shown[:left_out] + rows.shown[left_out + 1 :])


def _different(writer: Writer, at: int) -> TableWording:
    return replace(rows_at(writer, writer.source(at)), different=True)


def _combined(words: str) -> Callable[[Writer, int], TableWording]:
    def read(writer: Writer, at: int) -> TableWording:
        first, second = (rows_at(writer, step).text() for step in writer.sources(at))
        return TableWording(whole=f"{first} {words} {second}")

    return read


TABLES: Mapping[str, Callable[[Writer, int], TableWording]] = {
    "Table": _table,
    "OptionalTable": _optional_table,
    "FilterTable": _filter,
    "SortTable": _sort,
    "LimitTable": _limit,
    "SkipTable": _skip,
    "DropColumn": _drop,
    "DistinctTable": _different,
    "AndTable": _combined("that are also among"),
    "OrTable": _combined("or"),
    "ExceptTable": _combined("that are not among"),
}


def rows_at(writer: Writer, at: int) -> TableWording:
    """A table in words; raises NoForm."""
    return TABLES[writer.step(at).signature.name](writer, at)


def table_questions(writer: Writer, at: int) -> list[str]:
    """Questions for rows, or for how many there are."""
    if writer.step(at).signature.name == "CountTable":
        text = rows_at(writer, writer.source(at)).text()
        return [
            f"How many combinations are there of {text}?",
            sentence(f"Count the combinations of {text}", "."),
        ]
    rows = rows_at(writer, at)
    text = rows.text()
    forms = [
        f"What {'is' if rows.is_one else 'are'} {text}?",
        sentence(f"List {text}", "."),
        sentence(f"Show {text}", "."),
        sentence(f"Give me {text}", "."),
    ]
    if " for each " in text and not rows.tails and rows.order is None:
        numbers, _, groups = text.partition(" for each ")
        forms.append(f"For each {groups}, what is {numbers}?")
    if text.startswith(("the ", "all ")):
        bare = text.removeprefix("the ")
        name = rows.base.name if rows.base else ""
        # A name is written as it is, and not as a sentence begins.
        forms.append(sentence(text if name and bare.startswith(name) else bare))
    return forms
