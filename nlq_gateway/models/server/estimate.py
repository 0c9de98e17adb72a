"""An estimate of a text's number of tokens, without the model's tokenizer."""

from __future__ import annotations

import re

# Parts of one token each: up to four letters, white space, a sign, a character that is not printed. A single
# space belongs to the word after it; some tokenizers split numbers into digits.
_PARTS = re.compile(r"[A-Za-z]{1,4}|(?! (?!\s))\s+|[\x21-\x7e]|[\x00-\x1f\x7f]|([^\x00-\x7f]+)")


def estimated_tokens(text: str) -> int:
    """About how many tokens a text has, rather too many than too few.

    A word has one for every four letters, a digit or sign one, everything else one for every two bytes, as
    rare scripts do. Plain English comes out about a third too high, strings of random letters too low.
    """
    found = _PARTS.findall(text)
    return len(found) + sum(
        -(-len(other.encode("utf-8", "replace")) // 2) - 1 for other in filter(None, found)
    )
