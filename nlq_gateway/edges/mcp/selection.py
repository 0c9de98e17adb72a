"""Results that select from the trace: they say where a member is, and its type and meaning follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Self, get_args, get_origin

from pydantic import BaseModel, GetCoreSchemaHandler, create_model
from pydantic_core import CoreSchema

from nlq_gateway.trace import Json, Trace
from nlq_gateway.trace.part import DocumentPart, Meaning, SentAs, component_of, members_of, some_of


@dataclass(frozen=True, slots=True)
class At:
    """The place of a member in the document of a trace, such as `answer.text`.

    After a list the path continues in each of its entries: `warnings.message` are the messages. Omitted
    members, and members below null, are null. `each` selects members of the entries of a list.
    """

    path: str
    each: type[BaseModel] | None = None

    def found(self, document: Json) -> Any:
        """The member at this place."""
        return _found(document, self.path.split("."))

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        hint = _type(Trace, self.path.split("."))
        return handler.generate_schema(_each(hint, self.each) if self.each else hint)


class Selection(BaseModel):
    """A result whose members are `At` a place of the document, but for those that come with it."""

    @classmethod
    def of(cls, document: Json, **others: Any) -> Self:
        """Select members of a document, and add other members."""
        found = {
            name: said.found(document)
            for name, field in cls.model_fields.items()
            for said in field.metadata
            if isinstance(said, At)
        }
        return cls.model_validate(found | others)


def chosen(part: type[DocumentPart], *names: str, **each: type[BaseModel]) -> type[BaseModel]:
    """These members of a part; `each` is the selection from the entries of lists."""
    members = {member.name: member for member in members_of(part)}
    declared: dict[str, Any] = {}
    for name in names:
        hint = members[name].type
        hint = _each(hint, each[name]) if name in each else hint
        declared[name] = (_or_none(hint), None) if members[name].sparse else (hint, ...)
    meaning, *_ = (part.__doc__ or "").partition("\n\n")
    return create_model(component_of(part), __doc__=meaning, **declared)


def _found(part: Any, names: Sequence[str]) -> Any:
    if not names or part is None:
        return part
    if isinstance(part, list):
        return [_found(one, names) for one in part]
    return _found(part.get(names[0]), names[1:])


def _type(hint: Any, names: Sequence[str]) -> Any:
    """The type at a path that begins at a type."""
    origin, arguments = get_origin(hint), get_args(hint)
    if not names:
        return hint
    if origin is Annotated:
        sent = next((one for one in arguments if isinstance(one, SentAs)), None)
        return _type(sent.type if sent else arguments[0], names)
    if (kept := some_of(hint)) is not hint:
        return _or_none(_type(kept, names))
    if origin is tuple:
        return tuple[_type(arguments[0], names), ...]  # type: ignore[misc]
    member = next(one for one in members_of(hint) if one.name == names[0])
    found = _type(member.type, names[1:])
    return _or_none(found) if member.sparse else found


def _each(hint: Any, chosen: type[BaseModel]) -> Any:
    """A list of the selection, with the description of its source."""
    said = (one for one in getattr(hint, "__metadata__", ()) if isinstance(one, Meaning))
    return Annotated[(tuple[chosen, ...], *said, None)]  # type: ignore[valid-type]


def _or_none(hint: Any) -> Any:
    kept, *said = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    return Annotated[(kept | None, *said, None)]
