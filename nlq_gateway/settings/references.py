"""References in a configuration file, and their values.

`${NAME}` is a variable of the environment, `${file:PATH}` the text of a file, and `$${` the characters `${`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from nlq_gateway.settings.values import Expanded

LARGEST_BYTES = 65_536
_FILE = "file:"
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PART = re.compile(r"\$\$\{|\$\{([^}\n]*)(\}?)")
# References are hidden from YAML: braces end a plain scalar inside `{...}`.
_WRITTEN = re.compile(r"\$?\$\{[^}\n]*\}")
_OPEN, _CLOSE = "\ue000", "\ue001"
_HELD = re.compile(f"{_OPEN}([0-9]+){_CLOSE}")

SET = "export NAME=... before starting sets a variable; ${file:PATH} takes the text of a file"


def held(text: str) -> tuple[str, Callable[[str], str]]:
    """The text with a mark in place of each reference, and what puts them back into a part of it."""
    written: list[str] = []

    def mark(found: re.Match[str]) -> str:
        written.append(found[0])
        return f"{_OPEN}{len(written) - 1}{_CLOSE}"

    def put_back(part: str) -> str:
        return _HELD.sub(lambda found: written[int(found[1])], part)

    return _WRITTEN.sub(mark, text), put_back


def has_reference(text: str) -> bool:
    """True if the text contains a reference or an escape of one."""
    return "${" in text


def filled(text: str, environment: Mapping[str, str], folder: Path) -> tuple[str, dict[str, str]]:
    """Return the text with its references replaced, and a map from the values to the references.

    Args:
        text: a value as the file has it.
        environment: the variables for `${NAME}`.
        folder: the folder to which paths of files are relative.

    Raises:
        ValueError: a reference has no value; the message gives the reason.
    """
    found: dict[str, str] = {}

    def value(part: re.Match[str]) -> str:
        if part[0] == "$${":
            return "${"
        if not part[2]:
            raise ValueError("a reference is not closed: write ${NAME}, or $${ for the characters themselves")
        text = _value(part[1], environment, folder)
        found[text] = part[0]
        return text

    whole = _PART.sub(value, text)
    return (Expanded(whole, text) if found else whole), found


def anchored(text: str, folder: Path) -> str:
    """The text with absolute paths in its references, so that it means the same in another folder."""

    def absolute(part: re.Match[str]) -> str:
        inner = part[1] or ""
        return f"${{{_FILE}{_path(inner, folder)}}}" if inner.startswith(_FILE) else part[0]

    return _PART.sub(absolute, text)


def _value(name: str, environment: Mapping[str, str], folder: Path) -> str:
    if name.startswith(_FILE):
        return _text(_path(name, folder))
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no name of an environment variable, and does not begin with file:")
    if not environment.get(name):
        raise ValueError(
            f"the environment variable {name} is {'empty' if name in environment else 'not set'}"
        )
    return environment[name]


def _path(name: str, folder: Path) -> Path:
    return Path(folder, Path(name.removeprefix(_FILE).strip()).expanduser()).absolute()


def _text(path: Path) -> str:
    try:
        with path.open("rb") as opened:
            content = opened.read(LARGEST_BYTES + 1)
        text = content.decode("utf-8").rstrip("\r\n")
    except UnicodeDecodeError:
        raise ValueError(f"the file {path} is not text in UTF-8") from None
    except (OSError, ValueError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ValueError(f"the file {path} cannot be read: {reason}") from None
    if len(content) > LARGEST_BYTES:
        raise ValueError(f"the file {path} has more than {LARGEST_BYTES} bytes")
    if "\0" in text:
        raise ValueError(f"the file {path} is not text")
    if not text:
        raise ValueError(f"the file {path} is empty")
    return text
