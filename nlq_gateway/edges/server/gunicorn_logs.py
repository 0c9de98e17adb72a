"""gunicorn's records, written as all others (`nlq_gateway.settings.logs`)."""

from __future__ import annotations

from typing import Any

from gunicorn.glogging import Logger


class GunicornLogs(Logger):  # type: ignore[misc]
    """gunicorn's own records go the way of all others."""

    def setup(self, cfg: Any) -> None:
        """Called by gunicorn, in place of its own handlers."""
        self.cfg = cfg
        self._access_log_enabled = False
        self.error_log.propagate = True

    def reopen_files(self) -> None:
        """Do nothing: there are no files."""

    def close_on_exec(self) -> None:
        """Do nothing: there are no files."""
