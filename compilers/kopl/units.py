"""Units of measurement by name, converted with sympy's unit system."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

PREFIXES = ("kilo", "centi", "milli", "micro", "nano", "mega", "giga", "tera", "hecto", "deci", "deca")
CACHED = 4096
LONGEST_NAME = 60
# So many letters are a name: foot, mile, year. Shorter ones are, where sympy names the unit so: day, bar.
_SPELLED_OUT = 4
_SPELLINGS = {"metre": "meter", "litre": "liter", "tonne": "metric_ton", "tons": "metric_ton"}


@lru_cache(maxsize=CACHED)
def conversion_factor(source: str, target: str) -> float | None:
    """The number by which a quantity in `source` is multiplied to be in `target`, or None.

    Equal names convert by 1 whatever they mean (currencies, `person`); other names only when both are
    units of the same dimension, singular or plural, British or American spelling.
    """
    if source == target:
        return 1.0
    first, second = _quantity(source), _quantity(target)
    if first is None or second is None:
        return None
    return _ratio(first, second)


@lru_cache(maxsize=CACHED)
def is_abbreviation(word: str) -> bool:
    """True if a word is the abbreviation of a unit (`ha`, `us`, `in`), which may be another word, too."""
    if len(word) >= _SPELLED_OUT or not word.isalpha():
        return False
    found = _simple(word.lower())
    return found is not None and str(found.name) not in _spellings(word.lower())


def convertible(unit: str, units: tuple[str, ...]) -> tuple[tuple[str, float], ...]:
    """The units in `units` that `unit` converts to, each with its factor."""
    factors = ((other, conversion_factor(unit, other)) for other in units)
    return tuple((other, factor) for other, factor in factors if factor is not None)


def _ratio(first: Any, second: Any) -> float | None:
    from sympy.physics.units import convert_to

    ratio = convert_to(first, second) / second
    return float(ratio) if ratio.is_number else None


@lru_cache(maxsize=CACHED)
def _quantity(name: str) -> Any | None:
    """The sympy expression of a unit's name: `square kilometre`, `metre per second`, `cubic foot`."""
    words = name.strip().lower().split() if len(name) <= LONGEST_NAME else []
    if "per" in words:
        middle = words.index("per")
        upper, lower = _quantity(" ".join(words[:middle])), _quantity(" ".join(words[middle + 1 :]))
        return None if upper is None or lower is None else upper / lower
    if words and words[0] in ("square", "cubic"):
        base = _quantity(" ".join(words[1:]))
        return None if base is None else base ** (2 if words[0] == "square" else 3)
    return _simple("_".join(words))


def _simple(word: str) -> Any | None:
    # sympy takes half a second to import, and most questions compare equal units.
    from sympy.physics import units

    for prefix in ("", *PREFIXES):
        rest = word.removeprefix(prefix) if word.startswith(prefix) else ""
        for spelling in _spellings(rest):
            found = getattr(units, spelling, None)
            if isinstance(found, units.Quantity):
                return getattr(units, prefix).scale_factor * found if prefix else found
    return None


def _spellings(word: str) -> tuple[str, ...]:
    american = word.replace("metre", "meter").replace("litre", "liter")
    plain = _SPELLINGS.get(american, american)
    return (plain, plain.removesuffix("s"), _SPELLINGS.get(word, word))
