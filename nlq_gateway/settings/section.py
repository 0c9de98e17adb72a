"""What all sections of the configuration have in common."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Section(BaseModel):
    """A mapping of the file: frozen, and closed to keys that it does not know."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    def _require_defaults(self, *names: str) -> None:
        """Refuse other values of keys that the gateway does not act on yet: none is silently ignored."""
        for name in names:
            default = type(self).model_fields[name].default
            if getattr(self, name) != default:
                raise ValueError(f"this version cannot change `{name}`; leave it out (it is {default})")
