"""The process that has the model, as the server's master sees it."""

from __future__ import annotations

import json
import logging
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from nlq_gateway.models.opened import OpenedModel
from nlq_gateway.models.shared.client import SharedModel
from nlq_gateway.settings import ModelSettings
from nlq_gateway.settings.server import LogSettings

FIRST_PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 60.0
# Seconds after which the end of a process is no failed start.
_LIVED_SECONDS = 60.0
_END_SECONDS = 5.0
_MODULE = "nlq_gateway.models.shared"

_log = logging.getLogger(__name__)


class ModelProcess:
    """A process with the model of some settings; used by one thread of the master.

    It ends with its standard input: when the master closes that, or is gone with all its workers.
    """

    def __init__(
        self, settings: ModelSettings, log: LogSettings | None = None, module: str = _MODULE
    ) -> None:
        """Start nothing yet; `module` is what Python runs, and `log` has the settings of its log."""
        self._settings = settings
        self._module = module
        self._log = log or LogSettings()
        self._folder = Path(tempfile.mkdtemp(prefix="nlq-model-"))
        self._key = secrets.token_bytes(32)
        self._process: subprocess.Popen[str] | None = None
        self._started = 0.0
        self._pause = FIRST_PAUSE_SECONDS

    @property
    def address(self) -> str:
        """The file of its socket."""
        return str(self._folder / "socket")

    def model(self) -> OpenedModel:
        """The model for a worker process; made in that."""
        called = self._settings.name or self._settings.backend
        return OpenedModel(lambda: SharedModel(self.address, self._key), called)

    def look_after(self) -> None:
        """Start it where it is not there; one that ends at once is not started again at once."""
        if self._process is not None:
            if self._process.poll() is None:
                return
            self._ended()
        if self._started and time.monotonic() < self._started + self._pause:
            return
        Path(self.address).unlink(missing_ok=True)
        self._started = time.monotonic()
        self._process = self._launched()

    def stop(self) -> None:
        """End it, and remove its socket."""
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
            try:
                self._process.wait(_END_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._process = None
        shutil.rmtree(self._folder, ignore_errors=True)

    def _launched(self) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", self._module]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=sys.stderr, text=True)
        told = {
            "address": self.address,
            "key": self._key.hex(),
            "name": self._settings.name,
            "device": self._settings.device,
            "log": self._log.model_dump(),
        }
        assert process.stdin is not None
        try:
            process.stdin.write(json.dumps(told) + "\n")
            process.stdin.flush()
        except OSError:
            _log.error("the model's process ended as it was started")
        return process

    def _ended(self) -> None:
        assert self._process is not None
        lived = time.monotonic() - self._started
        if lived > _LIVED_SECONDS:
            self._pause = FIRST_PAUSE_SECONDS
            self._started = 0.0
        else:
            self._pause = min(2 * self._pause, LONGEST_PAUSE_SECONDS)
        _log.error("the model's process %d has ended, and is started again", self._process.pid)
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process = None
