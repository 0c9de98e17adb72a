"""Writes the graph into the file that is named."""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.company.graph import write

if __name__ == "__main__":
    write(Path(sys.argv[1]))
