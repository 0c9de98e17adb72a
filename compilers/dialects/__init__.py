"""The dialects of stores, one row each; a deviation needs a wrong answer or an error seen.

A layout asks the dialect how to state a test, never for the store's name. The facts behind each field were
tested on the stores themselves; the field's docstring names the error without it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Dialect:
    """The deviations of one kind of store; tickets are those of openlink/virtuoso-opensource.

    guarded_numbers: compare `isNumeric(?x) && xsd:double(?x)` with a double instead of `?x`. Virtuoso 7.2
        returns wrong rows for a plain range over mixed numeric types, calls every string greater than any
        number, and holds a decimal of many digits unequal to the double that is written the same (#114).
    typed_strings: match a text also as `"…"^^xsd:string`. Virtuoso 7.2 keeps RDF 1.0's difference
        between plain and xsd:string literals (#728).
    day_keys: compare days by an integer made of year, month and day. Virtuoso 7.2 takes dates before the
        common era for the latest of all (#639 has other troubles with them).
    short_doubles: fetch a number's `STR` beside it. Virtuoso 7.2 writes doubles with six digits into its
        results (`1.47561e+07`), but all of them into strings (#1006).
    class_paths: `rdf:type/rdfs:subClassOf*` may be used. Virtuoso 7.2 loses rows when a query has two
        such paths and a default graph (#127), so it gets VALUES.
    paths: `ex:partOf+` may be used. Virtuoso 7.2 fails where neither end is known yet (TR…: transitive start
        not given), misses the start of a circle, and loses the rows of an OPTIONAL, so that it is
        asked for each step (`compilers.closures`).
    double_division: a dividend is cast to a double. Virtuoso 7.2 divides integers to whole numbers (`7/2` is
        3), Oxigraph 0.5 has no answer to `0/1.25`.
    numbers_by_value: a double in a pattern finds every double of its value, however it is written. It costs
        Virtuoso 7.2 half of a guarded test.
    subqueries_per_row: a subquery is evaluated for each row of the patterns beside it, which are therefore
        made a subquery, too. Virtuoso 7.2 takes up to eight times as long otherwise.
    subqueries_in_negation: NOT EXISTS and MINUS may hold subqueries, and a constant for a variable from
        outside. Virtuoso 7.2 gives wrong rows where the former group, sort or cut (51 of 60 graphs), and
        forgets the variable of the latter, so both stand in an OPTIONAL that must not be bound.
    calculated_heads: a SELECT's head may calculate with aggregates, and HAVING may stand without GROUP BY.
        Virtuoso 7.2 fails at some of the former (SQ156) and at all of the latter (SP031).
    early_functions: a function is evaluated before the pattern is joined that its argument comes from, so
        the argument is guarded where objects of every kind have one predicate, or one of their own. Virtuoso
        7.2 fails at the YEAR of an IRI (DT001), and at the number of a text (SR066).
    empty_sums: the sum of nothing is unbound, as in SQL, and so is the average. Virtuoso 7.2 has no answer
        to a sum of nothing otherwise, and cannot compile the test that makes an average of nothing unbound
        (SQ156).
    keeps_ties: equal rows of a subquery are all sent where they are ordered and cut. Virtuoso 7.2 sends one
        of them, so that they are ordered by further columns.
    skips_apart: OFFSET rows do not count among the sorted rows. Virtuoso 7.2 sorts no more
        than 10,000 under a limit, and refuses the query otherwise (SR353), so that the limit makes room.
    """

    name: str
    guarded_numbers: bool = False
    typed_strings: bool = False
    day_keys: bool = False
    short_doubles: bool = False
    class_paths: bool = True
    paths: bool = True
    double_division: bool = False
    numbers_by_value: bool = False
    subqueries_per_row: bool = False
    subqueries_in_negation: bool = True
    calculated_heads: bool = True
    early_functions: bool = False
    empty_sums: bool = False
    keeps_ties: bool = True
    skips_apart: bool = True


DIALECTS = {
    dialect.name: dialect
    for dialect in (
        Dialect("sparql11", guarded_numbers=True, typed_strings=True, day_keys=True, double_division=True),
        Dialect("oxigraph", double_division=True),
        Dialect("fuseki"),
        Dialect(
            "virtuoso",
            guarded_numbers=True,
            typed_strings=True,
            day_keys=True,
            short_doubles=True,
            class_paths=False,
            paths=False,
            double_division=True,
            numbers_by_value=True,
            subqueries_per_row=True,
            subqueries_in_negation=False,
            calculated_heads=False,
            early_functions=True,
            empty_sums=True,
            keeps_ties=False,
            skips_apart=False,
        ),
    )
}
