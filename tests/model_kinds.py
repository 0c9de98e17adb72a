"""Servers of language models as they are met: a process each, whose model writes one program.

`python model_kinds.py KIND` serves until its input is closed, and prints its address.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from protocol_server import Asked, Manners, ProtocolServer

AS_STEPS = " Find(Pulp Fiction)\nStep 2: Relate(directed by, forward)\nStep 3: What()"
AS_JSON = json.dumps(
    {
        "steps": [
            {"function": "Find", "name": "Pulp Fiction", "from": []},
            {"function": "Relate", "relation": "directed by", "direction": "forward", "from": [1]},
            {"function": "What", "from": [2]},
        ]
    }
)
# A program that names what the graph does not have, and the looks that lead to another.
AT_FIRST = " Find(Pulp Fiction)\nStep 2: Relate(zzyzx, forward)\nStep 3: What()"
_LOOKS = (
    (("find", {"words": "director"}), ("describe", {"name": "Pulp Fiction"})),
    (("run", {"program": f"Step 1:{AS_STEPS}"}),),
)
_CHAT = ("/chat/completions",)
# What a cloud refuses by name that the gateway sends to others.
_OF_OTHERS = (
    *("structured_outputs", "grammar", "ebnf", "guided_grammar"),
    *("top_k", "repetition_penalty", "reasoning_content"),
)
SECRET = "azure-secret"


def _writes(asked: Asked) -> str:
    bound_by_schema = "response_format" in asked.body or "tools" in asked.body
    return AS_JSON if bound_by_schema else AS_STEPS


def _explores(asked: Asked) -> str:
    told = [one for one in asked.body.get("messages", ()) if one["role"] == "tool"]
    return AS_STEPS if told else AT_FIRST


def _calls(asked: Asked) -> Sequence[tuple[str, Mapping[str, str]]]:
    """A word that is to be noted, else the next looks; none where all were taken."""
    if asked.body["tools"][0]["function"]["name"] == "note":
        return [("note", {"word": asked.prompt.split()[3]})]
    taken = sum(one["role"] == "assistant" and "tool_calls" in one for one in asked.body["messages"])
    return _LOOKS[taken] if taken < len(_LOOKS) else ()


KINDS: Mapping[str, Manners] = {
    "vllm": Manners(
        _writes, grammar="structured_outputs", bound=f"Step 1:{AS_STEPS}", scores="prompt_logprobs"
    ),
    "llamacpp": Manners(_writes, grammar="grammar", bound=f"Step 1:{AS_STEPS}", lists_models=True),
    "sglang": Manners(_writes, grammar="ebnf", bound=f"Step 1:{AS_STEPS}", scores="echo"),
    "vllm before 0.11": Manners(_writes, grammar="guided_grammar", bound=f"Step 1:{AS_STEPS}", scores="echo"),
    "cloud": Manners(
        _writes,
        paths=_CHAT,
        refuses=(*_OF_OTHERS, "logprobs", "response_format", "tools"),
        log_probabilities=False,
    ),
    "cloud with schemas": Manners(_writes, paths=_CHAT, refuses=_OF_OTHERS, schema="response_format"),
    "tools": Manners(_writes, paths=_CHAT, refuses=(*_OF_OTHERS, "response_format"), schema="tools"),
    "calls": Manners(
        _explores, paths=_CHAT, refuses=(*_OF_OTHERS, "response_format", "tool_choice"), calls=_calls
    ),
    "thinks aloud": Manners(_writes, paths=_CHAT, refuses=_OF_OTHERS, thoughts="content"),
    "thinks beside": Manners(_writes, paths=_CHAT, refuses=_OF_OTHERS, thoughts="field"),
    "thinks in secret": Manners(
        _writes,
        paths=_CHAT,
        refuses=(*_OF_OTHERS, "max_tokens", "temperature", "top_p", "stop", "logprobs"),
        thoughts="hidden",
    ),
    "azure": Manners(
        _writes,
        paths=_CHAT,
        refuses=_OF_OTHERS,
        lists_models=False,
        query={"api-version": "2024-10-21"},
        header=("api-key", SECRET),
        root="/openai/deployments/tiny",
    ),
}


@contextmanager
def running(kind: str) -> Iterator[str]:
    """The address of a server of this kind, in a process of its own."""
    command = [sys.executable, __file__, kind]
    folder = Path(__file__).parent
    with subprocess.Popen(
        command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def main(kind: str) -> None:
    """Serve until the input is closed."""
    server = ProtocolServer(KINDS[kind])
    print(server.url.removesuffix("/v1") + KINDS[kind].root, flush=True)
    sys.stdin.read()
    server.close()


if __name__ == "__main__":
    main(sys.argv[1])
