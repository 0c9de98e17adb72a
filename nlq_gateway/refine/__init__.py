"""The refine round: a model reads what each step of its program found, and writes the program again.

refine.py    the prompt, the one call, and what came back
standing.py  whether the revised program is better than the first
"""

from __future__ import annotations

from nlq_gateway.refine.refine import Executed, Refiner, Revision, executed_lines
from nlq_gateway.refine.standing import Standing, better

__all__ = ["Executed", "Refiner", "Revision", "Standing", "better", "executed_lines"]
