"""Processes that need not load the gateway: they are forked from one that has, and has done nothing else."""

from __future__ import annotations

import multiprocessing
import os
import pkgutil
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TextIO

from nlq_gateway.edges import cli

APART = multiprocessing.get_context("forkserver")
_COMMANDS = [f"{cli.__name__}.{module.name}" for module in pkgutil.iter_modules(cli.__path__)]
APART.set_forkserver_preload([__name__, "pytest", "nlq_gateway.edges.http.access.rates", *_COMMANDS])


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


class WarmServer:
    """`nlq` that goes on in a process of its own, used like a `subprocess.Popen` with pipes."""

    def __init__(self, arguments: Sequence[str], environment: Mapping[str, str]) -> None:
        """Returns once the process writes to its pipes, which have names: it is no child of this one."""
        self.args = ("nlq", *arguments)
        with TemporaryDirectory() as folder:
            pipes = [Path(folder) / name for name in ("stdout", "stderr")]
            for pipe in pipes:
                os.mkfifo(pipe)
            streams = (Path(os.devnull), *pipes)
            self._process = APART.Process(target=_carry_out, args=(arguments, dict(environment), streams))
            self._process.start()
            self.stdout, self.stderr = (pipe.open(encoding="utf-8") for pipe in pipes)
        assert self._process.pid is not None
        self.pid = self._process.pid

    @property
    def returncode(self) -> int | None:
        """The exit code; None while it runs."""
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the process has ended."""
        if self.returncode is None:
            os.kill(self.pid, number)

    def wait(self, timeout: float) -> int:
        """The exit code; raises subprocess.TimeoutExpired."""
        self._process.join(timeout)
        if self.returncode is None:
            raise subprocess.TimeoutExpired(self.args, timeout)
        return self.returncode

    def communicate(self, timeout: float) -> tuple[str, str]:
        """The rest of both outputs, once the process has ended; raises subprocess.TimeoutExpired."""
        said = ["", ""]

        def read(place: int, file: TextIO) -> None:
            if not file.closed:
                said[place] = file.read()
                file.close()

        outputs = enumerate((self.stdout, self.stderr))
        readers = [threading.Thread(target=read, args=one, daemon=True) for one in outputs]
        for reader in readers:
            reader.start()
        self.wait(timeout)
        for reader in readers:
            reader.join(timeout)
        return said[0], said[1]


def _carry_out(arguments: Sequence[str], environment: Mapping[str, str], streams: Sequence[Path]) -> None:
    for number, (file, how) in enumerate(zip(streams, (os.O_RDONLY, os.O_WRONLY, os.O_WRONLY), strict=True)):
        os.dup2(os.open(file, how), number)
    sys.stdin, sys.stdout = (os.fdopen(number, how) for number, how in enumerate("rw"))
    sys.stderr = os.fdopen(2, "w", buffering=1)
    os.environ.clear()
    os.environ.update(environment)
    sys.exit(cli.main(arguments))
