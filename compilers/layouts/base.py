"""The operations that every layout supplies, and helpers that several of them share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from compilers import algebra as a
from compilers.errors import UnsupportedProgram
from compilers.grounded import Binding
from compilers.kopl.functions import Kind, ValueType
from compilers.kopl.units import convertible
from compilers.kopl.values import CONTAINS, NO_UNIT, Date, Quantity, Value, format_number
from compilers.layouts.options import Options
from compilers.layouts.vocabulary import RDFS, XSD
from compilers.naming import VariableNames

FALSE = a.Literal("false", XSD + "boolean")

# Stores keep 18 digits of a decimal and 63 bits of an integer.
_LONGEST_DECIMAL = 17
# Beyond these a decimal and the double of the same digits differ in some stores.
_DECIMAL_DIGITS = 15

Patterns = tuple[a.Pattern, ...]


@dataclass(frozen=True, slots=True)
class ValueReference:
    """The place of a value in a pattern: the variable of a literal or of a value node.

    `stem` names further variables about it, `step` is the step that reads it. `read_as` is the type that is
    wanted of texts that state numbers or dates: without one they are read as numbers, and as texts.
    """

    variable: a.Variable
    binding: Binding
    stem: str
    step: int
    read_as: ValueType | None = field(default=None, kw_only=True)


@dataclass(frozen=True, slots=True)
class Column:
    """A projected variable and its content.

    `role` is one of entity, label, owner, owner relation and owner label (the subject that has a blank node,
    by which relation, its label), value, value label (of an item that is the value), digits (all those of a
    number), unit, year, date, precision (a Wikibase's, of a time), relation, count, number (a calculated
    one), day (a day's key, or a year's). `unit` is that of all the column's quantities where the graph does
    not state it beside each; empty when it is unknown. In a table `cell` is the index of the column, from 0,
    that the variable is part of. `heading` has the words that the variable is named after.
    """

    name: str
    role: str
    step: int
    unit: str = ""
    cell: int = 0
    heading: str = ""


@dataclass(frozen=True, slots=True)
class ValuePatterns:
    """Patterns that fetch a value, and the columns it arrives in."""

    patterns: Patterns
    columns: tuple[Column, ...]


@dataclass(frozen=True, slots=True)
class Measure:
    """Patterns and an expression that order values.

    Where not all values compare with each other, `unit` holds the unit that `number` is in, and `counted` is
    a value that is stated in that very unit. Where `number` is a year and some values are days, `has_day` is
    true of these, and `day` is their key. `date` is the date of a day's key.
    """

    patterns: Patterns
    number: a.Expression
    shown: tuple[Column, ...]
    unit: a.Variable | None = None
    counted: a.Expression | None = None
    has_day: a.Expression | None = None
    day: a.Expression | None = None
    date: a.Expression | None = None


class Layout(Protocol):
    """The layout of a graph's facts. All patterns returned carry `step`."""

    @property
    def name(self) -> str:
        """The layout's name in the configuration."""

    @property
    def has_qualifiers(self) -> bool:
        """True if facts have a node that carries qualifiers."""

    @property
    def has_value_nodes(self) -> bool:
        """True if a value has a node of its own, of which several may hold the same value."""

    @property
    def mixes_objects(self) -> bool:
        """True if one predicate finds all facts, so that objects are values as well as entities."""

    @property
    def commonness(self) -> Mapping[str, int]:
        """Predicates with objects that many subjects share (1: membership), or nearly all (2); others 0."""

    def iri(self, kind: Kind, name: str) -> str | None:
        """The IRI that a bare name must have by the layout's naming rule, or None."""

    def named(self, entity: a.Variable, name: str, step: int) -> Patterns:
        """`entity` carries this name."""

    def everything(self, entity: a.Variable, step: int) -> Patterns:
        """`entity` is any entity."""

    def member(self, entity: a.Variable, concept: Binding | str, step: int) -> Patterns:
        """`entity` belongs to the concept (a binding, or a bare name) or to one below it."""

    def relation(
        self, head: a.Term, relation: Binding, tail: a.Term, fact: a.Variable | None, step: int
    ) -> Patterns:
        """`head` is related to `tail`; the fact's own node is `fact` when one is wanted."""

    def path(self, head: a.Term, relation: Binding, tail: a.Term, step: int) -> Patterns:
        """`head` is related to `tail` in one step or more; UnsupportedProgram where no path states that."""

    def attribute(
        self, entity: a.Variable, attribute: Binding, fact: a.Variable | None, step: int
    ) -> tuple[Patterns, ValueReference]:
        """`entity` has a value of the attribute."""

    def qualifier(self, fact: a.Variable, qualifier: Binding, step: int) -> tuple[Patterns, ValueReference]:
        """The fact has a value of the qualifier."""

    def test(self, value: ValueReference, comparison: str, target: Value, step: int) -> Patterns:
        """`value comparison target` holds, by the rules of `compilers.kopl.values.compare`."""

    def read(self, value: ValueReference, step: int) -> ValuePatterns:
        """Fetch the value."""

    def measure(self, value: ValueReference, step: int) -> Measure:
        """Order the value."""

    def between(self, head: a.Term, relation: a.Variable, tail: a.Term, step: int) -> Patterns:
        """`relation` is any relation, not of the schema's own vocabulary, from `head` to `tail`."""

    def label(self, entity: a.Variable, label: a.Variable, step: int) -> Patterns:
        """`label` is a label of the entity in a wanted language."""


