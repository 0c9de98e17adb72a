"""Every error as `application/problem+json` (RFC 9457), and the pages that explain them.

kinds.py       one row for each code: status, title, explanation, remedy
documents.py   an error as a problem document
responses.py   the document as a response; the handlers and pages of the application
catalogue.py   docs/errors.md, written from the tables
"""

from __future__ import annotations

from nlq_gateway.edges.http.problems.documents import code_of, document_of
from nlq_gateway.edges.http.problems.kinds import KINDS
from nlq_gateway.edges.http.problems.responses import MEDIA_TYPE, problem, register

__all__ = ["KINDS", "MEDIA_TYPE", "code_of", "document_of", "problem", "register"]
