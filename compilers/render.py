"""Prints the algebra as text: one pattern per line, a comment per step, and the source map."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from compilers import algebra as a
from compilers.kopl.functions import Type
from compilers.kopl.program import Program
from compilers.layouts.vocabulary import RDF, WELL_KNOWN_PREFIXES
from compilers.terms import write_comment, write_iri, write_literal

INDENT = "  "
# Longer lists of values get a line for each row.
LONGEST_LIST = 100
# A nested group of at most this many patterns stands on the line of its keyword.
_SHORT = 2
# SELECT, union, subquery.
_SUBQUERY_DEPTH = 2

# The precedence of operators: https://www.w3.org/TR/sparql11-query/#sparqlGrammar, productions 111 to 117.
_TIGHTNESS = {"||": 1, "&&": 2, "+": 4, "-": 4, "*": 5, "/": 5}
_COMPARISON = 3
# The modifier that states a step about a table.
_MODIFIERS = {"FilterTable": "HAVING", "SortTable": "ORDER BY", "LimitTable": "LIMIT", "SkipTable": "OFFSET"}
_ASSOCIATIVE = ("||", "&&", "+", "*")


@dataclass(frozen=True, slots=True)
class RenderedLine:
    """One line without its indentation, and the steps that it states."""

    depth: int
    text: str
    steps: tuple[int, ...] = ()

    def __str__(self) -> str:
        """The line as it is printed, with its end."""
        return f"{INDENT * self.depth}{self.text}\n"


@dataclass(frozen=True, slots=True)
class Rendered:
    """A query's text, and for each step the half-open character ranges that state it, in order."""

    text: str
    spans: tuple[tuple[tuple[int, int], ...], ...]


def render(select: a.Select, program: Program, prefixes: tuple[tuple[str, str], ...]) -> Rendered:
    """Print a SELECT with its prefixes and comments, deterministic to the byte."""
    printer = _printer(prefixes)
    body = list(printer.select(select, 0))
    return _join([*printer.head(), *_with_comments(body, program)], len(program))


def render_steps(
    select: a.Select, steps: Sequence[int], program: Program, prefixes: tuple[tuple[str, str], ...]
) -> str:
    """Print a SELECT from a union of subqueries, one about each of the steps, behind the step's comment."""
    printer = _printer(prefixes)
    asked = iter(steps)
    lines: list[RenderedLine] = []
    for line in printer.select(select, 0):
        if line.depth == _SUBQUERY_DEPTH and line.text.startswith("SELECT"):
            lines.append(RenderedLine(line.depth, _comment(next(asked), program)))
        lines.append(line)
    return "".join(map(str, (*printer.head(), *lines)))


def render_select(select: a.Select, prefixes: tuple[tuple[str, str], ...]) -> str:
    """Print a SELECT without comments, for a query that belongs to no single program."""
    printer = _printer(prefixes)
    lines = tuple(printer.select(select, 0))
    return "".join(map(str, (*printer.head(), *lines)))


def render_ask(patterns: tuple[a.Pattern, ...], prefixes: tuple[tuple[str, str], ...]) -> str:
    """Print an ASK for a solution of the patterns."""
    printer = _printer(prefixes)
    lines = tuple(printer.ask(patterns))
    return "".join(map(str, (*printer.head(), *lines)))


def _printer(prefixes: tuple[tuple[str, str], ...]) -> Printer:
    own = {namespace: prefix for prefix, namespace in prefixes}
    return Printer({**{ns: prefix for prefix, ns in WELL_KNOWN_PREFIXES.items()}, **own}, set())


