"""Pins the images of deploy/: `python:3.11` becomes `python:3.11@sha256:...`, the current digest.

Usage: python scripts/pin_images.py [FOLDER]    by default deploy/; look at the diff, and commit it
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

DEPLOY = Path(__file__).parents[1] / "deploy"
NAMED = re.compile(
    r"^(?P<before>FROM +|\s+image: +)(?P<name>(?:[\w.-]+:\d+/)?[a-z][\w./-]*):(?P<tag>[\w.-]+)"
    r"(?:@sha256:[0-9a-f]{64})?(?= |$)",
    re.MULTILINE,
)
# Built here: no registry has them.
OWN = "nlq-"
HUB = "registry-1.docker.io"
ACCEPTED = ", ".join(
    (
        "application/vnd.oci.image.index.v1+json",
        "application/vnd.docker.distribution.manifest.list.v2+json",
        "application/vnd.oci.image.manifest.v1+json",
        "application/vnd.docker.distribution.manifest.v2+json",
    )
)
SECONDS = 30


def digest(name: str, tag: str) -> str:
    """The digest of the image that a registry has under a tag, for all processors; raises OSError."""
    first, _, rest = name.partition("/")
    host, path = (first, rest) if re.search(r"[.:]", first) else (HUB, name if rest else f"library/{name}")
    scheme = "http" if host.startswith("127.0.0.1:") else "https"
    asked = Request(
        f"{scheme}://{host}/v2/{path}/manifests/{tag}", headers={"Accept": ACCEPTED}, method="HEAD"
    )
    try:
        answer = urlopen(asked, timeout=SECONDS)
    except HTTPError as error:
        if error.code != 401:
            raise
        asked.add_header("Authorization", f"Bearer {_token(error.headers['WWW-Authenticate'])}")
        answer = urlopen(asked, timeout=SECONDS)
    with answer:
        return str(answer.headers["Docker-Content-Digest"])


def _token(challenge: str) -> str:
    """The token that a registry gives any client for reading public images."""
    fields = dict(re.findall(r'(\w+)="([^"]*)"', challenge))
    realm = fields.pop("realm")
    with urlopen(f"{realm}?{urlencode(fields)}", timeout=SECONDS) as answer:
        return str(json.load(answer)["token"])


def pinned(text: str) -> str:
    """The text of a Dockerfile or compose file with the digests of now; raises OSError."""

    def pin(match: re.Match[str]) -> str:
        before, name, tag = match.group("before", "name", "tag")
        return match[0] if name.startswith(OWN) else f"{before}{name}:{tag}@{digest(name, tag)}"

    return NAMED.sub(pin, text)


def main(arguments: list[str]) -> None:
    """Write the digests into the files of a folder."""
    folder = Path(arguments[0]) if arguments else DEPLOY
    for file in sorted((*folder.rglob("Dockerfile"), *folder.rglob("compose/*.yaml"))):
        text = file.read_text(encoding="utf-8")
        file.write_text(pinned(text), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
