"""The keys about what the server writes into its log."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from nlq_gateway.settings.section import Section


class LogSettings(Section):
    """What the server writes to standard error."""

    format: Literal["text", "json"] = Field(
        default="text", description="text, or json: one JSON object a line, for collectors"
    )
    level: Literal["debug", "info", "warning", "error"] = Field(
        default="warning", description="what is written at least; from info on, one line a request"
    )
    questions: bool = Field(default=False, description="whether these lines have the text of questions")