@dataclass(frozen=True, slots=True)
class Printer:
    """Prints nodes as lines; remembers the namespaces used."""

    prefixes: Mapping[str, str]
    used: set[str]

    def head(self) -> Iterator[RenderedLine]:
        """The prefixes that were used, in alphabetical order."""
        for prefix, namespace in sorted((self.prefixes[namespace], namespace) for namespace in self.used):
            yield RenderedLine(0, f"PREFIX {prefix}: <{namespace}>")

    def select(self, select: a.Select, depth: int) -> Iterator[RenderedLine]:
        """A SELECT from its head to its modifiers."""
        columns = " ".join(self._projection(p) for p in select.projections)
        keyword = "SELECT DISTINCT" if select.distinct else "SELECT"
        yield RenderedLine(depth, f"{keyword} {columns} WHERE {{", select.steps)
        yield from self._group(select.patterns, depth + 1)
        yield RenderedLine(depth, "}" + self._modifiers(select), select.steps)

    def ask(self, patterns: tuple[a.Pattern, ...]) -> Iterator[RenderedLine]:
        """An ASK from its head to its end."""
        yield RenderedLine(0, "ASK {")
        yield from self._group(patterns, 1)
        yield RenderedLine(0, "}")

    def _modifiers(self, select: a.Select) -> str:
        parts = []
        if select.group_by:
            parts.append("GROUP BY " + " ".join(self.expression(v) for v in select.group_by))
        if select.having:
            parts.append("HAVING (" + ") (".join(self.expression(test) for test in select.having) + ")")
        if select.order_by:
            parts.append("ORDER BY " + " ".join(self._ordering(o) for o in select.order_by))
        if select.limit is not None:
            parts.append(f"LIMIT {select.limit}")
        if select.offset:
            parts.append(f"OFFSET {select.offset}")
        return "".join(f" {part}" for part in parts)

    def _ordering(self, ordering: a.Ordering) -> str:
        text = self.expression(ordering.expression)
        if ordering.descending:
            return f"DESC({text})"
        return text if isinstance(ordering.expression, a.Variable) else f"({text})"

    def _projection(self, projection: a.Projection) -> str:
        name = self.expression(projection.variable)
        if projection.expression is None:
            return name
        return f"({self.expression(projection.expression)} AS {name})"

    def _group(self, patterns: tuple[a.Pattern, ...], depth: int) -> Iterator[RenderedLine]:
        for pattern in patterns:
            yield from self._pattern(pattern, depth)

    def _pattern(self, pattern: a.Pattern, depth: int) -> Iterator[RenderedLine]:
        match pattern:
            case a.Optional():
                yield from self._nested("OPTIONAL ", pattern.patterns, depth, pattern.steps)
            case a.NotExists():
                yield from self._nested("FILTER NOT EXISTS ", pattern.patterns, depth, pattern.steps)
            case a.Minus():
                yield from self._nested("MINUS ", pattern.patterns, depth, pattern.steps)
            case a.NamedGraph():
                head = f"GRAPH {self.expression(pattern.graph)} "
                yield from self._nested(head, pattern.patterns, depth, pattern.steps)
            case a.Union():
                yield from self._union(pattern, depth)
            case a.SubSelect():
                yield RenderedLine(depth, "{", pattern.steps)
                yield from self.select(pattern.select, depth + 1)
                yield RenderedLine(depth, "}", pattern.steps)
            case a.Values():
                yield from self._values(pattern, depth)
            case _:
                yield RenderedLine(depth, self._flat(pattern), pattern.steps)

    def _flat(self, pattern: a.Pattern) -> str:
        match pattern:
            case a.Triple():
                subject, object_ = self.node(pattern.subject), self.node(pattern.object)
                return f"{subject} {self.predicate(pattern.predicate)} {object_} ."
            case a.Filter():
                return f"FILTER({self.expression(pattern.expression)})"
            case a.Bind():
                return f"BIND({self.expression(pattern.expression)} AS {self.expression(pattern.variable)})"
        raise TypeError(f"{type(pattern).__name__} cannot be printed: a rewrite must spell it out first")

    def _nested(
        self, head: str, patterns: tuple[a.Pattern, ...], depth: int, steps: tuple[int, ...]
    ) -> Iterator[RenderedLine]:
        if _fits_a_line(patterns):
            yield RenderedLine(depth, f"{head}{{ {' '.join(self._flat(p) for p in patterns)} }}", steps)
            return
        yield RenderedLine(depth, f"{head}{{", steps)
        yield from self._branch(patterns, depth + 1)
        yield RenderedLine(depth, "}", steps)

    def _union(self, union: a.Union, depth: int) -> Iterator[RenderedLine]:
        for position, branch in enumerate(union.branches):
            yield RenderedLine(depth, "} UNION {" if position else "{", union.steps)
            yield from self._branch(branch, depth + 1)
        yield RenderedLine(depth, "}", union.steps)

    def _branch(self, branch: tuple[a.Pattern, ...], depth: int) -> Iterator[RenderedLine]:
        match branch:
            case (a.SubSelect() as only,):
                yield from self.select(only.select, depth)
            case _:
                yield from self._group(branch, depth)

    def _values(self, values: a.Values, depth: int) -> Iterator[RenderedLine]:
        names = " ".join(self.expression(variable) for variable in values.variables)
        rows = [" ".join(self.expression(term) for term in row) for row in values.rows]
        if len(values.variables) > 1:
            names, rows = f"({names})", [f"({row})" for row in rows]
        text = f"VALUES {names} {{ {' '.join(rows)} }}"
        if len(text) <= LONGEST_LIST:
            yield RenderedLine(depth, text, values.steps)
            return
        yield RenderedLine(depth, f"VALUES {names} {{", values.steps)
        yield from (RenderedLine(depth + 1, row, values.steps) for row in rows)
        yield RenderedLine(depth, "}", values.steps)

    def predicate(self, predicate: a.Predicate) -> str:
        """A predicate or property path."""
        match predicate:
            case a.SequencePath():
                return "/".join(self.predicate(part) for part in predicate.parts)
            case a.AlternativePath():
                return f"({'|'.join(self.predicate(part) for part in predicate.parts)})"
            case a.InversePath():
                return f"^{self.predicate(predicate.part)}"
            case a.ZeroOrMore():
                return f"{self.predicate(predicate.part)}*"
            case a.OneOrMore():
                return f"{self.predicate(predicate.part)}+"
            case a.Iri(value) if value == RDF + "type":
                return "a"
            case _:
                return self.expression(predicate)

    def node(self, node: a.Node) -> str:
        """A subject or an object."""
        match node:
            case a.TripleTerm():
                return f"<<( {' '.join(map(self.expression, a.node_terms(node)))} )>>"
            case a.QuotedTriple():
                return f"<< {' '.join(map(self.expression, a.node_terms(node)))} >>"
            case _:
                return self.expression(node)

    def expression(self, expression: a.Expression) -> str:
        """A term or an expression."""
        match expression:
            case a.Variable():
                return "*" if expression.name == "*" else f"?{expression.name}"
            case a.Iri():
                return write_iri(expression.value, self.prefixes, self.used)
            case a.Literal():
                return write_literal(expression, self.prefixes, self.used)
            case a.Call():
                return self._call(expression)
            case a.Operation():
                operands = (self._operand(x, expression.operator) for x in expression.operands)
                return f" {expression.operator} ".join(operands)
            case a.Membership():
                word = "NOT IN" if expression.negated else "IN"
                choices = ", ".join(self.expression(choice) for choice in expression.choices)
                return f"{self.expression(expression.operand)} {word} ({choices})"

    def _operand(self, expression: a.Expression, operator: str) -> str:
        """An operand, in parentheses unless it binds more tightly than the operator around it."""
        text = self.expression(expression)
        inner = _operator(expression)
        looser = inner is not None and _tightness(inner) <= _tightness(operator)
        return f"({text})" if looser and not (inner == operator and operator in _ASSOCIATIVE) else text

    def _call(self, call: a.Call) -> str:
        if call.name == "!":
            return "!" + self._operand(call.arguments[0], "!")
        arguments = ", ".join(self.expression(argument) for argument in call.arguments)
        if call.name == "COUNT DISTINCT":
            return f"COUNT(DISTINCT {arguments})"
        name = self.expression(a.Iri(call.name)) if ":" in call.name else call.name
        return f"{name}({arguments})"


