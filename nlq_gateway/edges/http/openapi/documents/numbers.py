"""Numbers with their bounds."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

StepNumber = Annotated[int, Field(ge=1)]
Count = Annotated[int, Field(ge=0)]
Probability = Annotated[float, Field(ge=0, le=1)]
Milliseconds = Annotated[float, Field(ge=0)]
