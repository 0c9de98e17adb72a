"""Types of single values in the configuration: each is text in the file and describes its own faults.

A pattern stands in the published JSON Schema too, so it keeps to what Python and ECMA-262 have in common.
"""

from __future__ import annotations

import re
import stat
from datetime import timedelta
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import parse_qsl, urlsplit

from pydantic import (
    AfterValidator,
    BeforeValidator,
    PlainSerializer,
    SecretStr,
    ValidationInfo,
    WithJsonSchema,
)

SAMPLE = "builtin:sample"
NEVER = timedelta(0)
REFERENCE = r"\$\{[^}\n]+\}"
SECRET = r"\$\{([A-Za-z_][A-Za-z0-9_]*|file:[^}\n]+)\}"

_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}
_DURATION = r"([0-9]+(?:\.[0-9]+)?)\s*([smhd])"
_ID = re.compile(r"\w[\w.-]*")
_URL = r"[Hh][Tt][Tt][Pp][Ss]?://[^\s/?#@]+([/?#]\S*)?"
_STORE_PAGE = r"[Hh][Tt][Tt][Pp][Ss]?://[^\s/?#@]+[/?#]\S*\{query\}\S*"
_LABEL = r"[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?"
_NAME = rf"({_LABEL}(\.{_LABEL})*|\[[0-9A-Fa-f:.]+\])"
_HOST = rf"{_NAME}(:[0-9]{{1,5}})?"
# RFC 9110, 5.6.2: the characters of a header's name.
_TOKEN = r"[A-Za-z0-9!#$%&'*+.^_`|~-]+"
_ENDINGS = (".gz", ".nt", ".ttl", ".rdf", ".xml", ".owl", ".nq", ".trig", ".jsonld", ".json", ".n3")
_CLIENT = r"[A-Za-z0-9][A-Za-z0-9_.@-]{0,63}"
_SQLITE = "sqlite:///"
_POSTGRESQL = "postgresql://"
_ON_HUB = r"\w[\w.-]*(/\w[\w.-]*)?"
_ORIGIN = r"[Hh][Tt][Tt][Pp][Ss]?://[^\s/?#@*]+"
# It goes into a header, whose parts end with a semicolon.
_WEB_ORIGIN = r"[Hh][Tt][Tt][Pp][Ss]?://[A-Za-z0-9.:\[\]-]+"
# `/ID/sparql` would stand where these routes are.
_RESERVED = ("static", "traces", "problems", "datasets")
_LARGEST_PORT = 65_535


class Expanded(str):
    """Text in which a reference was filled in; `written` is what the file has."""

    __slots__ = ("written",)
    written: str

    def __new__(cls, text: str = "", written: str = "") -> Expanded:
        """Take the text along with what the file has."""
        expanded = super().__new__(cls, text)
        expanded.written = written
        return expanded


def _by_reference(value: object) -> object:
    if isinstance(value, SecretStr) or not isinstance(value, str):
        return value
    if not isinstance(value, Expanded):
        raise ValueError(
            "a secret is not written in the file: write ${NAME} and set NAME in the environment, "
            "or ${file:PATH} and keep it in that file"
        )
    if not value.isprintable():
        raise ValueError("a secret is one line of text; the value of this reference is not")
    return str(value)


def _header_value(value: object) -> object:
    if isinstance(value, SecretStr) or not isinstance(value, str):
        return value
    if not value.isprintable() or not value.isascii() or value != value.strip():
        raise ValueError("a header's value is one line of ASCII text without blanks around it")
    return str(value)


def _dataset_id(value: str) -> str:
    if not _ID.fullmatch(value):
        raise ValueError("an id has letters, digits, `_`, `-` and `.` only, as it stands in addresses")
    if value.lower() in _RESERVED:
        raise ValueError(f"{value!r} is taken by the gateway's own addresses")
    return value


def _endpoint_url(value: str) -> str:
    try:
        parts = urlsplit(value)
        named = parts.username is not None or parts.password is not None
        whole = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        named, whole = False, False
    if named:
        raise ValueError("credentials do not stand in an address: write them under `auth`")
    if not whole or not re.fullmatch(_URL, value):
        raise ValueError("write an address such as https://kg.example.org/sparql")
    return value


def _store_page(value: str) -> str:
    if value != "none" and not re.fullmatch(_STORE_PAGE, value):
        raise ValueError("write an address such as https://kg.example.org/#query={query}, or none")
    return value


def _host(value: str) -> str:
    host, _, port = value.rpartition(":")
    if not re.fullmatch(_HOST, value) or (host and port.isdigit() and not 0 < int(port) <= _LARGEST_PORT):
        raise ValueError(f"{value!r} is no host: write kg.example.org, or kg.example.org:8080")
    return value.lower()


def _header(value: str) -> str:
    if not re.fullmatch(_TOKEN, value):
        raise ValueError(f"{value!r} is no name of a header: write X-Api-Key")
    return value


