"""The keys about what the server writes into its log."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from nlq_gateway.settings.section import Section


class LogSettings(Section):
    """The log on standard error."""

    format: Literal["text", "json"] = Field(
        default="text", description="text, or json: one JSON object a line, for collectors"
    )
    level: Literal["debug", "info", "warning", "error"] = Field(
        default="warning", description="minimum level of records; at info, one line per request"
    )
    questions: bool = Field(default=False, description="true: request lines contain the questions")
