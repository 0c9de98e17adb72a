"""Links the words of a question to items of the graph, and reads the values it states."""

from __future__ import annotations

from nlq_gateway.question.linking.linker import Linker

__all__ = ["Linker"]
