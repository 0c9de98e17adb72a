"""Units in the names of numeric attributes: `height (m)`, `Preis in EUR`, `mass_kg`, `lengthInMeters`.

Only unmistakable ones count: a symbol or word of the table, in brackets, after a comma or "in" at the end of
a label, or as the last part of an identifier. A single letter counts in brackets alone, or after an
underscore.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from nlq_gateway.core.types import SchemaItem
from nlq_gateway.index.text import local_name

_NAMES = {
    "metre": "m meter meters metre metres mètre mètres metro metros",
    "centimetre": "cm centimeter centimeters centimetre centimetres",
    "millimetre": "mm millimeter millimeters millimetre millimetres",
    "micrometre": "µm micrometer micrometers micrometre micrometres",
    "nanometre": "nm nanometer nanometers nanometre nanometres",
    "kilometre": "km kilometer kilometers kilometre kilometres kilomètre kilomètres kilómetro kilómetros",
    "square metre": "m2 m² sqm",
    "square kilometre": "km2 km² sqkm",
    "hectare": "ha hectare hectares hektar hectárea hectáreas",
    "cubic metre": "m3 m³ cbm",
    "mile": "mi mile miles",
    "mile per hour": "mph",
    "foot": "ft foot feet",
    "square foot": "ft2 ft² sqft",
    "inch": "inch inches",
    "yard": "yd yard yards",
    "acre": "acre acres",
    "microgram": "µg microgram micrograms",
    "milligram": "mg milligram milligrams milligramm milligramme milligrammes miligramo miligramos",
    "gram": "g gram grams gramm gramme grammes gramo gramos",
    "kilogram": "kg kilogram kilograms kilogramm kilogramme kilogrammes kilo kilos kilogramo kilogramos",
    "tonne": "tonne tonnes tonnen tonelada toneladas",
    "pound": "lb lbs",
    "ounce": "oz ounce ounces",
    "millisecond": "ms msec millisecond milliseconds",
    "second": "s sec secs second seconds sekunde sekunden seconde secondes segundo segundos",
    "minute": "min mins minute minutes minuten minuto minutos",
    "hour": "h hour hours stunde stunden heure heures hora horas",
    "day": "day days tag tage jour jours día días",
    "week": "weeks wochen semaines semanas",
    "month": "months monate meses",
    "year": "yrs years jahre ans años",
    "kilometre per hour": "km/h kmh kph",
    "metre per second": "m/s",
    "hectolitre": "hl hectoliter hectoliters hectolitre hectolitres",
    "litre": "l liter liters litre litres litro litros",
    "centilitre": "cl centiliter centiliters centilitre centilitres",
    "millilitre": "ml milliliter milliliters millilitre millilitres",
    "watt": "w watt watts",
    "kilowatt": "kw kilowatt kilowatts",
    "megawatt": "mw megawatt megawatts",
    "gigawatt": "gw gigawatt gigawatts",
    "kilowatt hour": "kwh",
    "megawatt hour": "mwh",
    "gigawatt hour": "gwh",
    "joule": "j joule joules",
    "kilojoule": "kj kilojoule kilojoules",
    "kilocalorie": "kcal kilocalorie kilocalories",
    "volt": "v volt volts",
    "ampere": "amp amps ampere amperes",
    "hertz": "hz hertz",
    "kilohertz": "khz kilohertz",
    "megahertz": "mhz megahertz",
    "gigahertz": "ghz gigahertz",
    "bar": "bar bars",
    "hectopascal": "hpa hectopascal hectopascals",
    "kilopascal": "kpa kilopascal kilopascals",
    "decibel": "db decibel decibels",
    "byte": "byte bytes octet octets",
    "kilobyte": "kb kilobyte kilobytes",
    "megabyte": "mb megabyte megabytes",
    "gigabyte": "gb gigabyte gigabytes",
    "terabyte": "tb terabyte terabytes",
    "pixel": "px pixel pixels",
    "degree Celsius": "°c celsius",
    "degree Fahrenheit": "°f fahrenheit",
    "kelvin": "kelvin kelvins",
    "percent": "% pct percent prozent",
    "euro": "€ eur euro euros",
    "United States dollar": "usd us$",
    "pound sterling": "gbp",
    "Swiss franc": "chf",
    "Japanese yen": "jpy yen",
}
# Units by their local names in QUDT, and by the codes of UN/CEFACT Recommendation 20 in schema.org.
_CODES = {
    "metre": "M MTR",
    "centimetre": "CentiM CMT",
    "millimetre": "MilliM MMT",
    "kilometre": "KiloM KMT KTM",
    "hectare": "HA HAR",
    "square metre": "M2 MTK",
    "square kilometre": "KiloM2 KMK",
    "cubic metre": "M3 MTQ",
    "milligram": "MilliGM MGM",
    "gram": "GM GRM",
    "kilogram": "KiloGM KGM",
    "tonne": "TONNE TNE",
    "second": "SEC",
    "minute": "MIN",
    "hour": "HR HUR",
    "day": "DAY",
    "week": "WK WEE",
    "month": "MO MON",
    "year": "YR ANN",
    "litre": "L LITRE LTR",
    "millilitre": "MilliL MLT",
    "watt": "W WTT",
    "kilowatt": "KiloW KWT",
    "megawatt": "MegaW MAW",
    "kilowatt hour": "KiloW-HR KWH",
    "megawatt hour": "MegaW-HR MWH",
    "volt": "V VLT",
    "hertz": "HZ HTZ",
    "degree Celsius": "DEG_C CEL",
    "degree": "DEG DD",
    "percent": "PERCENT P1",
    "byte": "BYTE AD",
    "kilobyte": "KiloBYTE 2P",
    "megabyte": "MegaBYTE 4L",
    "gigabyte": "GigaBYTE E34",
    "euro": "EUR CCY_EUR",
    "United States dollar": "USD CCY_USD",
    "pound sterling": "GBP CCY_GBP",
}
_BY_CODE = {code: unit for unit, codes in _CODES.items() for code in codes.split()}
_UNITS = {word: unit for unit, words in _NAMES.items() for word in words.split()}
# As the ends of identifiers these are more often something else: `size_min`, `price_s`.
_NOT_IN_IDENTIFIERS = frozenset("min s l v w h j day tag mi foot bar bars ms db yard yd ans".split())
# No two parts of it match the same blanks: a label may have any number of them.
_BRACKETS = re.compile(r"[(\[]\s*+(?:in\s++)?([^()\[\]]+)[)\]]\s*$", re.I)
_AFTER = re.compile(r"(?:\bin|,)\s+(\S+)$", re.I)
_LAST_WORD = re.compile(r"(?<!\bof)(?<!\bper)\s(?:in\s+)?(\S+)$", re.I)
_UNDERSCORE = re.compile(r"[^\W_]_(?:in_)?([^\W_]+)$", re.I)
_CAMEL = re.compile(r"[a-z0-9]In([A-Z][A-Za-z]*)$")


def unit_named(word: str) -> str:
    """The unit that a word or symbol in any letter case stands for; "" if it is none of the table."""
    return _UNITS.get(word.strip().lower(), "")


def unit_of_code(code: str) -> str:
    """The unit's name, or the code itself if it is unknown."""
    return _BY_CODE.get(code, code)


