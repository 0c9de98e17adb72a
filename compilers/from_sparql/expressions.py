"""Expressions and terms of rdflib's algebra in the converter's form."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from rdflib.namespace import XSD
from rdflib.plugins.sparql.parserutils import CompValue
from rdflib.term import Literal, URIRef
from rdflib.term import Variable as Name

from compilers.from_sparql.errors import CannotState
from compilers.from_sparql.query import (
    CONTAINS,
    Constant,
    Exists,
    Expression,
    QueryCall,
    QueryIri,
    QueryVariable,
    Term,
)
from compilers.kopl.functions import ValueType

_JUNCTIONS = {"ConditionalAndExpression": "&&", "ConditionalOrExpression": "||"}
_ARITHMETIC = ("AdditiveExpression", "MultiplicativeExpression")
_EXISTENCE = {"Builtin_EXISTS": False, "Builtin_NOTEXISTS": True}
_OPPOSITE = {"=": "!=", "!=": "=", "<": ">=", ">": "<=", "<=": ">", ">=": "<"}
_NUMBERS = frozenset((XSD.integer, XSD.decimal, XSD.double, XSD.float, XSD.int, XSD.long))
_MIDNIGHT = ("", "T00:00:00", "T00:00:00Z", "T00:00:00.000")
_DAY = len("2000-12-31")

ReadExists = Callable[[Any, bool], Exists]


def term_of(node: Any) -> Term:
    """A variable, IRI or literal."""
    if isinstance(node, Name):
        return QueryVariable(str(node))
    if isinstance(node, URIRef):
        return QueryIri(str(node))
    if isinstance(node, Literal):
        return _constant(node)
    raise CannotState(f"the term {node}")


def expression_of(node: Any, read_exists: ReadExists) -> Expression:
    """An expression; IN is spelled as comparisons, and negation is moved to these.

    Raises CannotState for forms without a counterpart.
    """
    return _Expressions(read_exists).read(node)


def _constant(literal: Literal) -> Constant:
    text, datatype = str(literal), literal.datatype
    if datatype in _NUMBERS:
        return Constant(text, ValueType.QUANTITY)
    if datatype in (XSD.date, XSD.dateTime):
        if text[_DAY:] not in _MIDNIGHT:
            raise CannotState("a time of the day")
        return Constant(text[:_DAY], ValueType.DATE)
    if datatype == XSD.gYear:
        return Constant(text, ValueType.YEAR)
    if datatype in (None, XSD.string, XSD.boolean):
        return Constant(text, ValueType.STRING)
    raise CannotState(f"a value of {datatype}")


class _Expressions:
    def __init__(self, read_exists: ReadExists) -> None:
        self.read_exists = read_exists

    def read(self, node: Any) -> Expression:
        if not isinstance(node, CompValue):
            return term_of(node)
        if node.name in _JUNCTIONS:
            return QueryCall(_JUNCTIONS[node.name], (self.read(node["expr"]), *map(self.read, node["other"])))
        if node.name == "RelationalExpression":
            return self._comparison(node)
        if node.name in _ARITHMETIC:
            return self._arithmetic(node)
        if node.name in _EXISTENCE:
            # rdflib keeps the translated pattern as an attribute, beside the parsed one under the key.
            return self.read_exists(node.graph, _EXISTENCE[node.name])
        if node.name == "UnaryNot":
            return _negated(self.read(node["expr"]))
        if node.name == "UnaryMinus" and isinstance(node["expr"], Literal):
            return term_of(Literal(-node["expr"].toPython()))
        if node.name == "Function":
            return QueryCall(str(node["iri"]), tuple(map(self.read, node["expr"])))
        call = QueryCall(node.name.removeprefix("Builtin_").lower(), tuple(map(self.read, _arguments(node))))
        return _containing(call) if call.function == CONTAINS else call

    def _comparison(self, node: Any) -> Expression:
        left = self.read(node["expr"])
        if node["op"] not in ("IN", "NOT IN"):
            return QueryCall(node["op"], (left, self.read(node["other"])))
        equal, junction = ("=", "||") if node["op"] == "IN" else ("!=", "&&")
        tests = tuple(QueryCall(equal, (left, self.read(other))) for other in node["other"])
        return tests[0] if len(tests) == 1 else QueryCall(junction, tests)

    def _arithmetic(self, node: Any) -> Expression:
        result = self.read(node["expr"])
        for operator, other in zip(node["op"], node["other"], strict=True):
            result = QueryCall(str(operator), (result, self.read(other)))
        return result


def _containing(call: QueryCall) -> QueryCall:
    """CONTAINS on LCASE or UCASE of a text; raises CannotState for a case-sensitive CONTAINS."""
    match call.arguments:
        case (QueryCall("lcase" | "ucase" as case, (asked,)), Constant(text, ValueType.STRING) as part):
            if text == (text.lower() if case == "lcase" else text.upper()):
                return QueryCall(CONTAINS, (_texted(asked), part))
    raise CannotState("case-sensitive CONTAINS; compare LCASE(…) with a text in lower case")


def _texted(expression: Expression) -> Expression:
    """The argument of STR, or the expression itself."""
    match expression:
        case QueryCall("str", (inner,)):
            return inner
    return expression


def _arguments(node: CompValue) -> Iterator[Any]:
    for key in ("arg", "arg1", "arg2", "arg3"):
        if key in node:
            value = node[key]
            yield from value if isinstance(value, list) else (value,)


def _negated(expression: Expression) -> Expression:
    """The negated expression (De Morgan); an error stays an error, so that neither form holds."""
    match expression:
        case Exists(pattern, negated):
            return Exists(pattern, not negated)
        case QueryCall("&&" | "||" as junction, arguments):
            other = "||" if junction == "&&" else "&&"
            return QueryCall(other, tuple(map(_negated, arguments)))
        case QueryCall(function, arguments) if function in _OPPOSITE:
            return QueryCall(_OPPOSITE[function], arguments)
        case _:
            return QueryCall("!", (expression,))
