"""Request bodies: the two kinds of requests for text, and the parameters for a grammar or a schema."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping

from nlq_gateway.models.base import ModelRequest, Prompt, Tool, Turn
from nlq_gateway.models.calls import calls_in
from nlq_gateway.models.server.findings import Findings
from nlq_gateway.models.server.options import ServerOptions

Body = dict[str, object]

COMPLETIONS = "/completions"
CHAT = "/chat/completions"
MODELS = "/models"


# Markup that servers may read as the end of a turn or a text, even inside a question or a name.
_SPECIAL = re.compile(r"<(?=\||/?s>)")


def _plain(text: str) -> str:
    """The text, with the markup of special tokens broken up."""
    return _SPECIAL.sub("< ", text)


def _messages(prompt: Prompt) -> list[Body]:
    system = [_message("system", prompt.prefix)] if prompt.prefix.strip() else []
    arguments = {tool.name: tool.argument for tool in prompt.tools}
    turns = (one for at, turn in enumerate(prompt.turns) for one in _exchange(turn, at, arguments))
    return [*system, _message("user", prompt.body), *turns]


def _message(role: str, text: str, **more: object) -> Body:
    return {"role": role, "content": _plain(text), **more}


def _exchange(turn: Turn, at: int, arguments: Mapping[str, str]) -> Iterator[Body]:
    """The messages of a turn: its calls as calls where tools are offered, else all of it as texts."""
    calls = calls_in(turn.said) if arguments else ()
    if not calls:
        yield _message("assistant", turn.said)
        yield _message("user", turn.results)
        return
    ids = [f"look_{at}_{number}" for number in range(len(calls))]
    made = (
        (call.tool, json.dumps({arguments.get(call.tool, "text"): _plain(call.argument)}, ensure_ascii=False))
        for call in calls
    )
    functions: list[Body] = [{"name": name, "arguments": given} for name, given in made]
    called = zip(ids, functions, strict=True)
    tool_calls = [{"id": id_, "type": "function", "function": function} for id_, function in called]
    yield {"role": "assistant", "content": None, "tool_calls": tool_calls}
    for id_, told in zip(ids, turn.told, strict=True):
        yield _message("tool", told, tool_call_id=id_)


def _offered(tool: Tool) -> Body:
    schema: Body = {
        "type": "object",
        "properties": {tool.argument: {"type": "string", "description": tool.meaning}},
        "required": [tool.argument],
        "additionalProperties": False,
    }
    function = {"name": tool.name, "description": tool.description, "parameters": schema}
    return {"type": "function", "function": function}


# By path: the members for the prompt, and those that request log-probabilities.
_FORMS: Mapping[str, Callable[[Prompt], Body]] = {
    COMPLETIONS: lambda prompt: {"prompt": _plain(prompt.text), "logprobs": 1},
    CHAT: lambda prompt: {"messages": _messages(prompt), "logprobs": True},
}
# In the order in which they are tried. vLLM has `structured_outputs` since 0.11 and nothing else since 0.12,
# `guided_grammar` before; llama.cpp has `grammar`, SGLang `ebnf`.
GRAMMARS: Mapping[str, Callable[[str], Body]] = {
    "structured_outputs": lambda grammar: {"structured_outputs": {"grammar": grammar}},
    "grammar": lambda grammar: {"grammar": grammar},
    "ebnf": lambda grammar: {"ebnf": grammar},
    "guided_grammar": lambda grammar: {"guided_grammar": grammar},
}
_TOOL = "write_program"
# For servers without grammars, most of them clouds (OpenAI API reference, structured outputs).
SCHEMAS: Mapping[str, Callable[[object], Body]] = {
    "response_format": lambda schema: {
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "program", "strict": True, "schema": schema},
        }
    },
    "tools": lambda schema: {
        "tools": [
            {
                "type": "function",
                "function": {"name": _TOOL, "description": "The program.", "parameters": schema},
            }
        ],
        "tool_choice": {"type": "function", "function": {"name": _TOOL}},
    },
}


def binds(findings: Findings, request: ModelRequest) -> str:
    """The server's parameter that binds the texts of a request: to its grammar, else its schema; or ""."""
    if request.grammar is not None and findings.grammar is not None:
        return findings.grammar
    return findings.schema if request.schema is not None and findings.schema is not None else ""


def _binding(findings: Findings, request: ModelRequest) -> Body:
    """The parameter with its value."""
    way = binds(findings, request)
    if way in GRAMMARS:
        return GRAMMARS[way](request.grammar or "")
    return SCHEMAS[way](json.loads(request.schema or "{}")) if way else {}


def writing(findings: Findings, options: ServerOptions, request: ModelRequest) -> Body:
    """A request for so many texts, as a stream; unbound where the server follows neither grammar nor schema.

    What would bend the model's own probabilities is switched off: some servers take their defaults for it
    from the model's files, and a penalty for repetition spoils names that are copied from the prompt. A
    model that thinks has no stops, and as many tokens as there may be: its answer is ended when it is read.
    """
    prompt, sampling = request.prompt, request.sampling
    body: Body = {
        "model": findings.model,
        "stream": True,
        "stream_options": {"include_usage": True},
        "temperature": sampling.temperature,
        "top_p": 1.0,
        "repetition_penalty": 1.0,
        "max_tokens": options.max_tokens if findings.thinks else min(sampling.max_tokens, options.max_tokens),
        "seed": sampling.seed,
        **_FORMS[findings.path](prompt),
    }
    if sampling.temperature:
        body["top_k"] = sampling.top_k
    if sampling.stop and not findings.thinks:
        body["stop"] = list(sampling.stop)
    if request.samples > 1:
        body["n"] = request.samples
    if options.reasoning != "none":
        body["reasoning_effort"] = options.reasoning
    if prompt.tools:
        body["tools"] = list(map(_offered, prompt.tools))
    return body | _binding(findings, request) | options.extra
