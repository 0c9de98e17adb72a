"""Parts of IRIs."""

from __future__ import annotations


def local_name(iri: str) -> str:
    """The readable end of an IRI: the part after the last `#`, `/` or `:`, with blanks for `_`."""
    end = iri.rstrip("/#")
    return end[max(end.rfind("#"), end.rfind("/"), end.rfind(":")) + 1 :].replace("_", " ") or iri


def iri_in(name: str) -> str:
    """The IRI that a name in angle brackets is, else ""."""
    return name[1:-1] if name.startswith("<") and name.endswith(">") else ""