def _duration(value: object) -> object:
    if isinstance(value, timedelta):
        return value
    if value == "never":
        return NEVER
    found = re.fullmatch(_DURATION, str(value).strip())
    try:
        length = timedelta(**{_UNITS[found[2]]: float(found[1])}) if found else NEVER
    except OverflowError:
        length = NEVER
    if length == NEVER:
        raise ValueError("write a time with its unit, such as 30m, 24h or 7d, or `never`")
    return length


def as_text(length: timedelta) -> str:
    """A time as in a file, in the largest unit that gives a whole number."""
    if length == NEVER:
        return "never"
    seconds = length.total_seconds()
    sizes = {unit: timedelta(**{name: 1}).total_seconds() for unit, name in _UNITS.items()}
    unit = next((unit for unit in reversed(sizes) if seconds % sizes[unit] == 0), "s")
    return f"{seconds / sizes[unit]:.15g}{unit}"


def _sample(value: object) -> object:
    if isinstance(value, bool):
        raise ValueError("a whole number is expected, or auto")
    return None if value == "auto" else value


def _file(value: str, info: ValidationInfo) -> str:
    if value == SAMPLE:
        return value
    if value.startswith("builtin:"):
        raise ValueError(f"the only built-in data is {SAMPLE}")
    if "://" in value:
        raise ValueError(
            f"{value} is an address and no file: fetch it first, or name a store by `url` in a configuration"
        )
    path = resolve(value, info)
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        raise ValueError(f"there is no file {path}") from None
    except OSError as error:
        raise ValueError(f"the file {path} cannot be reached: {error.strerror}") from None
    if stat.S_ISDIR(mode):
        raise ValueError(f"{path} is a folder: name its files")
    return str(path)


def _folder(value: str, info: ValidationInfo) -> str:
    path = resolve(value, info)
    try:
        fits = path.is_dir() or not path.exists()
    except OSError as error:
        raise ValueError(f"the folder {path} cannot be reached: {error.strerror}") from None
    if not fits:
        raise ValueError(f"{path} is no folder")
    return str(path)


def _model_place(value: str, info: ValidationInfo) -> str:
    path = resolve(value, info)
    if path.is_dir():
        return str(path)
    if not re.fullmatch(_ON_HUB, value):
        raise ValueError(f"there is no folder {path}: name a model's folder, or write OWNER/NAME for the hub")
    return value


def resolve(value: str, info: ValidationInfo) -> Path:
    """The absolute path, taken from the folder of the configuration file where there is one."""
    folder = (info.context or {}).get("folder", Path.cwd())
    if "\0" in value:
        raise ValueError("a path has no zero byte")
    try:
        return Path(folder, Path(value).expanduser()).absolute()
    except RuntimeError as error:
        raise ValueError(f"{value}: {error}") from None


def _trace_store(value: object, info: ValidationInfo) -> object:
    if isinstance(value, SecretStr) or not isinstance(value, str):
        return value
    if value.startswith(_SQLITE) and value != _SQLITE:
        return _SQLITE + str(resolve(value.removeprefix(_SQLITE), info))
    if not value.startswith(_POSTGRESQL):
        raise ValueError("write sqlite:///FILE, or postgresql://USER:${PASSWORD}@HOST/DATABASE")
    if _has_password(getattr(value, "written", value)):
        raise ValueError(
            "a password is not written in the file: write postgresql://USER:${NAME}@HOST/DATABASE"
        )
    if not _names_database(value):
        raise ValueError(
            "write postgresql://USER:${PASSWORD}@HOST/DATABASE; in a password, @ : / ? # and % are "
            "percent-encoded, %40 for @"
        )
    return str(value)


def _has_password(written: str) -> bool:
    """True if an address in the file states any part of a password in clear text."""
    mark = "\ue000"
    try:
        parts = urlsplit(re.sub(REFERENCE, mark, written))
        inside = [parts.password, *(value for key, value in parse_qsl(parts.query) if "password" in key)]
    except ValueError:
        return True
    return any(part not in (None, "", mark) for part in inside)


