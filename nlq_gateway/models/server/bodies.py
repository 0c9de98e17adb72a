"""What is sent: the two kinds of requests that ask for text, and the ways to send a grammar."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from nlq_gateway.models.base import Prompt, Sampling
from nlq_gateway.models.server.findings import Findings

Body = dict[str, object]

COMPLETIONS = "/completions"
CHAT = "/chat/completions"
MODELS = "/models"


# What servers may read as the end of a turn or of a text, wherever a question or a name spells it so.
_SPECIAL = re.compile(r"<(?=\||/?s>)")


def _plain(text: str) -> str:
    """The text, with nothing in it that a server takes for more than text."""
    return _SPECIAL.sub("< ", text)


def _messages(prompt: Prompt) -> list[dict[str, str]]:
    system = [{"role": "system", "content": _plain(prompt.prefix)}] if prompt.prefix.strip() else []
    return [*system, {"role": "user", "content": _plain(prompt.body)}]


# By path: what stands for the prompt, and what asks for log-probabilities.
_FORMS: Mapping[str, Callable[[Prompt], Body]] = {
    COMPLETIONS: lambda prompt: {"prompt": _plain(prompt.text), "logprobs": 1},
    CHAT: lambda prompt: {"messages": _messages(prompt), "logprobs": True},
}
# vLLM has `structured_outputs` since 0.11 and nothing else since 0.12; llama.cpp has `grammar`.
GRAMMARS: Mapping[str, Callable[[str], Body]] = {
    "structured_outputs": lambda grammar: {"structured_outputs": {"grammar": grammar}},
    "grammar": lambda grammar: {"grammar": grammar},
}


def writing(findings: Findings, prompt: Prompt, sampling: Sampling, count: int, grammar: str | None) -> Body:
    """A request for so many texts, as a stream; without the grammar where the server knows none.

    What would bend the model's own probabilities is switched off: some servers take their defaults for it
    from the model's files, and a penalty for repetition spoils names that are copied from the prompt.
    """
    body: Body = {
        "model": findings.model,
        "stream": True,
        "stream_options": {"include_usage": True},
        "temperature": sampling.temperature,
        "top_p": 1.0,
        "repetition_penalty": 1.0,
        "max_tokens": sampling.max_tokens,
        "seed": sampling.seed,
        **_FORMS[findings.path](prompt),
    }
    if sampling.temperature:
        body["top_k"] = sampling.top_k
    if sampling.stop:
        body["stop"] = list(sampling.stop)
    if count > 1:
        body["n"] = count
    if grammar is not None and findings.grammar is not None:
        body |= GRAMMARS[findings.grammar](grammar)
    return body