@runtime_checkable
class RelationLabels(Protocol):
    """A layout whose relations have labels of their own in the graph."""

    def relation_label(self, relation: a.Variable, label: a.Variable, step: int) -> Patterns:
        """`label` is a label of the relation in a wanted language."""


def one_or_more(
    head: a.Term, ways: Sequence[a.Iri | a.InversePath], tail: a.Term, options: Options, step: int
) -> Patterns:
    """A path of one step or more, each by one of the predicates; UnsupportedProgram where there is none."""
    path = any_of(ways)
    if options.stepwise:
        return (a.Triple(head, path, tail, (step,)),)
    if not options.dialect.paths:
        what = f"one query in the dialect {options.dialect.name}"
        raise no_path(what, step, "run the program: the relation is then followed before the query")
    return (a.Triple(head, a.OneOrMore(path), tail, (step,)),)


def ways_of(relation: Binding) -> tuple[a.Iri | a.InversePath, ...]:
    """The predicates of a relation, and those that state its facts the other way round."""
    back = (a.InversePath(a.Iri(iri)) for iri in relation.inverses)
    return *map(a.Iri, relation.iris), *back


def any_of(ways: Sequence[a.Iri | a.InversePath]) -> a.Iri | a.InversePath | a.AlternativePath:
    """One of the predicates; of several, a choice."""
    return ways[0] if len(ways) == 1 else a.AlternativePath(tuple(ways))


def label_predicate(options: Options) -> a.Predicate:
    """The predicate, or the choice of them, that names things."""
    return any_of(tuple(map(a.Iri, options.label_predicates or (RDFS + "label",))))


def no_path(what: str, step: int, hint: str = "use Relate as often as there are steps") -> UnsupportedProgram:
    """The error for a relation of any depth that cannot be stated, or that the store answers wrongly."""
    return UnsupportedProgram(f"{what} has no relations of any depth", step=step, hint=hint)


def string_forms(
    text: str, options: Options, languages: tuple[str, ...] | None = None
) -> tuple[a.Literal, ...]:
    """The forms of a text as a literal, for a look-up by term instead of a scan."""
    tags = options.languages if languages is None else languages
    forms = [a.Literal(text)]
    if options.dialect.typed_strings:
        forms.append(a.Literal(text, XSD + "string"))
    if not options.plain_labels:
        forms.extend(a.Literal(text, language=tag) for tag in tags)
    return tuple(forms)


