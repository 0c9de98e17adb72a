"""One spelling for each address, so that a proxy's rule about an address covers every way to it.

A proxy compares paths as text: `location = /metrics` does not match `/metrics/` or `/metric%73`. Such a
spelling must not reach the address.
"""

from __future__ import annotations

import re

from flask import Flask, request
from werkzeug.exceptions import NotFound

# Letters and digits, which no encoder of addresses writes that way (RFC 3986, 2.3).
_NEEDLESS = re.compile(r"%(?:3[0-9]|[46][1-9a-f]|[57][0-9a])", re.IGNORECASE)


def spell_strictly(app: Flask) -> None:
    """Have the routes of `app` answer to their own spelling alone; to be called before they are added."""
    app.url_map.strict_slashes = True
    app.url_map.merge_slashes = False
    app.before_request(_refuse_others)


def _refuse_others() -> None:
    """Raise NotFound for what the routing would read as another path: slashes before it, encoded letters."""
    path, _, _ = str(request.environ.get("RAW_URI", "")).partition("?")
    if request.environ["PATH_INFO"].startswith("//") or _NEEDLESS.search(path):
        raise NotFound("this is another spelling of an address: one slash, letters and digits as they are")
