"""The libraries that we measure ourselves beside, in a virtual environment of their own.

`python -m benchmarks compile --install-peers` makes it. A peer's worker is a script that reads JSON from
standard input and writes JSON to standard output; it runs with the environment's Python.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import venv
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / ".peers"
# KoPL imports tqdm without naming it.
PINNED = ("graphq-trans==0.1.0", "KoPL==0.0.5", "antlr4-python3-runtime==4.9.3", "tqdm==4.70.1")
_LOG_CHARACTERS = 2_000

INSTALL = "python -m benchmarks compile --install-peers"


def install(folder: Path) -> None:
    """Make the environment; raises CalledProcessError when a package cannot be had."""
    venv.create(folder, with_pip=True)
    pip = (_python(folder), "-m", "pip", "--disable-pip-version-check", "install", "--quiet")
    subprocess.run([*pip, *PINNED], check=True)


def are_installed(folder: Path) -> bool:
    """True if `install` made this environment."""
    return _python(folder).exists()


def run(folder: Path, worker: str, request: Any, *arguments: str, cwd: Path | None = None) -> Any:
    """Return the answer of a worker of this package; raises CalledProcessError if it fails.

    Without assertions (-O): KoPL's engine asserts that values with the same text are of one type, and
    otherwise cannot load a graph.
    """
    script = Path(__file__).with_name(worker)
    with tempfile.TemporaryFile("w+") as log:
        found = subprocess.run(
            [_python(folder), "-O", script, *arguments],
            input=json.dumps(request),
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            cwd=cwd,
            check=False,
        )
        if found.returncode:
            log.seek(0)
            sys.stderr.write(log.read()[-_LOG_CHARACTERS:])
    found.check_returncode()
    return json.loads(found.stdout)


def _python(folder: Path) -> Path:
    return folder.resolve() / "bin" / "python"
