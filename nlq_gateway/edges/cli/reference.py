"""`nlq reference`: the pages of the documentation that are written from the code."""

from __future__ import annotations

import argparse

from compilers.kopl.reference import reference as function_page
from nlq_gateway.edges.http.problems.catalogue import catalogue


def functions(_: argparse.Namespace) -> int:
    """Print `docs/functions.md`."""
    print(function_page(), end="")
    return 0


def errors(_: argparse.Namespace) -> int:
    """Print `docs/errors.md`."""
    print(catalogue(), end="")
    return 0