def _names_database(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return bool(parts.path.strip("/")) and parts.port != 0 and not parts.fragment
    except ValueError:
        return False


def _store_shown(url: SecretStr) -> str:
    """The address of a trace store with stars for its password."""
    return re.sub(r"(?<=://)([^:/@]*):.*@", r"\1:***@", url.get_secret_value())


def _client(value: str) -> str:
    if not re.fullmatch(_CLIENT, value):
        raise ValueError("a name has letters, digits, `_`, `-`, `.` and `@` only, and at most 64 of them")
    return value


def _origin(value: str) -> str:
    if value == "*" or re.fullmatch(_ORIGIN, value):
        return value.lower()
    raise ValueError("write an origin without a path, such as https://example.org or http://localhost:3000")


def _web_origin(value: str) -> str:
    if re.fullmatch(_WEB_ORIGIN, value):
        return value.lower()
    raise ValueError("write an origin without a path, such as https://images.example.org")


def _host_name(value: str) -> str:
    if re.fullmatch(_NAME, value):
        return value.lower()
    raise ValueError("write a host's name or address without scheme and port, such as kg.example.org")


def _rate(value: str) -> str:
    if value == "none":
        return value
    # Takes longer to import than all of the settings.
    from limits import parse_many

    for part in value.split(";"):
        said = part.strip().removesuffix("and client").strip()
        try:
            [limit] = parse_many(said)
        except ValueError:
            limit = None
        if limit is None or limit.amount < 1 or limit.get_expiry() < 1:
            raise ValueError("write a rate such as `60/minute and client`, several joined by `;`, or none")
    return value


def _network(value: str) -> str:
    try:
        return str(ip_network(value, strict=False))
    except ValueError:
        raise ValueError(f"{value!r} is no address or network: write 10.0.0.7 or 10.0.0.0/8") from None


def data_id(file: str) -> str:
    """The id of an endpoint over files: the first one's name without its endings."""
    if file == SAMPLE:
        return "sample"
    name = Path(file).name
    while (stem := Path(name)).suffix.lower() in _ENDINGS:
        name = stem.stem
    name = re.sub(r"[^\w.-]+", "-", name).strip("-.")
    return f"{name}-data" if name.lower() in _RESERVED else name or "data"


def store_id(url: str) -> str:
    """The id of an endpoint over a store: its address without what no id may have."""
    return re.sub(r"[^\w.-]+", "-", url.partition("://")[2].partition("?")[0]).strip("-.") or "store"


def stated(pattern: str, **more: Any) -> WithJsonSchema:
    """Return the JSON Schema of text that matches `pattern` as a whole."""
    return WithJsonSchema({"type": "string", "pattern": f"^({pattern})$", **more})


# In the schema: no ASCII punctuation, as ECMA-262 knows letters beyond ASCII only in a mode of its own.
_ID_STATED = r"[^\s!-/:-@\[-^`{-~][^\s!-,/:-@\[-^`{-~]*"
_FILE_STATED = f"{SAMPLE}|(?!builtin:).+"
_SECRET_STATED = {
    "type": "string",
    "pattern": SECRET,
    "examples": ["${NAME}", "${file:/run/secrets/name}"],
}

Secret = Annotated[SecretStr, BeforeValidator(_by_reference), WithJsonSchema(_SECRET_STATED)]
HeaderValue = Annotated[
    SecretStr, BeforeValidator(_header_value), WithJsonSchema({"type": "string", "examples": ["${NAME}"]})
]
DatasetId = Annotated[
    str, AfterValidator(_dataset_id), stated(_ID_STATED, **{"not": {"enum": list(_RESERVED)}})
]
EndpointUrl = Annotated[str, AfterValidator(_endpoint_url), stated(_URL)]
StorePage = Annotated[str, AfterValidator(_store_page), stated(f"none|{_STORE_PAGE}")]
Host = Annotated[str, AfterValidator(_host), stated(_HOST)]
HeaderName = Annotated[str, AfterValidator(_header), stated(_TOKEN)]
Duration = Annotated[
    timedelta,
    BeforeValidator(_duration),
    PlainSerializer(as_text, return_type=str, when_used="json"),
    stated(rf"never|(?!0+(\.0+)?\s*[smhd]){_DURATION}", examples=["30m", "24h", "7d", "never"]),
]
SampleSize = Annotated[
    int | None,
    BeforeValidator(_sample),
    PlainSerializer(lambda size: size or "auto", when_used="json"),
    WithJsonSchema({"anyOf": [{"type": "integer", "exclusiveMinimum": 0}, {"const": "auto"}]}),
]
DataFile = Annotated[str, AfterValidator(_file), stated(_FILE_STATED)]
Folder = Annotated[str, AfterValidator(_folder)]
ModelPlace = Annotated[str, AfterValidator(_model_place)]
TraceStoreUrl = Annotated[
    SecretStr,
    BeforeValidator(_trace_store),
    PlainSerializer(_store_shown, return_type=str, when_used="json"),
    stated(rf"{_SQLITE}.+|{_POSTGRESQL}.+"),
]
ClientName = Annotated[str, AfterValidator(_client), stated(_CLIENT)]
Origin = Annotated[str, AfterValidator(_origin), stated(rf"\*|{_ORIGIN}")]
WebOrigin = Annotated[str, AfterValidator(_web_origin), stated(_WEB_ORIGIN)]
# YAML 1.1 reads `off` as false.
FeedbackMode = Annotated[
    Literal["off", "review", "trusted"], BeforeValidator(lambda mode: "off" if mode is False else mode)
]
HostName = Annotated[str, AfterValidator(_host_name), stated(_NAME)]
Rate = Annotated[str, AfterValidator(_rate)]
Network = Annotated[str, AfterValidator(_network)]
