"""Words for months, numbers and units, as people write them in values."""

from __future__ import annotations

# English and German, in full and cut.
MONTHS = {
    name: number
    for number, names in enumerate(
        (
            ("january", "jan", "januar"), ("february", "feb", "februar"), ("march", "mar", "märz"),
            ("april", "apr"), ("may", "mai"), ("june", "jun", "juni"), ("july", "jul", "juli"),
            ("august", "aug"), ("september", "sep", "sept"), ("october", "oct", "oktober"),
            ("november", "nov"), ("december", "dec", "dezember"),
        ),
        start=1,
    )
    for name in names
}  # fmt: skip
# A regular expression for one month, longer names first.
MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))

_SMALL = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen
""".split()
_TENS = tuple(enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2))
# Below a hundred, with a hyphen in `twenty-one`.
NUMBERS = {
    **{word: number for number, word in enumerate(_SMALL)},
    **{tens: 10 * number for number, tens in _TENS},
    **{f"{tens}-{_SMALL[ones]}": 10 * number + ones for number, tens in _TENS for ones in range(1, 10)},
}
SCALES = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}

CURRENCY_SIGNS = {"$": "United States dollar", "€": "euro", "£": "pound sterling", "¥": "Japanese yen"}
SHORT_UNITS = {
    "km": "kilometre", "m": "metre", "cm": "centimetre", "mm": "millimetre", "mi": "mile", "ft": "foot",
    "feet": "foot", "kg": "kilogram", "g": "gram", "t": "tonne", "ha": "hectare", "min": "minute",
    "mins": "minute", "h": "hour", "hrs": "hour", "km2": "square kilometre", "km²": "square kilometre",
    "sq km": "square kilometre", "m2": "square metre", "m²": "square metre", "sq mi": "square mile",
    "mph": "mile per hour", "km/h": "kilometre per hour", "%": "percent", "dollar": "United States dollar",
    "us dollar": "United States dollar", "usd": "United States dollar", "euro": "euro", "eur": "euro",
    "pound sterling": "pound sterling", **CURRENCY_SIGNS,
}  # fmt: skip
