"""How a graph states facts: one file per layout, all with the same operations."""

from __future__ import annotations

from collections.abc import Callable

from compilers.layouts.base import Layout, Names, Options
from compilers.layouts.direct import Direct
from compilers.layouts.kqapro import KqaPro

__all__ = ["LAYOUTS", "Layout", "Names", "Options"]

LAYOUTS: dict[str, Callable[[Options, Names], Layout]] = {"direct": Direct, "kqapro": KqaPro}
