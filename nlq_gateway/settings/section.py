"""The common base of all sections of the configuration, and what their validators find wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationInfo, field_validator

Path = tuple[str | int, ...]


class Fault(ValueError):
    """A wrong value below the one that a validator looks at; `path` leads to it from there."""

    def __init__(self, message: str, *path: str | int) -> None:
        """`message` says what would be right."""
        super().__init__(message)
        self.path: Path = path


class Section(BaseModel):
    """A mapping of the file: frozen, and closed to keys that it does not know."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True, allow_inf_nan=False)

    @field_validator("*", mode="before")
    @classmethod
    def _true_is_no_number(cls, value: object, info: ValidationInfo) -> object:
        """Refuse true and false for numbers, which Python takes them for."""
        field = cls.model_fields[info.field_name or ""]
        if isinstance(value, bool) and field.annotation in (int, float):
            raise ValueError(f"a number is expected, not {str(value).lower()}")
        return value


def keys_by(selector: str, keys: Mapping[str, tuple[frozenset[str], frozenset[str]]]) -> dict[str, Any]:
    """Return the JSON Schema of a section in which one key decides which others are allowed.

    Args:
        selector: the key that decides; its default value is "none".
        keys: by its values, the required and the optional keys.
    """
    every = frozenset[str]().union(*(needed | possible for needed, possible in keys.values()))
    return {
        "allOf": [
            {
                "if": {
                    "properties": {selector: {"const": value}},
                    **({} if value == "none" else {"required": [selector]}),
                },
                "then": {
                    **({"required": sorted(needed)} if needed else {}),
                    "properties": {
                        **{key: {"not": {"type": "null"}} for key in sorted(needed)},
                        **{key: {"type": "null"} for key in sorted(every - needed - possible)},
                    },
                },
            }
            for value, (needed, possible) in keys.items()
        ]
    }
