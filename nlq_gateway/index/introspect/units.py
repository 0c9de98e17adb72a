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
    "kilometre": "km kilometer kilometers kilometre kilometres kilomètre kilomètres kilómetro kilómetros",
    "square metre": "m2 m² sqm",
    "square kilometre": "km2 km² sqkm",
    "hectare": "ha hectare hectares hektar hectárea hectáreas",
    "cubic metre": "m3 m³ cbm",
    "mile": "mi mile miles",
    "foot": "ft foot feet",
    "gram": "g gram grams gramm gramme grammes gramo gramos",
    "kilogram": "kg kilogram kilograms kilogramm kilogramme kilogrammes kilo kilos kilogramo kilogramos",
    "tonne": "tonne tonnes tonnen tonelada toneladas",
    "second": "s sec secs second seconds sekunde sekunden seconde secondes segundo segundos",
    "minute": "min mins minute minutes minuten minuto minutos",
    "hour": "h hour hours stunde stunden heure heures hora horas",
    "day": "day days tag tage jour jours día días",
    "kilometre per hour": "km/h kmh kph",
    "metre per second": "m/s",
    "litre": "l liter liters litre litres litro litros",
    "millilitre": "ml milliliter milliliters millilitre millilitres",
    "watt": "w watt watts",
    "kilowatt": "kw kilowatt kilowatts",
    "megawatt": "mw megawatt megawatts",
    "kilowatt hour": "kwh",
    "volt": "v volt volts",
    "hertz": "hz hertz",
    "degree Celsius": "°c celsius",
    "percent": "% percent prozent",
    "euro": "€ eur euro euros",
    "United States dollar": "usd us$",
    "pound sterling": "gbp",
}
# Units by their local names in QUDT, and by the codes of UN/CEFACT Recommendation 20 in schema.org.
_CODES = {
    "metre": "M MTR",
    "centimetre": "CentiM CMT",
    "millimetre": "MilliM MMT",
    "kilometre": "KiloM KMT KTM",
    "square metre": "M2 MTK",
    "square kilometre": "KiloM2 KMK",
    "gram": "GM GRM",
    "kilogram": "KiloGM KGM",
    "tonne": "TONNE TNE",
    "second": "SEC",
    "minute": "MIN",
    "hour": "HR HUR",
    "day": "DAY",
    "year": "YR ANN",
    "litre": "L LITRE LTR",
    "millilitre": "MilliL MLT",
    "watt": "W WTT",
    "kilowatt": "KiloW KWT",
    "kilowatt hour": "KiloW-HR KWH",
    "volt": "V VLT",
    "hertz": "HZ HTZ",
    "degree Celsius": "DEG_C CEL",
    "percent": "PERCENT P1",
}
_BY_CODE = {code: unit for unit, codes in _CODES.items() for code in codes.split()}
_UNITS = {word: unit for unit, words in _NAMES.items() for word in words.split()}
# As the ends of identifiers these are more often something else: `size_min`, `price_s`.
_NOT_IN_IDENTIFIERS = frozenset("min s l v w h day tag mi foot".split())
# No two parts of it match the same blanks: a label may have any number of them.
_BRACKETS = re.compile(r"[(\[]\s*+(?:in\s++)?([^()\[\]]+)[)\]]\s*$", re.I)
_AFTER = re.compile(r"(?:\bin|,)\s+(\S+)$", re.I)
_LAST_WORD = re.compile(r"\s(?:in\s+)?(\S+)$", re.I)
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
