"""The graph of an office building as building management has it, the same each time, written as Turtle.

Its vocabulary is its own, and modelled as Brick is: classes deep below one another, of which only the lowest
have members; points of equipment, equipment that feeds rooms, rooms that are parts of floors. Areas, ratings,
readings and the references to time series stand behind blank nodes, and most things are named by their IRIs
alone. `python -m benchmarks.building FILE` writes it.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.building.graph import turtle, write

QUESTIONS = Path(__file__).with_name("questions.jsonl")

__all__ = ["QUESTIONS", "turtle", "write"]
