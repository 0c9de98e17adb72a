"""A store over HTTP that tests can take away."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from connectors import load_files
from tests.ports import free_port


class Store:
    """A real Oxigraph server over files, that can be stopped and started again."""

    def __init__(self, folder: Path, files: Sequence[Path], *options: str) -> None:
        self.folder = folder
        self.options = options
        self.server: subprocess.Popen[bytes] | None = None
        self.port = free_port()
        load_files(folder, files)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/query"

    def start(self) -> None:
        program = Path(sys.executable).with_name("oxigraph")
        binary = str(program) if program.exists() else shutil.which("oxigraph")
        if binary is None:
            pytest.skip("the oxigraph server is not installed (extra 'test')")
        address = f"127.0.0.1:{self.port}"
        self.server = subprocess.Popen(
            [binary, "serve-read-only", "-l", str(self.folder), "-b", address, *self.options],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        end = time.monotonic() + 10
        while time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", self.port), 0.2).close()
            except OSError:
                time.sleep(0.02)
            else:
                return
        raise TimeoutError(f"nothing listens on port {self.port}")

    def stop(self) -> None:
        if self.server is not None:
            self.server.kill()
            self.server.wait(10)
            self.server = None
