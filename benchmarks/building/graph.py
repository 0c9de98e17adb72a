"""Writes the building: 4 floors, 32 rooms, 16 zones, their equipment, and some 200 points."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

_VOCABULARY = Path(__file__).with_name("vocabulary.ttl")
_PREFIXES = "@prefix h: <https://hall.example/building/> .\n@prefix unit: <https://hall.example/unit/> .\n"
_FLOORS = range(1, 5)
_ROOMS = (
    *("Enclosed_Office", "Enclosed_Office", "Open_Office", "Conference_Room"),
    *("Laboratory", "Enclosed_Office", "Conference_Room", "Open_Office"),
)
_ZONES = range(1, 5)
_UNITS = {"temperature": "DEG_C", "humidity": "PERCENT", "co2": "PPM", "flow": "L_PER_S", "power": "KW"}
_VAV_POINTS = (
    ("Zone_Air_Temperature_Sensor", "temperature"),
    ("Zone_Air_Temperature_Setpoint", "temperature"),
    ("Zone_Air_Humidity_Sensor", "humidity"),
    ("Supply_Air_Flow_Sensor", "flow"),
    ("Damper_Position_Command", "humidity"),
    ("Supply_Air_Temperature_Sensor", "temperature"),
    ("Return_Air_Temperature_Sensor", "temperature"),
    ("Occupancy_Sensor", "humidity"),
    ("Reheat_Valve_Command", "humidity"),
    ("Supply_Air_Flow_Setpoint", "flow"),
)
_BASE = {"temperature": 19.0, "humidity": 35.0, "co2": 420.0, "flow": 90.0, "power": 4.0}
_STEP = {"temperature": 0.25, "humidity": 2.5, "co2": 35.0, "flow": 7.5, "power": 1.5}


def write(file: Path) -> Path:
    """The file, with the graph written into it."""
    file.write_text(turtle(), encoding="utf-8")
    return file


def turtle() -> str:
    """The graph with its vocabulary."""
    parts = (_places(), _terminals(), _air_handlers(), _plant(), _meters())
    return _VOCABULARY.read_text("utf-8") + _PREFIXES + "".join(f"{one}\n" for part in parts for one in part)


def _places() -> Iterator[str]:
    area = _quantity("area", 4_210, "M2")
    yield f'h:Hall a v:Building ; <{_LABEL}> "North Hall" ; {area} .'
    for floor in _FLOORS:
        area = _quantity("area", 1_662 - 130 * (floor - 1), "M2")
        yield f'h:Floor_{floor} a v:Floor ; <{_LABEL}> "Floor {floor}" ; v:isPartOf h:Hall ; {area} .'
        for number, kind in enumerate(_ROOMS, 1):
            yield _room(floor, number, kind)
        for zone in _ZONES:
            rooms = ", ".join(f"h:Room_{floor}0{room}" for room in (2 * zone - 1, 2 * zone))
            yield f"h:HVAC_Zone_{floor}_{zone} a v:HVAC_Zone ; v:hasPart {rooms} ."
    yield f"h:Plant_Room a v:Mechanical_Room ; v:isPartOf h:Floor_1 ; {_quantity('area', 96, 'M2')} ."


def _room(floor: int, number: int, kind: str) -> str:
    """A room; only those of the lower floors have labels."""
    label = f'; <{_LABEL}> "Room {floor}0{number}" ' if floor < 3 else ""
    area = _quantity("area", 14 + 9 * number + 4 * floor, "M2")
    return f"h:Room_{floor}0{number} a v:{kind} {label}; v:isPartOf h:Floor_{floor} ; {area} ."


def _terminals() -> Iterator[str]:
    """A box with its points for each zone, every fourth of them without reheat."""
    for floor in _FLOORS:
        for zone in _ZONES:
            box = f"VAV_{floor}_{zone}"
            kind = "Variable_Air_Volume_Box" + ("_With_Reheat" if zone < 4 else "")
            points = [*_VAV_POINTS, *([("Zone_CO2_Level_Sensor", "co2")] if zone % 2 else [])]
            named = ", ".join(f"h:{box}_{point}" for point, _ in points)
            yield f"h:{box} a v:{kind} ; v:feeds h:HVAC_Zone_{floor}_{zone} ; v:hasPoint {named} ."
            for at, (point, measure) in enumerate(points):
                yield _point(box, point, measure, floor * 5 + zone * 2 + at)


def _air_handlers() -> Iterator[str]:
    """Two units, each with two fans, for two floors each."""
    for unit in (1, 2):
        kind = "Air_Handling_Unit" if unit == 1 else "Rooftop_Unit"
        boxes = ", ".join(f"h:VAV_{floor}_{zone}" for floor in (2 * unit - 1, 2 * unit) for zone in _ZONES)
        place = "h:Plant_Room" if unit == 1 else "h:Floor_4"
        power = _quantity("ratedPower", 30 + 7.5 * unit, "KW")
        yield f"h:AHU_{unit} a v:{kind} ; v:feeds {boxes} ; v:hasLocation {place} ; {power} ."
        yield from _fans(unit)
        for at, point in enumerate(("Supply_Air_Temperature_Sensor", "Return_Air_Temperature_Sensor")):
            yield _point(f"AHU_{unit}", point, "temperature", 3 * unit + at, linked=True)


def _fans(unit: int) -> Iterator[str]:
    for at, name in enumerate(("Supply_Fan", "Return_Fan")):
        fan = f"AHU_{unit}_{name}"
        power = _quantity("ratedPower", 15 - 3.5 * at + unit, "KW")
        yield f"h:{fan} a v:{name} ; v:isPartOf h:AHU_{unit} ; {power} ."
        yield _point(fan, "Fan_Speed_Command", "humidity", 7 * unit + at, linked=True)
        yield _point(fan, "Fan_Status", "humidity", 2 * unit + at, linked=True)


def _plant() -> Iterator[str]:
    for number, (name, kind, power) in enumerate(_PLANT):
        yield (f"h:{name} a v:{kind} ; v:hasLocation h:Plant_Room ; {_quantity('ratedPower', power, 'KW')} .")
        yield _point(name, "Leaving_Water_Temperature_Sensor", "temperature", number, linked=True)
        yield _point(name, "Electric_Power_Sensor", "power", 5 * number, linked=True)
    yield 'h:Chiller_1 v:feeds h:AHU_1, h:AHU_2 ; v:serial "CH-0417" .'
    yield "h:Boiler_1 v:feeds h:AHU_1 ."


def _meters() -> Iterator[str]:
    for floor in _FLOORS:
        meter = f"Meter_{floor}"
        yield f"h:{meter} a v:Electrical_Meter ; v:hasLocation h:Floor_{floor} ."
        yield _point(meter, "Electric_Power_Sensor", "power", 3 * floor, linked=True)


def _point(owner: str, kind: str, measure: str, step: int, *, linked: bool = False) -> str:
    """A point with its last value and where its values are kept; `linked` from its own end."""
    name = f"{owner}_{kind}"
    table = "archive" if measure == "power" else "telemetry"
    reading = _BASE[measure] + _STEP[measure] * step
    link = f"v:isPointOf h:{owner} ; " if linked else ""
    seen = f'v:timestamp "2026-03-0{1 + step % 7}"^^<http://www.w3.org/2001/XMLSchema#date>'
    return (
        f"h:{name} a v:{kind} ; {link}v:hasUnit unit:{_UNITS[measure]} ; "
        f"v:lastKnownValue [ v:value {reading} ; {seen} ] ; "
        f'v:hasReference [ a v:Timeseries_Reference ; v:hasTimeseriesId "ts-{name.lower()}" ; '
        f'v:storedAt "{table}" ] .'
    )


def _quantity(relation: str, number: float, unit: str) -> str:
    return f"v:{relation} [ v:value {number} ; v:hasUnit unit:{unit} ]"


_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
_PLANT = (
    ("Chiller_1", "Chiller", 220),
    ("Boiler_1", "Boiler", 140),
    ("Chilled_Water_Pump_1", "Chilled_Water_Pump", 11),
    ("Chilled_Water_Pump_2", "Chilled_Water_Pump", 7.5),
    ("Hot_Water_Pump_1", "Hot_Water_Pump", 5.5),
)
