"""Columns that describe an entity: its label, and the owner of a blank node.

A blank node has no name, and stores give it another identifier in each answer. Its description must come with
it: the subject that a relation leads from, and the relation.
"""

from __future__ import annotations

from dataclasses import dataclass

from compilers import algebra as a
from compilers.layouts import Layout, Options
from compilers.layouts.base import Column, Patterns
from compilers.naming import VariableNames

# The roles of the columns, in the order of the variables.
_ROLES = ("label", "owner", "owner relation", "owner label")


@dataclass(frozen=True, slots=True)
class EntityVariables:
    """The variables that describe an entity: its label and, if requested, those of its owner.

    `owned` are the owner, the relation by which it has the entity, and the owner's label.
    """

    label: a.Variable
    owned: tuple[a.Variable, a.Variable, a.Variable] | None = None

    @property
    def variables(self) -> tuple[a.Variable, ...]:
        """All the variables."""
        return (self.label, *(self.owned or ()))

    def columns(self, step: int) -> tuple[Column, ...]:
        """The columns of the variables, for a step."""
        return tuple(Column(v.name, role, step) for v, role in zip(self.variables, _ROLES, strict=False))

    def patterns(self, layout: Layout, entity: a.Variable, step: int) -> Patterns:
        """The patterns of the variables, each optional."""
        label = a.Optional(layout.label(entity, self.label, step), (step,))
        if self.owned is None:
            return (label,)
        owner, relation, name = self.owned
        has = layout.between(owner, relation, entity, step)
        unnamed = a.Filter(a.Call("isBlank", (entity,)), (step,))
        named = a.Optional(layout.label(owner, name, step), (step,))
        return (label, a.Optional((*has, unnamed, named), (step,)))


def told_of(entity: a.Variable, options: Options, names: VariableNames) -> EntityVariables:
    """New variables for the description of an entity."""
    label = names.fresh(f"{entity.name} label")
    if not options.owners:
        return EntityVariables(label)
    owner, relation = names.fresh(f"{entity.name} owner"), names.fresh(f"{entity.name} relation")
    return EntityVariables(label, (owner, relation, names.fresh(f"{owner.name} label")))


def renamed(told: EntityVariables, names: VariableNames) -> EntityVariables:
    """The same variables under new names."""
    label, *owned = (names.fresh(one.name) for one in told.variables)
    return EntityVariables(label, (owned[0], owned[1], owned[2]) if owned else None)
