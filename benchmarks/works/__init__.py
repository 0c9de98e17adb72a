"""The graph of a manufacturer as an ERP system has it, the same each time, written as Turtle.

188 tables are classes, their columns attributes, their references relations, and all of them are named by
codes (`F4211`, `SDNTPR`). Half the tables and two columns in five have a comment; what the others mean shows
in their values, in what they lead to, and in the letters that a code keeps of the word.
Questions are in the
words of the business. `python -m benchmarks.works FILE` writes it.
"""

from __future__ import annotations

from benchmarks.works.graph import QUESTIONS, Works, write, write_questions

__all__ = ["QUESTIONS", "Works", "write", "write_questions"]
