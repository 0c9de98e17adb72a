"""The refine round: a model reads what each step of its program found, and writes the program again.

refine.py  the prompt, the one call, and what came back
"""

from __future__ import annotations

from nlq_gateway.drafts.refine.refine import ExecutedProgram, Refiner, executed_lines

__all__ = ["ExecutedProgram", "Refiner", "executed_lines"]
