"""Writing RDF terms in SPARQL, one function per kind, safe for any content.

https://www.w3.org/TR/sparql11-query/#sparqlGrammar, productions 139 (IRIREF), 169 (PN_LOCAL) and
156 (STRING_LITERAL2).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from compilers.algebra import Literal
from compilers.errors import UnsafeQuery
from compilers.layouts.vocabulary import XSD

_UNSAFE_IN_IRI = re.compile(r'[\x00-\x20<>"{}|^`\\\x7f-\x9f\ud800-\udfff]')
_UNSAFE_IN_COMMENT = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_LIKE_CODE_POINT = re.compile(r"\\\\([uU])")
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_LETTER = "A-Za-z0-9_\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff"
# A dot is allowed inside a local name, but Oxigraph 0.5 fails on `e:J.C._Nugent`.
_LOCAL_NAME = re.compile(f"[{_LETTER}][{_LETTER}-]*")
# RFC 5646, section 2.1. SPARQL's own production takes more, such as a lone `x`, but Oxigraph does not.
_LANGUAGE = re.compile(
    r"""(?:[A-Z]{2,3}(?:-[A-Z]{3}){0,3}|[A-Z]{4,8})   # language, with extensions of it
    (?:-[A-Z]{4})?(?:-(?:[A-Z]{2}|[0-9]{3}))?         # script, region
    (?:-(?:[A-Z0-9]{5,8}|[0-9][A-Z0-9]{3}))*          # variants
    (?:-[A-WYZ0-9](?:-[A-Z0-9]{2,8})+)*               # extensions
    (?:-X(?:-[A-Z0-9]{1,8})+)?                        # private use
    |X(?:-[A-Z0-9]{1,8})+""",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
_ESCAPES = str.maketrans(
    {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
)
_BARE_NUMBERS = {XSD + "integer": re.compile(r"-?[0-9]+"), XSD + "decimal": re.compile(r"-?[0-9]+\.[0-9]+")}


def write_iri(iri: str, prefixes: Mapping[str, str], used: set[str]) -> str:
    """The IRI as a prefixed name where that is plain to read, else in angle brackets.

    `prefixes` maps namespaces to prefixes; those applied are added to `used`. Raises UnsafeQuery for
    an IRI that SPARQL cannot state.
    """
    if _UNSAFE_IN_IRI.search(iri) or not _ABSOLUTE.match(iri):
        raise UnsafeQuery(f"{iri!r} is not an IRI that SPARQL can state", hint="check the graph's IRIs")
    cut = max(iri.rfind("#"), iri.rfind("/"), iri.rfind(":")) + 1
    namespace, local = iri[:cut], iri[cut:]
    if namespace in prefixes and _LOCAL_NAME.fullmatch(local):
        used.add(namespace)
        return f"{prefixes[namespace]}:{local}"
    return f"<{iri}>"


def write_literal(literal: Literal, prefixes: Mapping[str, str], used: set[str]) -> str:
    """The literal, bare for integers, decimals and booleans, else quoted with its tag or datatype."""
    if literal.datatype == XSD + "boolean" and literal.lexical in ("true", "false"):
        return literal.lexical
    bare = _BARE_NUMBERS.get(literal.datatype or "")
    if bare is not None and bare.fullmatch(literal.lexical):
        return literal.lexical
    text = write_string(literal.lexical)
    if literal.language:
        if not _LANGUAGE.fullmatch(literal.language):
            raise UnsafeQuery(
                f"{literal.language!r} is not a language tag", hint="use a BCP 47 tag such as en"
            )
        return f"{text}@{literal.language}"
    return text if literal.datatype is None else f"{text}^^{write_iri(literal.datatype, prefixes, used)}"


def write_string(text: str) -> str:
    r"""A quoted string that no content can break out of; raises UnsafeQuery for NUL and lone surrogates.

    A `u` behind a backslash is written as a code point, because parsers that expand code points before
    anything else (SPARQL 1.1, 19.2) would take `\\u0022` for a quotation mark.
    """
    if "\x00" in text or any("\ud800" <= char <= "\udfff" for char in text):
        raise UnsafeQuery(
            "a text holds characters that no store takes", hint="remove NUL and broken characters"
        )
    escaped = text.translate(_ESCAPES)
    return f'"{_LIKE_CODE_POINT.sub(_spelled_out, escaped)}"'


def _spelled_out(match: re.Match[str]) -> str:
    return f"\\\\\\U{ord(match[1]):08X}"


def write_comment(text: str) -> str:
    """A comment that ends with its line for any text: without line breaks, escaped or not."""
    line = _UNSAFE_IN_COMMENT.sub("\ufffd", " ".join(text.split()))
    return "# " + line.replace("\\u", "\\ u").replace("\\U", "\\ U")
