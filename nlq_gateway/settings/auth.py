"""The keys about logging in: at a store, and at the gateway."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import ConfigDict, Field, model_validator

from nlq_gateway.settings.section import Fault, Section, keys_by
from nlq_gateway.settings.values import HeaderName, Secret

AuthType = Literal["none", "basic", "digest", "bearer", "header"]

_KEYS: dict[str, frozenset[str]] = {
    "none": frozenset(),
    "basic": frozenset({"user", "password"}),
    "digest": frozenset({"user", "password"}),
    "bearer": frozenset({"token"}),
    "header": frozenset({"header", "value"}),
}


class AuthSettings(Section):
    """The login at a store. `type` decides which other keys are required."""

    model_config = ConfigDict(
        json_schema_extra=keys_by("type", {name: (keys, frozenset()) for name, keys in _KEYS.items()})
    )

    type: AuthType = Field(default="none", description="none, basic, digest, bearer or header")
    user: str | None = Field(default=None, description="the user's name, for basic and digest")
    password: Secret | None = Field(
        default=None, description="the password, for basic and digest, as ${NAME}"
    )
    token: Secret | None = Field(default=None, description="the token, for bearer, as ${NAME}")
    header: HeaderName | None = Field(default=None, description="the header's name, for header")
    value: Secret | None = Field(default=None, description="the header's value, for header, as ${NAME}")

    @model_validator(mode="after")
    def _keys_of_the_type(self) -> Self:
        given = {name for name in self.model_fields_set - {"type"} if getattr(self, name) is not None}
        wanted = _KEYS[self.type]
        names = ", ".join(f"`{name}`" for name in sorted(wanted)) or "no other key"
        if extra := sorted(given - wanted):
            raise Fault(f"type {self.type!r} takes {names}", extra[0])
        if given != wanted:
            raise ValueError(f"type {self.type!r} takes {names}")
        return self
