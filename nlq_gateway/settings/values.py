"""Types of single values in the configuration: each is text in the file and says what is wrong with it."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, SecretStr, ValidationInfo

from compilers.layouts.vocabulary import WELL_KNOWN_PREFIXES

SAMPLE = "builtin:sample"
NEVER = timedelta(0)

_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}
_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*([smhd])")
_ID = re.compile(r"\w[\w.-]*")
_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`]+")
_ENDINGS = (".gz", ".nt", ".ttl", ".rdf", ".xml", ".owl", ".nq", ".trig", ".jsonld", ".json", ".n3")
_SQLITE = "sqlite:///"
# `/ID/sparql` would stand where these routes are.
_RESERVED = ("static", "traces", "problems", "datasets")


class Expanded(str):
    """Text in which a reference to the environment was filled in."""

    __slots__ = ()


def _by_reference(value: object) -> object:
    if isinstance(value, str) and not isinstance(value, Expanded):
        raise ValueError("a secret does not stand in the file: write ${NAME} and set NAME in the environment")
    return str(value) if isinstance(value, Expanded) else value


def _dataset_id(value: str) -> str:
    if not _ID.fullmatch(value):
        raise ValueError("an id has letters, digits, `_`, `-` and `.` only, as it stands in addresses")
    if value.lower() in _RESERVED:
        raise ValueError(f"{value!r} is taken by the gateway's own addresses")
    return value


def _endpoint_url(value: str) -> str:
    parts = urlsplit(value)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("write an address such as https://kg.example.org/sparql")
    if parts.username is not None or parts.password is not None:
        raise ValueError("credentials do not stand in an address: write them under `auth`")
    return value


def _duration(value: object) -> object:
    if isinstance(value, timedelta):
        return value
    if value == "never":
        return NEVER
    found = _DURATION.fullmatch(str(value).strip())
    if not found or float(found[1]) == 0:
        raise ValueError("write a time with its unit, such as 30m, 24h or 7d, or `never`")
    return timedelta(**{_UNITS[found[2]]: float(found[1])})


def _sample(value: object) -> object:
    return None if value == "auto" else value


def _file(value: str, info: ValidationInfo) -> str:
    if value == SAMPLE:
        return value
    if value.startswith("builtin:"):
        raise ValueError(f"the only built-in data is {SAMPLE}")
    path = resolve(value, info)
    if not path.exists():
        raise ValueError(f"there is no file {path}")
    if path.is_dir():
        raise ValueError(f"{path} is a folder: name its files")
    return str(path)


def resolve(value: str, info: ValidationInfo) -> Path:
    """The absolute path, taken from the folder of the configuration file where there is one."""
    folder = (info.context or {}).get("folder", Path.cwd())
    return Path(folder, Path(value).expanduser()).absolute()


def _trace_store(value: str, info: ValidationInfo) -> str:
    if not value.startswith(_SQLITE) or value == _SQLITE:
        raise ValueError("write sqlite:///FILE")
    return _SQLITE + str(resolve(value.removeprefix(_SQLITE), info))


def _iris(values: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(iri for value in values for iri in _expand(value)))


def _expand(value: str) -> tuple[str, ...]:
    """The IRIs that a name stands for: schema.org is written with http and with https."""
    text = value[1:-1] if value.startswith("<") and value.endswith(">") else value
    prefix, _, name = text.partition(":")
    if prefix == "schema":
        return (f"http://schema.org/{name}", f"https://schema.org/{name}")
    if prefix in WELL_KNOWN_PREFIXES and not name.startswith("//"):
        return (WELL_KNOWN_PREFIXES[prefix] + name,)
    if not _IRI.fullmatch(text) or (text == value and "/" not in name):
        known = ", ".join(WELL_KNOWN_PREFIXES)
        raise ValueError(f"{value!r} is no IRI, and its prefix is none of {known}")
    return (text,)


def data_id(file: str) -> str:
    """The id of an endpoint over files: the first one's name without its endings."""
    if file == SAMPLE:
        return "sample"
    name = Path(file).name
    while (stem := Path(name)).suffix.lower() in _ENDINGS:
        name = stem.stem
    name = re.sub(r"[^\w.-]+", "-", name).strip("-.")
    return f"{name}-data" if name.lower() in _RESERVED else name or "data"


Secret = Annotated[SecretStr, BeforeValidator(_by_reference)]
DatasetId = Annotated[str, AfterValidator(_dataset_id)]
EndpointUrl = Annotated[str, AfterValidator(_endpoint_url)]
Duration = Annotated[timedelta, BeforeValidator(_duration)]
SampleSize = Annotated[int | None, BeforeValidator(_sample)]
DataFile = Annotated[str, AfterValidator(_file)]
TraceStoreUrl = Annotated[str, AfterValidator(_trace_store)]
IriList = Annotated[tuple[str, ...], AfterValidator(_iris)]