def _fits_a_line(patterns: tuple[a.Pattern, ...]) -> bool:
    """True if a nested group is short: at most two flat patterns, which one step states."""
    flat = all(isinstance(pattern, (a.Triple, a.Filter)) for pattern in patterns)
    return flat and len(patterns) <= _SHORT and len({pattern.steps[:1] for pattern in patterns}) <= 1


def _operator(expression: a.Expression) -> str | None:
    match expression:
        case a.Operation():
            return expression.operator
        case a.Membership():
            return "IN"
        case _:
            return None


def _tightness(operator: str) -> int:
    return 9 if operator == "!" else _TIGHTNESS.get(operator, _COMPARISON)


def _with_comments(body: list[RenderedLine], program: Program) -> Iterator[RenderedLine]:
    """Put each step's comment before its first line, and those of steps without lines at their places."""
    comments: dict[int, list[RenderedLine]] = {}
    for step, place in enumerate(_places(body, program)):
        comment = RenderedLine(place.depth, _comment(step, program), (step,))
        comments.setdefault(place.position, []).append(comment)
    for position, line in enumerate(body):
        yield from comments.get(position, ())
        yield line


@dataclass(frozen=True, slots=True)
class _Place:
    """The line that a comment precedes, and its depth; `behind` if it follows all lines of its group."""

    position: int
    depth: int
    behind: bool = False


