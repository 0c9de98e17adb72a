"""An idea: which program to look for, in terms of the schema alone. Grounding it takes a store."""

from __future__ import annotations

from dataclasses import dataclass

from nlq_gateway.offline.exploration.schema import Move


@dataclass(frozen=True, slots=True)
class IdeaPart:
    """A form by name, and the items of the schema that it uses."""

    form: str
    attributes: tuple[str, ...] = ()
    move: Move | None = None
    concept: str = ""
    qualifier: str = ""


@dataclass(frozen=True, slots=True)
class Idea:
    """A walk: its start, its relations, its narrowing, and its request.

    It begins at an `entity`, a `concept` (the start's own), or a `value` of the start's attribute.
    """

    start: IdeaPart
    moves: tuple[Move, ...]
    closing: IdeaPart
    narrowing: IdeaPart | None = None

    @property
    def parts(self) -> tuple[IdeaPart, ...]:
        """Start, narrowing and closing."""
        return tuple(part for part in (self.start, self.narrowing, self.closing) if part is not None)

    @property
    def all_moves(self) -> tuple[Move, ...]:
        """The relations of the walk and of its parts."""
        return (*self.moves, *(part.move for part in self.parts if part.move is not None))
