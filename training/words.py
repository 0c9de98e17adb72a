"""Writes the vocabulary of a network's training: that of the current language.

    python -m training.words

The shipped network has the vocabulary of its training, so run this before training from scratch, and pack
the model file after it.
"""

from __future__ import annotations

from pathlib import Path

from nlq_gateway.drafts.drafter.vocabulary import FILE, words_of_the_language


def main() -> None:
    """Write the file."""
    Path(str(FILE)).write_text("\n".join(words_of_the_language()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
