"""Values that are things, as those of many qualifiers are: compared and shown by their labels."""

from __future__ import annotations

from typing import Protocol

from compilers import algebra as a
from compilers.grounded import Binding
from compilers.layouts import base
from compilers.naming import VariableNames


class Labels(Protocol):
    """What a layout states of labels."""

    @property
    def names(self) -> VariableNames:
        """The names of the query's variables."""

    def named(self, entity: a.Variable, name: str, step: int) -> base.Patterns:
        """`entity` carries this label."""

    def label(self, entity: a.Variable, label: a.Variable, step: int) -> base.Patterns:
        """`label` is a label of the entity in a wanted language."""


def holds_things(binding: Binding) -> bool:
    """True if the values are things: their class has a name, and they have no value type."""
    return bool(binding.object) and not binding.value_types


def is_called(
    layout: Labels, thing: a.Variable, stem: str, comparison: str, text: str, step: int
) -> base.Patterns:
    """The thing's label compares so with the text."""
    if comparison == "=":
        return layout.named(thing, text, step)
    label = layout.names.fresh(f"{stem} label")
    test = a.Filter(base.text_test(label, comparison, text), (step,))
    return (*layout.label(thing, label, step), test)


def read_label(layout: Labels, thing: a.Variable, stem: str, step: int) -> tuple[base.Column, a.Pattern]:
    """The column of the thing's label, and the pattern that fetches it where there is one."""
    label = layout.names.fresh(f"{stem} label")
    labelled = a.Optional(layout.label(thing, label, step), (step,))
    return base.Column(label.name, "value label", step), labelled


def by_label(layout: Labels, thing: a.Variable, stem: str, step: int) -> base.Measure:
    """Things in the order of their labels."""
    label = layout.names.fresh(f"{stem} label")
    shown = (base.Column(thing.name, "value", step), base.Column(label.name, "value label", step))
    return base.Measure(layout.label(thing, label, step), a.Call("STR", (label,)), shown)
