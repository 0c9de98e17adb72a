"""Bars for what takes long, such as the index of a graph that is opened for the first time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tqdm import tqdm

from nlq_gateway.core.types import Progress


@contextmanager
def bars(silent_seconds: float = 0, *, always: bool = False) -> Iterator[Progress]:
    """Yield a progress function with a bar for each stage that takes longer than `silent_seconds`.

    Bars are for terminals: `always` also shows them if standard error is no terminal, as in notebooks.
    """
    shown: dict[str, tqdm[None]] = {}

    def progress(stage: str, done: int, total: int) -> None:
        if stage not in shown:
            shown[stage] = tqdm(
                desc=stage,
                total=total or None,
                delay=silent_seconds,
                disable=False if always else None,
                leave=False,
            )
        bar = shown[stage]
        bar.total = total or None
        bar.update(done - bar.n)

    try:
        yield progress
    finally:
        for bar in shown.values():
            bar.close()
