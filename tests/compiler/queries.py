"""A hypothesis strategy: queries over the films of `test_from_sparql`."""

from __future__ import annotations

from hypothesis import strategies as st

_ATTRIBUTES = {"Film": ("title", "genre", "cost", "earned", "shown"), "Person": ("name", "age")}
_RELATIONS = ("director", "actor")
_DEEP = "?{0} :knows+ ?{1} . "
_TEXTS = {"title": ("Dune", "Short"), "genre": ("epic", "drama"), "name": ("Lynch", "Sting")}
_PARTS = ("n", "dra", "t", "none")
_NUMBERS = (7, 30, 40, 47, 50)
_OPERATORS = ("=", "!=", "<", ">", "<=", ">=")
_AVERAGE = "{ SELECT (AVG(?each) AS ?average) WHERE { ?someone a :Person ; :age ?each } }"
_EXISTS = {
    "Film": "{{ ?{} :director ?other . ?other :age ?years FILTER(?years > 50) }}",
    "Person": "{{ ?film :actor ?{} . ?film :cost ?amount }}",
}

_GROUPS = {
    "Film": (
        '{{ ?{0} :genre "epic" }} UNION {{ ?{0} :director ?maker . ?maker :age 50 }}',
        "MINUS {{ ?{0} :actor ?player . ?player :age 40 }}",
        "{{ SELECT ?{0} WHERE {{ ?{0} :director ?maker . ?maker :name ?called }} }}",
    ),
    "Person": (
        "{{ ?work :director ?{0} }} UNION {{ ?work :actor ?{0} ; :cost ?price }}",
        "MINUS {{ ?work :actor ?{0} ; :earned ?sum FILTER(?sum < 20) }}",
        "{{ SELECT DISTINCT ?{0} WHERE {{ ?work :actor ?{0} }} }}",
    ),
}

Draw = st.DrawFn


@st.composite
def queries(draw: Draw) -> str:
    """A SELECT: a tree of films and people, values and conditions, and columns, numbers or groups."""
    nodes = {"n0": draw(st.sampled_from(("Film", "Person")))}
    triples = [_link(draw, nodes, f"n{number}") for number in range(1, 1 + draw(st.integers(0, 3)))]
    values: dict[str, str] = {}
    for number in range(draw(st.integers(0, 3))):
        node = draw(st.sampled_from(sorted(nodes)))
        values[f"v{number}"] = attribute = draw(st.sampled_from(_ATTRIBUTES[nodes[node]]))
        triples.append(f"?{node} :{attribute} ?v{number} .")
    if draw(st.integers(0, 2)) == 0:
        triples += _second(draw, nodes, values)
    triples += [f"?{node} a :{nodes[node]} ." for node in nodes if draw(st.booleans())]
    pattern = " ".join((*(triples or [f"?n0 a :{nodes['n0']} ."]), *_conditions(draw, nodes, values)))
    return "PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> " + _select(
        draw, pattern, (*nodes, *values), values
    )


def _link(draw: Draw, nodes: dict[str, str], new: str) -> str:
    old = draw(st.sampled_from(sorted(nodes)))
    if nodes[old] == "Person" and draw(st.integers(0, 2)) == 0:
        nodes[new] = "Person"
        return _DEEP.format(*draw(st.permutations((old, new))))
    nodes[new] = "Person" if nodes[old] == "Film" else "Film"
    film, person = (old, new) if nodes[old] == "Film" else (new, old)
    return f"?{film} :{draw(st.sampled_from(_RELATIONS))} ?{person} ."


def _second(draw: Draw, nodes: dict[str, str], values: dict[str, str]) -> list[str]:
    """Values of another pattern, or of the same, that compare with some of the first."""
    measured = [name for name, attribute in values.items() if attribute in ("cost", "earned", "age")]
    if not measured:
        return []
    name, operator = draw(st.sampled_from(measured)), draw(st.sampled_from(("=", "!=", "<", ">")))
    if len(measured) > 1 and draw(st.booleans()):
        return [f"FILTER(?{name} {operator} ?{draw(st.sampled_from(measured))})"]
    nodes["m0"] = draw(st.sampled_from(("Film", "Person")))
    there = {"m0": nodes["m0"]}
    links = [_link(draw, there, "m1")] if draw(st.booleans()) else []
    nodes |= there
    values["w0"] = draw(st.sampled_from(("cost", "earned"))) if nodes["m0"] == "Film" else "age"
    return [*links, f"?m0 :{values['w0']} ?w0 . FILTER(?{name} {operator} ?w0)"]


