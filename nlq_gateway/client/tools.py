"""A gateway as a tool of agents: one function, as LangChain, LlamaIndex and their like take it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from compilers.errors import CompilerError
from connectors.errors import EndpointError
from nlq_gateway.client.answer import GatewayAnswer
from nlq_gateway.core.errors import GatewayError

_ABOUT = "Answers a question in plain words from a knowledge graph"
_MOST_EXAMPLES = 5


class Asked(Protocol):
    """An object that answers questions: `nlq_gateway.Gateway` or `nlq_gateway.client.GatewayClient`."""

    def ask(self, question: str, *, dataset: str | None = None) -> GatewayAnswer:
        """The answer."""
        ...


def question_tool(
    gateway: Asked,
    *,
    dataset: str | None = None,
    about: str = "",
    examples: tuple[str, ...] = (),
    name: str = "ask_graph",
) -> Callable[[str], str]:
    """Return a function from a question to the answer in words, or to the reason why there is none.

    Frameworks show its name, docstring and annotations to a model.

    Args:
        gateway: in this process or over HTTP.
        dataset: the graph to ask; the first one if left out.
        about: the content of the graph, in a few words.
        examples: questions that it can answer, such as `Gateway.examples()`.
        name: the name of the tool.
    """

    def tool(question: str) -> str:
        try:
            return str(gateway.ask(question, dataset=dataset))
        except (GatewayError, EndpointError, CompilerError) as error:
            # A model can react to the error; the text differs from that of an empty answer.
            return " ".join(filter(None, (f"The question failed: {error.message}.", error.hint)))

    shown = "; ".join(examples[:_MOST_EXAMPLES])
    tool.__name__ = tool.__qualname__ = name
    tool.__doc__ = f"{_ABOUT}{f' about {about}' if about else ''}.{f' For example: {shown}' if shown else ''}"
    tool.__annotations__ = {"question": str, "return": str}
    return tool
