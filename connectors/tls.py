"""Certificates for secure connections besides those of the system. Verification is always on."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Tls:
    """Files in PEM: an authority besides the system's, and the gateway's own certificate with its key.

    Without a `key` the file of the certificate holds it too.
    """

    ca: Path | None = None
    certificate: Path | None = None
    key: Path | None = None
    password: str | None = field(default=None, repr=False)

    def context(self) -> ssl.SSLContext:
        """The settings of connections.

        Raises:
            ValueError: a file is missing or not of its kind; the message names the key.
        """
        for name in ("ca", "certificate", "key"):
            file = getattr(self, name)
            if file is not None and not file.is_file():
                raise ValueError(f"tls.{name}: there is no file {file}")
        context = ssl.create_default_context()
        if self.ca is not None:
            with _named("tls.ca: this holds no certificate in PEM"):
                context.load_verify_locations(self.ca)
        if self.certificate is not None:
            # Without a password OpenSSL would prompt at the terminal, and wait.
            password = self.password or ""
            with _named("tls.certificate, tls.key or tls.password: no certificate and its key in PEM"):
                context.load_cert_chain(self.certificate, self.key, lambda: password)
        return context


@contextmanager
def _named(what: str) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        raise ValueError(f"{what} ({getattr(error, 'reason', None) or error})") from None