def unit_of_names(iri: str, labels: Iterable[str]) -> str:
    """The unit in a label or in the IRI's last part; "" if there is none or they disagree."""
    found = {unit for text in labels if (unit := unit_of_label(text))}
    found |= {unit} if (unit := _of_identifier(local_name(iri))) else set()
    return found.pop() if len(found) == 1 else ""


def with_unit(item: SchemaItem) -> SchemaItem:
    """The item with the unit in its names, and its names without the unit."""
    names = (item.label, *item.aliases)
    unit = unit_of_names(item.iri, names)
    if not unit:
        return item
    aliases = dict.fromkeys((*item.aliases, *(name for name in without_unit(names) if name not in names)))
    return replace(item, units=(unit,), aliases=tuple(aliases))


def without_unit(names: Iterable[str]) -> Iterator[str]:
    """The names of an attribute without the unit in them: `height` for `height (m)` and `height m`."""
    for name in names:
        for pattern in (_BRACKETS, _AFTER, _LAST_WORD):
            found = pattern.search(name)
            if found and unit_named(found[1]) and (rest := name[: found.start()].rstrip(" ,")):
                yield rest
                break


def unit_of_label(text: str) -> str:
    """The unit at the end of a label, in brackets or after a comma or "in"; "" if there is none."""
    if found := _BRACKETS.search(text):
        return unit_named(found[1])
    found = _AFTER.search(text)
    return unit_named(found[1]) if found and len(found[1]) > 1 else ""


def _of_identifier(local: str) -> str:
    for pattern in (_UNDERSCORE, _CAMEL):
        if (found := pattern.search(local)) and found[1].lower() not in _NOT_IN_IDENTIFIERS:
            return unit_named(found[1])
    return ""