def _places(body: list[RenderedLine], program: Program) -> list[_Place]:
    """The place of each step's comment.

    A step without a line of its own goes with the line that took it over (a name written in place), else, if
    it begins a branch, with the next step, else behind the step before it.
    """
    own = _own_lines(body, program)
    shared = {step for line in body for step in line.steps}
    for step in range(len(program) - 2, -1, -1):
        if own[step] is None and not program.steps[step].dependencies and step not in shared:
            own[step] = own[step + 1] or None
    places: list[_Place] = []
    for step, position in enumerate(own):
        modifying = _modifying(body, program, step) if position is None else None
        if modifying is not None:
            places.append(modifying)
            continue
        if position is None and not places:
            position = next((p for p in own if p), 0)
        if position is not None:
            places.append(_Place(position, body[position].depth))
        else:
            places.append(_behind(body, places[-1]))
    return places


def _modifying(body: list[RenderedLine], program: Program, step: int) -> _Place | None:
    """The end of the SELECT whose modifiers state a step about a table; the innermost comes first."""
    modifier = _MODIFIERS.get(program.steps[step].function)
    before = program.ancestors(step)
    tables = {other for other in before if program.steps[other].signature.output == Type.ROWS}
    for position, line in enumerate(body):
        if (
            modifier
            and line.text.startswith("} ")
            and modifier in line.text
            and before.issuperset(line.steps)
            and not tables.isdisjoint(line.steps)
        ):
            return _Place(position, line.depth + 1, behind=True)
    return None


def _own_lines(body: list[RenderedLine], program: Program) -> list[int | None]:
    """The first line of each step; the head belongs to the last step only if no other line does.

    The modifiers of a table (GROUP BY, HAVING, ORDER BY, LIMIT) stand behind its patterns.
    """
    own: dict[int, int] = {}
    taken: dict[int, int] = {}
    for position, line in enumerate(body[1:-1], 1):
        for step in line.steps[:1]:
            own.setdefault(step, position)
        for step in line.steps[1:]:
            if step < line.steps[0]:
                taken.setdefault(step, position)
    last = len(program) - 1
    head = None if program.steps[last].function in _MODIFIERS else 0
    return [*(own.get(step, taken.get(step)) for step in range(last)), own.get(last, head)]


def _behind(body: list[RenderedLine], before: _Place) -> _Place:
    """Behind all lines of the step that stands at `before`."""
    if before.behind:
        return before
    depth, steps = body[before.position].depth, body[before.position].steps[:1]
    position = before.position + 1
    while position < len(body) - 1 and (
        body[position].depth > depth
        or (body[position].depth == depth and body[position].steps[:1] in (steps, ()))
    ):
        position += 1
    return _Place(position, depth, behind=True)


def _comment(step: int, program: Program) -> str:
    return write_comment(f"step {step + 1}: {program.steps[step]}")


def _join(lines: list[RenderedLine], steps: int) -> Rendered:
    spans: list[list[tuple[int, int]]] = [[] for _ in range(steps)]
    parts: list[str] = []
    offset = 0
    previous: dict[int, int] = {}
    for number, line in enumerate(lines):
        start = offset + len(INDENT) * line.depth
        end = start + len(line.text)
        for step in set(line.steps):
            if previous.get(step) == number - 1:
                spans[step][-1] = (spans[step][-1][0], end)
            else:
                spans[step].append((start, end))
            previous[step] = number
        parts.append(str(line))
        offset += len(parts[-1])
    return Rendered("".join(parts), tuple(tuple(found) for found in spans))
