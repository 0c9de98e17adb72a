"""`nlq explore --tune`, `--tuned` and `--untune` as people run them."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

Nlq = Callable[..., "subprocess.CompletedProcess[str]"]
SAMPLE = ("--data", "builtin:sample")


def test_nothing_was_adapted(nlq: Nlq) -> None:
    shown = nlq("explore", *SAMPLE, "--tuned")
    assert (shown.returncode, shown.stdout) == (
        0,
        "the judge of sample is the one that comes with the package\n",
    )
    assert nlq("explore", *SAMPLE, "--untune").stdout == "nothing was adapted\n"


def test_what_was_adapted_is_shown_and_taken_back(
    nlq: Nlq, environment: dict[str, str], own_cache: Path
) -> None:
    here = {**environment, "NLQ_CACHE": str(own_cache)}
    file = own_cache / "endpoints" / "sample" / "judge.json"
    file.write_text("{}")
    damaged = nlq("explore", *SAMPLE, "--tuned", env=here)
    assert damaged.returncode == 2
    assert "--untune" in damaged.stderr
    assert "package's own again" in nlq("explore", *SAMPLE, "--untune", env=here).stdout
    assert not file.exists()


def test_tuning_needs_a_corpus(nlq: Nlq, tmp_path: Path) -> None:
    done = nlq("explore", *SAMPLE, "--tune", "--out", str(tmp_path / "none.jsonl"))
    assert done.returncode == 2
    assert "run nlq explore without --tune first" in done.stderr


def test_one_of_the_three(nlq: Nlq) -> None:
    assert nlq("explore", *SAMPLE, "--tune", "--untune").returncode == 2
