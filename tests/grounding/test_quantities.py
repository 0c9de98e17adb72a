"""Quantities in the units of a graph."""

from __future__ import annotations

import pytest

from nlq_gateway.answering.grounding.quantities import in_units_of_graph

DOLLAR = "United States dollar"


@pytest.mark.parametrize(
    ("text", "units", "expected"),
    [
        ("180 centimetre", ("centimetre",), None),
        ("1.8 metre", ("centimetre",), "180 centimetre"),
        ("1.8 meters", ("centimetre", "metre"), "1.8 metre"),
        ("1.8 m", ("centimetre",), "180 centimetre"),
        ("6 feet", ("foot", "metre"), "6 foot"),
        ("5000 km", ("kilometre", "mile"), "5000 kilometre"),
        ("5 Kilometres", ("kilometre",), "5 kilometre"),
        ("100 km²", ("square kilometre",), "100 square kilometre"),
        ("100 km2", ("square kilometre",), "100 square kilometre"),
        ("100 sq km", ("square kilometre",), "100 square kilometre"),
        ("100 square kilometres", ("square kilometre",), "100 square kilometre"),
        ("1 square mile", ("square kilometre",), "2.58998811034 square kilometre"),
        ("90 min", ("hour", "minute"), "90 minute"),
        ("2 hours", ("minute",), "120 minute"),
        ("100 km/h", ("kilometre per hour",), "100 kilometre per hour"),
        ("5 %", ("percent",), "5 percent"),
        ("5", ("metre",), "5 metre"),
        ("5", ("metre", "foot"), None),
        ("5", ("1",), None),
        ("5", (), None),
        ("5 people", ("1",), "5"),
        ("5 dollars", (DOLLAR, "euro"), f"5 {DOLLAR}"),
        ("5 dollars", (DOLLAR, "Canadian dollar"), None),
        ("5 USD", (DOLLAR,), f"5 {DOLLAR}"),
        ("5 euro", (DOLLAR,), None),
        ("5 metre", ("kilogram",), None),
        ("5 frobnicates", ("metre",), None),
        ("tall", ("metre",), None),
    ],
)
def test_a_quantity_takes_the_graphs_unit(text: str, units: tuple[str, ...], expected: str | None) -> None:
    found = in_units_of_graph(text, units)
    assert (found.text if found is not None else None) == expected
    if found is not None:
        assert found.why
        assert in_units_of_graph(found.text, units) is None