def _conditions(draw: Draw, nodes: dict[str, str], values: dict[str, str]) -> list[str]:
    found = []
    if values and draw(st.booleans()):
        tests = [_test(draw, values) for _ in range(draw(st.integers(1, 2)))]
        condition = draw(st.sampled_from((" || ", " && "))).join(tests)
        found = [_AVERAGE] if "?average" in condition else []
        found.append(f"FILTER({condition})")
    if draw(st.integers(0, 3)) == 0:
        node, word = draw(st.sampled_from(sorted(nodes))), draw(st.sampled_from(("EXISTS", "NOT EXISTS")))
        found.append(f"FILTER {word} {_EXISTS[nodes[node]].format(node)}")
    if draw(st.integers(0, 4)) == 0:
        node = draw(st.sampled_from(sorted(nodes)))
        found.append(draw(st.sampled_from(_GROUPS[nodes[node]])).format(node))
    return found


def _test(draw: Draw, values: dict[str, str]) -> str:
    name = draw(st.sampled_from(sorted(values)))
    if (texts := _TEXTS.get(values[name])) and draw(st.integers(0, 3)) == 0:
        return f'CONTAINS(LCASE(STR(?{name})), "{draw(st.sampled_from(_PARTS))}")'
    if texts:
        return f'?{name} {draw(st.sampled_from(("=", "!=")))} "{draw(st.sampled_from(texts))}"'
    operator = draw(st.sampled_from(_OPERATORS))
    if values[name] == "shown":
        return f'?{name} {operator} "1984-12-14"^^xsd:date'
    return f"?{name} {operator} {draw(st.sampled_from((*_NUMBERS, '?average')))}"


def _select(draw: Draw, pattern: str, names: tuple[str, ...], values: dict[str, str]) -> str:
    form = draw(st.sampled_from(("rows", "numbers", "groups")))
    shown = draw(st.lists(st.sampled_from(names), min_size=1, max_size=3, unique=True))
    columns = " ".join(f"?{name}" for name in shown)
    if form == "rows":
        distinct = draw(st.sampled_from(("", "DISTINCT ")))
        return f"SELECT {distinct}{columns} WHERE {{ {pattern} }}{_order(draw, values, distinct)}"
    count, of_groups = draw(st.integers(1, 2)), form == "groups"
    numbers = " ".join(f"({_number(draw, names, values, of_groups)} AS ?g{n})" for n in range(count))
    if form == "numbers":
        return f"SELECT {numbers} WHERE {{ {pattern} }}"
    having = draw(st.sampled_from(("", " HAVING(COUNT(*) >= 2)", " HAVING(COUNT(*) < 3)")))
    order = draw(st.sampled_from(("", " ORDER BY DESC(?g0) LIMIT 1")))
    return f"SELECT {columns} {numbers} WHERE {{ {pattern} }} GROUP BY {columns}{having}{order}"


def _order(draw: Draw, values: dict[str, str], distinct: str) -> str:
    if not values or draw(st.booleans()):
        return ""
    order = f" ORDER BY {draw(st.sampled_from(('ASC', 'DESC')))}(?{draw(st.sampled_from(sorted(values)))})"
    return order if distinct else f"{order} LIMIT {draw(st.integers(1, 4))}"


def _number(draw: Draw, names: tuple[str, ...], values: dict[str, str], of_groups: bool) -> str:
    """A number; no average of what may be nothing, which is 0 in SPARQL and no answer of a program."""
    measured = [name for name, attribute in values.items() if attribute in ("cost", "earned", "age")]
    functions = ("SUM", "MIN", "MAX", *(("AVG",) if of_groups else ()))
    forms = ["COUNT(*)", f"COUNT(?{draw(st.sampled_from(names))})"]
    forms += [f"COUNT(DISTINCT ?{draw(st.sampled_from(names))})"]
    forms += [f"{function}(?{name})" for name in measured for function in functions]
    forms += [f"ROUND({function}(?{name}) * 10 / 3)" for name in measured for function in functions[:2]]
    return draw(st.sampled_from(forms))
