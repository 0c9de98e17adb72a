from __future__ import annotations

import os

import pytest

# Before numpy is loaded, as `nlq` does it: a question's matrices are small, and threads wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-goldens",
        action="store_true",
        help="rewrite the expected queries in tests/compiler/fixtures and docs/functions.md",
    )
