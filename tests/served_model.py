"""A model behind `transformers serve`, a real server in a process of its own."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

START_SECONDS = 120


class Served:
    """A folder's model behind `transformers serve` on a free port, which stays the same."""

    def __init__(self, folder: Path, cache: Path) -> None:
        self.folder = folder
        self._cache = cache
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self._port: int = listener.getsockname()[1]
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}/v1"

    def start(self) -> None:
        """Start it where it is not running, and wait until it answers."""
        if self._process is None:
            tool = Path(sys.executable).with_name("transformers")
            where = ["--host", "127.0.0.1", "--port", f"{self._port}", "--device", "cpu"]
            own = {"HF_HUB_OFFLINE": "1", "HF_HOME": f"{self._cache}", "OMP_NUM_THREADS": "1"}
            with (self._cache / "log").open("ab") as log:
                self._process = subprocess.Popen(
                    [tool, "serve", self.folder, *where], env=os.environ | own, stdout=log, stderr=log
                )
        end = time.monotonic() + START_SECONDS
        while not self._answers():
            said = (self._cache / "log").read_text(errors="replace")[-2000:]
            assert self._process.poll() is None, said
            assert time.monotonic() < end, said
            time.sleep(0.1)

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self._port}/health", timeout=1) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False
