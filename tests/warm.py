"""Processes that need not load the gateway: they are forked from one that has, and has done nothing else."""

from __future__ import annotations

import multiprocessing
import os
import pkgutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from nlq_gateway import cli

APART = multiprocessing.get_context("forkserver")
_COMMANDS = [f"{cli.__name__}.{module.name}" for module in pkgutil.iter_modules(cli.__path__)]
APART.set_forkserver_preload([__name__, "pytest", "nlq_gateway.http.access.rates", *_COMMANDS])


def run_nlq(
    arguments: Sequence[str], environment: Mapping[str, str], said: str, folder: Path, seconds: float
) -> subprocess.CompletedProcess[str]:
    """The outcome of `nlq` in a process of its own, whose streams are files in the folder.

    Raises:
        subprocess.TimeoutExpired: it took longer.
    """
    streams = [folder / name for name in ("stdin", "stdout", "stderr")]
    for file, text in zip(streams, (said, "", ""), strict=True):
        file.write_text(text, encoding="utf-8")
    process = APART.Process(target=_carry_out, args=(arguments, dict(environment), streams))
    process.start()
    process.join(seconds)
    if process.exitcode is None:
        process.kill()
        raise subprocess.TimeoutExpired(["nlq", *arguments], seconds)
    shown = [file.read_text(encoding="utf-8") for file in streams[1:]]
    return subprocess.CompletedProcess(["nlq", *arguments], process.exitcode, *shown)


def _carry_out(arguments: Sequence[str], environment: Mapping[str, str], streams: Sequence[Path]) -> None:
    for number, (file, how) in enumerate(zip(streams, (os.O_RDONLY, os.O_WRONLY, os.O_WRONLY), strict=True)):
        os.dup2(os.open(file, how), number)
    sys.stdin, sys.stdout, sys.stderr = (os.fdopen(number, how) for number, how in enumerate("rww"))
    os.environ.clear()
    os.environ.update(environment)
    sys.exit(cli.main(arguments))
