"""A part of the document: a frozen dataclass that declares its JSON.

The members of a part are its fields, in their order. The type of a member defines its JSON:

    step: StepIndex                         converted by a function (`SentAs`), here counted from 1
    diagnosis: Sparse[str | None] = None    omitted if it is None, or has its default
    argument: Annotated[Count, Meaning("counted from 0")]    with its own description in schemas

The schemas of OpenAPI and MCP are made from the same declaration: the methods with underlined names are
those that pydantic calls on a type. The docstring of a part describes its schema.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache, partial
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    ClassVar,
    NotRequired,
    TypeAlias,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from annotated_types import Ge, Le
from typing_extensions import TypedDict

Json = dict[str, Any]
Write = Callable[[Any], Any]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class SentAs:
    """Marks a value that is sent as a part with the same members, or as the result of a function."""

    made: Callable[[Any], Any]

    @property
    def type(self) -> Any:
        """The part, or the type that the function returns."""
        return self.made if is_part(self.made) else get_type_hints(self.made, include_extras=True)["return"]

    @property
    def write(self) -> Write:
        """Return the function that makes JSON of a value."""
        write = _writer(self.type)
        return write if is_part(self.made) else lambda value: write(self.made(value))

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        return handler.generate_schema(self.type)


@dataclass(frozen=True, slots=True)
class Meaning:
    """Says what a member means."""

    text: str

    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> Json:
        return {**handler(schema), "description": self.text}


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Says that a member is left out where it is None, or has its default."""


def _from_one(index: int) -> StepNumber:
    return index + 1


def _to_4_digits(number: float) -> float:
    return round(number, 4)


def _to_3_digits(number: float) -> float:
    return round(number, 3)


Sparse: TypeAlias = Annotated[T, LeftOut()]
Count: TypeAlias = Annotated[int, Ge(0)]
StepNumber: TypeAlias = Annotated[int, Ge(1)]
# Counts from 0 here and from 1 in JSON.
StepIndex: TypeAlias = Annotated[int, SentAs(_from_one)]
Score: TypeAlias = Annotated[float, SentAs(_to_4_digits)]
Probability: TypeAlias = Annotated[Score, Ge(0), Le(1)]
Rounded: TypeAlias = Annotated[float, SentAs(_to_3_digits)]
Milliseconds: TypeAlias = Annotated[Rounded, Ge(0)]


class DocumentPart:
    """The base of all parts.

    A part that is sent with other members than its fields, or in another order, lists them in `MEMBERS`: each
    is a field or a property of its name, or of the one after `=`.
    """

    __slots__ = ()

    MEMBERS: ClassVar[tuple[str, ...]] = ()

    def as_json(self) -> Json:
        """The JSON of the part."""
        return written(type(self), self)

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        return handler.generate_schema(_shape_of(cls))


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a part: where its value is, its type, and what makes JSON of it."""

    name: str
    attribute: str
    type: Any
    write: Write
    sparse: bool
    default: Any


def written(part: type[DocumentPart], value: object) -> Json:
    """A value as the part that it has the members of."""
    found: Json = {}
    for member in members_of(part):
        kept = getattr(value, member.attribute)
        if not (member.sparse and (kept is None or kept == member.default)):
            found[member.name] = member.write(kept)
    return found


def component_of(part: type) -> str:
    """The name of a part's schema: the part's, without an ending `Trace`; the whole is the `Answer`."""
    return part.__name__.removesuffix("Trace") or "Answer"


def is_part(hint: Any) -> bool:
    """True if a type is a part."""
    return isinstance(hint, type) and issubclass(hint, DocumentPart)


def some_of(hint: Any) -> Any:
    """Return the X of `X | None`; another type unchanged."""
    if get_origin(hint) not in (Union, UnionType):
        return hint
    return next(one for one in get_args(hint) if one is not NoneType)


def _members_of(part: Any) -> tuple[Member, ...]:
    defaults = {field.name: field.default for field in fields(part)}
    hints = get_type_hints(part, include_extras=True)
    members: list[Member] = []
    for listed in part.MEMBERS or defaults:
        name, _, other = listed.partition("=")
        attribute = other or name
        hint = hints[attribute] if attribute in hints else SentAs(getattr(part, attribute).fget).type
        sparse = LeftOut() in getattr(hint, "__metadata__", ())
        members.append(Member(name, attribute, hint, _writer(hint), sparse, defaults.get(attribute)))
    return tuple(members)


# The members of a part, in the order of the document.
members_of: Callable[[type], tuple[Member, ...]] = cache(_members_of)


def _typed_dict(part: Any) -> Any:
    """Return the TypedDict of a part's JSON."""
    declared: Json = {}
    for member in members_of(part):
        kept, *said = get_args(member.type) if member.sparse else (member.type,)
        declared[member.name] = NotRequired[Annotated[(some_of(kept), *said)]] if member.sparse else kept
    make: Any = TypedDict
    shape = make(component_of(part), declared)
    shape.__doc__ = part.__doc__
    return shape


_shape_of: Callable[[type], Any] = cache(_typed_dict)


@cache
def _writer(hint: Any) -> Write:
    """Return the function that makes JSON of the values of a type."""
    if (kept := some_of(hint)) is not hint:
        write = _writer(kept)
        return lambda value: None if value is None else write(value)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        sent = next((one for one in arguments if isinstance(one, SentAs)), None)
        return sent.write if sent else _writer(arguments[0])
    if origin is tuple:
        write = _writer(arguments[0])
        return lambda values: [write(value) for value in values]
    if origin is dict:
        write = _writer(arguments[1])
        return lambda values: {name: write(value) for name, value in values.items()}
    return partial(written, hint) if is_part(hint) else _itself


def _itself(value: Any) -> Any:
    return value
