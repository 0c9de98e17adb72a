"""An estimate of a text's number of tokens, without the model's tokenizer."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

_PARTS = re.compile(
    r"(?P<word>[A-Za-z]+)|(?P<space>[ ](?=\w)|\s+)|(?P<sign>[\x21-\x7e])|(?P<other>[^\x00-\x7f]+)|(?P<rest>.)"
)
# Tokens of a part. A space before a word belongs to the word's token; some tokenizers split numbers into
# digits; text outside ASCII has a token for two bytes, as rare scripts do.
_TOKENS: Mapping[str, Callable[[str], int]] = {
    "word": lambda part: -(-len(part) // 4),
    "space": lambda part: 0 if part == " " else 1,
    "sign": lambda _: 1,
    "other": lambda part: -(-len(part.encode("utf-8", "replace")) // 2),
    "rest": lambda _: 1,
}


def estimated_tokens(text: str) -> int:
    """About how many tokens a text has, rather too many than too few.

    A word has one for every four letters, a digit or sign one, everything else one for every two bytes.
    Plain English comes out about a third too high, strings of random letters too low.
    """
    return sum(_TOKENS[found.lastgroup](found.group()) for found in _PARTS.finditer(text) if found.lastgroup)