TRUTHS = {"true": "1", "false": "0"}
# The digits of a clock behind the point of a key, as a factor.
MOMENTS = 1_000_000


def truth_test(text: a.Variable, comparison: str, target: str, forms: tuple[a.Literal, ...]) -> a.Expression:
    """`text` is `true` or `false`, one of the forms or a boolean, which KoPL has no type for; or is not.

    It is compared by value: as terms, `true` and `1` as booleans are one in some stores and two in others.
    That it is not is told by its letters, since a text and a boolean cannot be compared by value.
    """
    if comparison == "=":
        return a.Membership(text, (*forms, a.Literal(target, XSD + "boolean")))
    ways = (a.Literal(target), a.Literal(TRUTHS[target]))
    return a.Membership(a.Call("STR", (text,)), ways, negated=True)


def one_of(variable: a.Variable, forms: tuple[a.Term, ...], step: int) -> Patterns:
    """`variable` is one of the given terms."""
    return (a.Values((variable,), tuple((form,) for form in forms), (step,)),)


def text_test(text: a.Expression, comparison: str, target: str) -> a.Expression:
    """`text comparison target`, letter by letter; `contains` ignores case."""
    stated, wanted = a.Call("STR", (text,)), a.Literal(target)
    if comparison == CONTAINS:
        # The store folds both, so that they fold alike even where it lacks a letter's capital.
        return a.Call("CONTAINS", (a.Call("LCASE", (stated,)), a.Call("LCASE", (wanted,))))
    return a.Operation(comparison, (stated, wanted))


def number_literal(number: float) -> a.Literal:
    """A number as SPARQL writes it: an integer, a decimal, or a double where stores have room for neither."""
    text = format_number(number)
    digits = len(text.replace(".", "").lstrip("-0"))
    if len(text) > _LONGEST_DECIMAL or ("." in text and digits > _DECIMAL_DIGITS):
        return a.Literal(repr(number), XSD + "double")
    return a.Literal(text, XSD + ("decimal" if "." in text else "integer"))


def number_bound(number: float, options: Options) -> a.Literal:
    """The literal for `number_test`: a double where it casts to one, unless it is an integer.

    Virtuoso 7.2 holds the decimal 69442943089.4309 unequal to the double of the same digits.
    """
    literal = number_literal(number)
    if options.dialect.guarded_numbers and literal.datatype == XSD + "decimal":
        return a.Literal(literal.lexical, XSD + "double")
    return literal


def number_test(
    number: a.Expression, comparison: str, target: a.Variable | a.Literal, options: Options
) -> a.Expression:
    """`number comparison target` in the form that the dialect gets right.

    Compared with a variable, the guard is an IF: Virtuoso 7.2 joins on the equality before it evaluates
    the other side of `&&`, and then fails at casting a text (SR066).
    """
    if not options.dialect.guarded_numbers:
        return a.Operation(comparison, (number, target))
    is_number = a.Call("isNumeric", (number,))
    test = a.Operation(comparison, (a.Call(XSD + "double", (number,)), target))
    if isinstance(target, a.Variable):
        return a.Call("IF", (is_number, test, FALSE))
    return a.Operation("&&", (is_number, test))


def number_of_text(value: a.Variable) -> a.Expression:
    """The number that a text states, else the value itself.

    A text with an n gives no number: stores read "NaN" and "INF" as numbers, which spoil averages.
    """
    text = a.Call("STR", (value,))
    is_word = a.Call("CONTAINS", (a.Call("LCASE", (text,)), a.Literal("n")))
    return a.Call("IF", (is_word, value, a.Call("COALESCE", (a.Call(XSD + "double", (text,)), value))))


def time_of_text(value: a.Variable, *, moment: bool) -> a.Expression:
    """The day that a text begins with, or the `moment` that it states with any letter before the clock."""
    text = a.Call("STR", (value,))
    day = a.Call("SUBSTR", (text, number_literal(1), number_literal(10)))
    if not moment:
        return a.Call(XSD + "date", (day,))
    clock = a.Call("SUBSTR", (text, number_literal(12)))
    return a.Call(XSD + "dateTime", (a.Call("CONCAT", (day, a.Literal("T"), clock)),))


