"""The tokenizer of the shared encoder."""

from __future__ import annotations

from pathlib import Path

from tokenizers import Tokenizer

from nlq_gateway.core.errors import ModelDamaged

_FILE = Path(__file__).with_name("tokenizer.json")


def open_tokenizer(longest: int, file: Path = _FILE) -> Tokenizer:
    """A new tokenizer, which cuts texts after `longest` tokens; safe to share between threads.

    Raises:
        ModelDamaged: when its file cannot be read.
    """
    try:
        tokenizer = Tokenizer.from_str(file.read_text("utf-8"))
    except Exception as error:  # the library raises nothing narrower
        raise ModelDamaged(
            f"{file} is not a tokenizer's file: {error}.", hint="Install the package again."
        ) from error
    tokenizer.no_padding()
    tokenizer.enable_truncation(longest)
    return tokenizer
