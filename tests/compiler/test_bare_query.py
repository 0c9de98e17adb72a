"""The query of an answer alone, of all that has a golden query: it parses, and gives nothing beside."""

from __future__ import annotations

import pyoxigraph as ox
import pytest

from compilers.bare import bare_query
from compilers.compile import CompiledQuery
from compilers.kopl.functions import Type
from tests.compiler.cases import compiled, compiling

BESIDE = {"label", "value label", "unit", "digits", "precision"}


@pytest.mark.parametrize(("case", "layout"), compiling())
def test_the_answer_alone_is_a_query_without_what_stands_beside_it(case: str, layout: str) -> None:
    query = compiled(case, layout)
    text = bare_query(query)
    assert "# step" not in text
    result = ox.Store().query(text)
    if isinstance(result, ox.QueryBoolean):
        assert query.output == Type.VERDICT
        return
    names = [variable.value for variable in result.variables]
    assert names
    roles = {column.name: column.role for column in query.columns}
    beside = [name for name in names if roles[name] in BESIDE]
    # What a table is ordered by has to be given, even a label.
    assert not beside or "ORDER BY" in text
    parts = {"value", "number", "year", "date", "day"}
    assert len(names) == 1 or query.output == Type.ROWS or {roles[name] for name in names} <= parts


def test_a_text_without_a_tree_stays_as_it_is() -> None:
    query = compiled("find", "direct")
    bare = CompiledQuery("ASK {}", (), query.columns, query.output, query.program)
    assert bare_query(bare) == "ASK {}"