def with_digits(
    reading: ValuePatterns, number: a.Variable, stem: str, options: Options, names: VariableNames
) -> ValuePatterns:
    """The reading with all digits of a number as a column of their own, on stores that shorten it."""
    if not options.dialect.short_doubles:
        return reading
    step = reading.columns[0].step
    digits = names.fresh(f"{stem} digits")
    bind = a.Bind(a.Call("STR", (number,)), digits, (step,))
    return ValuePatterns((*reading.patterns, bind), (*reading.columns, Column(digits.name, "digits", step)))


def targets_by_unit(target: Quantity, units: tuple[str, ...]) -> tuple[tuple[str, float], ...]:
    """The target in every unit it converts to, among those that the graph uses."""
    known = convertible(target.unit, units) if target.unit != NO_UNIT else ()
    if not known:
        return ((target.unit, target.number),)
    return tuple(
        (unit, target.number if factor == 1 else float(f"{target.number * factor:.12g}"))
        for unit, factor in known
    )


def may_be(binding: Binding, *types: ValueType) -> bool:
    """True if values of the binding may be of one of the types; unknown types may be any."""
    return not binding.value_types or any(value_type in binding.value_types for value_type in types)


def in_languages(label: a.Variable, options: Options, step: int) -> Patterns:
    """The label is in a wanted language or in none; nothing where labels have no language tags."""
    if options.plain_labels:
        return ()
    wanted = tuple(a.Literal(tag) for tag in (*options.languages, ""))
    return (a.Filter(a.Membership(a.Call("LANG", (label,)), wanted), (step,)),)


def day_key(date: a.Expression) -> a.Expression:
    """`YEAR*10000 + MONTH*100 + DAY`: orders days of any era alike on every store tested."""
    year = a.Operation("*", (a.Call("YEAR", (date,)), number_literal(10_000)))
    month = a.Operation("*", (a.Call("MONTH", (date,)), number_literal(100)))
    return a.Operation("+", (year, month, a.Call("DAY", (date,))))


def moment_key(time: a.Expression) -> a.Expression:
    """The `day_key` of a time with its clock behind the point: 20260304.101500 is a quarter past ten."""
    clock = (("HOURS", "0.01"), ("MINUTES", "0.0001"), ("SECONDS", "0.000001"))
    parts = (a.Operation("*", (a.Call(name, (time,)), a.Literal(by, XSD + "decimal"))) for name, by in clock)
    return a.Operation("+", (day_key(time), *parts))


def day_literal(date: Date) -> a.Literal:
    """The `day_key` of a day, or the `moment_key` of a moment."""
    day = date.year * 10_000 + date.month * 100 + date.day
    if not date.second:
        return number_literal(day)
    hour, minute, second = date.clock
    return a.Literal(f"{day}.{hour:02d}{minute:02d}{second:02d}", XSD + "decimal")


def any_predicate(binding: Binding, names: VariableNames, step: int) -> tuple[Patterns, a.Variable | a.Iri]:
    """The predicate of a binding, with inline data when it stands for several."""
    if len(binding.iris) == 1:
        return (), a.Iri(binding.iris[0])
    variable = names.fresh(f"{binding.label} relation")
    return one_of(variable, tuple(map(a.Iri, binding.iris)), step), variable


def any_object(
    subject: a.Variable, predicate: a.Predicate, iris: tuple[str, ...], names: VariableNames, step: int
) -> Patterns:
    """`subject predicate` leads to one of the IRIs."""
    if len(iris) == 1:
        return (a.Triple(subject, predicate, a.Iri(iris[0]), (step,)),)
    variable = names.fresh("concept")
    return (*one_of(variable, tuple(map(a.Iri, iris)), step), a.Triple(subject, predicate, variable, (step,)))
