"""Writes the vocabulary of a network's training: that of the current language.

    python -m training.words

The shipped network has the vocabulary of its training, so run this before a training, and pack the model file
after it. Words that are new come last, so that a network that is trained onward keeps the numbers of its own.
"""

from __future__ import annotations

from pathlib import Path

from compilers.kopl.functions import FUNCTIONS
from nlq_gateway.drafts.drafter.vocabulary import BEGIN, END, FILE, FILLED, NUMBERS, PAD, REFERENCES, WORDS


def words_of_the_language() -> tuple[str, ...]:
    """The words that a network is trained with: the shipped one's, and those of functions added since."""
    functions = FUNCTIONS.values()
    choices = (choice for one in functions for parameter in one.parameters for choice in parameter.choices)
    return (*dict.fromkeys((*WORDS, PAD, BEGIN, END, *FUNCTIONS, *choices, *NUMBERS, *REFERENCES, *FILLED)),)


def main() -> None:
    """Write the file."""
    Path(str(FILE)).write_text("\n".join(words_of_the_language()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
