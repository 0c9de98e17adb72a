"""The graph of an office building as in facility management, the same each time, written as Turtle.

Its vocabulary is its own, and modelled like Brick: deep class hierarchies with members only in the lowest
classes; points of equipment, equipment that feeds rooms, rooms that are parts of floors. Areas, ratings,
readings and the references to time series are on blank nodes, and most things are named by their IRIs
alone. `python -m benchmarks.building FILE` writes it.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.building.graph import turtle, write

QUESTIONS = Path(__file__).with_name("questions.jsonl")

__all__ = ["QUESTIONS", "turtle", "write"]
