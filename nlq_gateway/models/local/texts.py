"""Texts to tokens and back.

Prefix and body are made into tokens apart, so that the prefix has the same tokens before every body and its
keys and values can be kept. The consequence: no token reaches across the border. The model reads the same
text in slightly other tokens than if it were one, so a prefix should end where a token ends anyway, as at a
line's end; what a chat template puts between the two does so. A continuation that is scored begins a new
token, too.

Special tokens are the template's alone. Questions and names of a graph may spell them, and would else end the
user's turn and begin another: they are broken in two by a space.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from jinja2 import TemplateError

from nlq_gateway.models.base import Prompt
from nlq_gateway.models.errors import ModelRefused

_PREFIXES = 16
# A text that no prompt has: where it comes out of the template is where the user's message goes.
_PLACE = "\ue0008c1f\ue001"


class ModelTokenizer:
    """A model's tokenizer; `ends` are the tokens that end a text. Safe to share between threads."""

    def __init__(self, tokenizer: Any, ends: Sequence[int]) -> None:
        self._tokenizer = tokenizer
        self._chats = bool(tokenizer.chat_template)
        self.ends = frozenset(ends)
        begun = tokenizer("a").input_ids
        self._begin = begun[:1] if begun[0] == tokenizer.bos_token_id else []
        self._special = _spelled(tokenizer)
        # Prefixes are repeated, and are the largest part of prompts.
        self._of_prefix = lru_cache(_PREFIXES)(self._tokens)
        self._head = lru_cache(_PREFIXES)(self._before_user)

    def prompt(self, prompt: Prompt) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The tokens of the prefix and those of the body; a chat model's with its template around them.

        Raises:
            ModelRefused: There is nothing to read.
        """
        plain = Prompt(self._plain(prompt.prefix), self._plain(prompt.rest))
        if self._chats:
            prefix, body = self._rendered(plain)
            found = self._of_prefix(prefix), self._tokens(body)
        else:
            found = (*self._begin, *self._of_prefix(plain.prefix)), self._tokens(plain.body)
        if not any(found):
            raise ModelRefused("the prompt is empty")
        return found

    def tokens(self, text: str) -> tuple[int, ...]:
        """Return the text's tokens without special tokens, such as those for begin and end."""
        return self._tokens(self._plain(text))

    def text(self, tokens: Sequence[int]) -> str:
        """Decode tokens, skipping special ones."""
        found: str = self._tokenizer.decode(
            list(tokens), skip_special_tokens=True, clean_up_tokenization_spaces=False
        )
        return found

    def _tokens(self, text: str) -> tuple[int, ...]:
        return tuple(self._tokenizer(text, add_special_tokens=False).input_ids)

    def _plain(self, text: str) -> str:
        """The text with a space behind the first letter of whatever would be read as a special token."""
        return self._special.sub(lambda found: f"{found[0][0]} {found[0][1:]}", text)

    def _rendered(self, prompt: Prompt) -> tuple[str, str]:
        """The prompt as messages, cut where the user's message begins."""
        whole = self._template(prompt.prefix, prompt.body)
        head = self._head(prompt.prefix)
        return (head, whole.removeprefix(head)) if whole.startswith(head) else ("", whole)

    def _before_user(self, prefix: str) -> str:
        return self._template(prefix, _PLACE).partition(_PLACE)[0]

    def _template(self, system: str, user: str) -> str:
        """The template's text for two messages, or for one where it has no place for a system message."""
        if not system:
            return self._messages({"user": user})
        try:
            found = self._messages({"system": system, "user": user})
        except TemplateError:
            found = ""
        return found if system.strip() in found else self._messages({"user": system + user})

    def _messages(self, said: dict[str, str]) -> str:
        found: str = self._tokenizer.apply_chat_template(
            [{"role": role, "content": content} for role, content in said.items()],
            tokenize=False,
            add_generation_prompt=True,
            # Templates that know the word let the model think aloud first; only the answer is wanted.
            enable_thinking=False,
        )
        return found


def _spelled(tokenizer: Any) -> re.Pattern[str]:
    """Return a pattern of special tokens' spellings, longest first; without any it matches nothing."""
    added = (one.content for one in tokenizer.added_tokens_decoder.values() if one.special)
    spelled = {text for text in (*added, *tokenizer.all_special_tokens) if text}
    longest_first = sorted(spelled, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest_first)) or r"(?!)")


def cut(text: str, stops: Sequence[str]) -> str | None:
    """Return the text before the first stop in it, or None."""
    places = [at for stop in stops if (at := text.find(stop)) >= 0]
    return text[: min(places)] if places else None
