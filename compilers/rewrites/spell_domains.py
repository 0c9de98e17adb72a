"""Spell out a remaining Domain as the layout states "any entity"."""

from __future__ import annotations

from dataclasses import replace

from compilers import algebra as a
from compilers.layouts import Layout
from compilers.rewrites.walk import Group, map_groups


def spell_domains(select: a.Select, layout: Layout) -> a.Select:
    """Replace every Domain; needs drop_domains to have run."""

    def group(patterns: Group) -> Group:
        spelled: list[a.Pattern] = []
        for pattern in patterns:
            if isinstance(pattern, a.Domain):
                spelled.extend(layout.everything(pattern.variable, pattern.steps[0]))
            else:
                spelled.append(map_groups(pattern, group))
        return tuple(spelled)

    return replace(select, patterns=group(select.patterns))
