"""The tokens that a grammar allows next, by xgrammar (Dong et al., "XGrammar", 2024)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import xgrammar

from nlq_gateway.models.errors import ModelRefused

# The cache of compiled grammars, from which the least recently used are dropped.
_BYTES = 256 * 2**20
# The time and the place in its own code that xgrammar puts before a message.
_ORIGIN = re.compile(r"^\[[\d:]+\] \S+:\d+: ")


class Grammars:
    """Compiles grammars for one tokenizer; safe to share between threads."""

    def __init__(self, tokenizer: Any, words: int, ends: Sequence[int]) -> None:
        found = xgrammar.TokenizerInfo.from_huggingface(
            tokenizer, vocab_size=words, stop_token_ids=list(ends)
        )
        # A token without letters is never allowed: special tokens would else match by their names.
        spelt = list(found.decoded_vocab)
        for token in _special(tokenizer):
            if token < len(spelt):
                spelt[token] = b""
        info = xgrammar.TokenizerInfo(
            spelt,
            xgrammar.VocabType.RAW,
            vocab_size=words,
            stop_token_ids=list(ends),
            add_prefix_space=found.add_prefix_space,
        )
        self._words = words
        self._compiler = xgrammar.GrammarCompiler(info, cache_limit_bytes=_BYTES)
        self._filler = xgrammar.BatchGrammarMatcher()

    def compiled(self, grammar: str) -> Any:
        """The grammar, ready to be followed.

        Raises:
            ModelRefused: It is none; the message is xgrammar's.
        """
        try:
            return self._compiler.compile_grammar(grammar)
        except (RuntimeError, ValueError) as error:
            fault = _ORIGIN.sub("", str(error)).strip()
            raise ModelRefused(
                f"the grammar does not compile: {fault}", hint="the start rule is `root`"
            ) from error

    def matcher(self, compiled: Any) -> Any:
        """Return the state of one text in the grammar, before its first token."""
        return xgrammar.GrammarMatcher(compiled)

    def complete(self, compiled: Any, text: str) -> bool:
        """True if the grammar accepts the text as a whole, not only as a beginning."""
        matcher = self.matcher(compiled)
        return bool(matcher.accept_string(text) and matcher.is_completed())

    def masks(self, matchers: Sequence[Any | None]) -> Any:
        """A bit for every token of every row, set where it is allowed; all are for a row without a matcher.

        It is computed on the CPU and without the interpreter's lock, while the forward pass is under way.
        """
        rows = [row for row, matcher in enumerate(matchers) if matcher is not None]
        bits = xgrammar.allocate_token_bitmask(len(matchers), self._words)
        self._filler.batch_fill_next_token_bitmask([matchers[row] for row in rows], bits, rows)
        return bits


def _special(tokenizer: Any) -> set[int]:
    added = {token for token, added in tokenizer.added_tokens_decoder.items() if added.special}
    return added | set(tokenizer.all_special_ids)
