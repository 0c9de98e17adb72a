"""The official TEXT2SPARQL client in an environment of its own: its pins fit none of ours.

https://pypi.org/project/text2sparql-client/
"""

from __future__ import annotations

import subprocess
import venv
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parents[2] / ".peers" / "text2sparql"
VERSION = "2.1.0"
# What the client asks for; but its pytrec-eval has to be compiled from files elsewhere, of which
# pytrec-eval-terrier is the same with wheels.
NEEDED = (
    "SPARQLWrapper>=2,<3",
    "click>=8.1.8,<9",
    "fastapi>=0.128,<0.129",
    "loguru>=0.7.3,<0.8",
    "numpy<2",
    "pydantic-settings>=2.8.1,<3",
    "pytrec-eval-terrier==0.5.11",
    "pyyaml>=6.0.2,<7",
    "requests>=2.32.3,<3",
    "scipy>=1.1,<1.17",
    "setuptools<81",
    "tqdm>=4.67.1,<5",
    "uvicorn>=0.34.1,<0.35",
)
SECONDS = 600


class NotInstalled(Exception):
    """The environment cannot be made here."""


@dataclass(frozen=True, slots=True)
class Client:
    """The installed client, run in a folder."""

    folder: Path

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """The output of one of its commands, which logs to standard error."""
        command = [str(_program("text2sparql")), *arguments]
        return subprocess.run(
            command, cwd=self.folder, capture_output=True, text=True, timeout=SECONDS, check=False
        )


def install() -> None:
    """Make the environment, unless it is there; raises NotInstalled."""
    if _program("text2sparql").exists():
        return
    try:
        venv.create(FOLDER, with_pip=True)
        _pip("--only-binary", ":all:", *NEEDED)
        _pip("--no-deps", f"text2sparql-client=={VERSION}")
    except (OSError, subprocess.SubprocessError) as error:
        said = getattr(error, "stderr", "") or str(error)
        raise NotInstalled(said.strip()[-500:]) from error


def _pip(*arguments: str) -> None:
    pip = [str(_program("python")), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    subprocess.run([*pip, *arguments], capture_output=True, text=True, timeout=SECONDS, check=True)


def _program(name: str) -> Path:
    return FOLDER / "bin" / name
