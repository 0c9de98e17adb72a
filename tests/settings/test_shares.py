"""Several worker processes share what may be asked of a store."""

from __future__ import annotations

import pytest

from nlq_gateway.settings import SAMPLE, LimitSettings, Settings


@pytest.mark.parametrize(
    ("workers", "concurrency", "per_second"), [(1, 8, 100.0), (2, 4, 50.0), (3, 2, 100 / 3), (16, 1, 6.25)]
)
def test_each_worker_has_its_share(workers: int, concurrency: int, per_second: float) -> None:
    settings = Settings.for_data([SAMPLE])
    shared = settings.shared_by(workers)
    limits = shared.endpoints[0].limits
    assert (limits.concurrency, limits.per_second) == (concurrency, pytest.approx(per_second))
    assert settings.endpoints[0].limits == LimitSettings()
    assert limits.max_rows == LimitSettings().max_rows
    # What a file gives is told from defaults: those bind stores, not data files.
    assert limits.model_fields_set == set()
    assert shared.endpoints[0].id == "sample"
