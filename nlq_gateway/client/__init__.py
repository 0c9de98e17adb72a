"""The gateway for Python programs: in their process, over HTTP, and in notebooks, with the same answers.

gateway.py       the gateway in this process
remote.py        clients of a gateway that runs elsewhere, sync and async
calls.py         their requests, and how responses are read
documents.py     responses that are dictionaries
options.py       the keyword arguments of all three
problems.py      the errors that a gateway reports over HTTP
answer.py        an answer, and a compiled program
sheet.py         its table as columns of one type each
frame.py         the same for pandas
rich.py          the same for notebooks; answer.html is its template
plain.py         the same for terminals
progress.py      bars while a graph is opened for the first time
tools.py         a function of one question, as frameworks of agents take it
accessor.py      questions to a pandas data frame
notebook.py      the magics of `%load_ext nlq_gateway`
"""

from __future__ import annotations

from nlq_gateway.client.answer import Compilation, GatewayAnswer
from nlq_gateway.client.problems import GatewayProblem, GatewayUnreachable
from nlq_gateway.client.remote import AsyncGatewayClient, GatewayClient
from nlq_gateway.client.tools import question_tool

__all__ = [
    "AsyncGatewayClient",
    "Compilation",
    "GatewayAnswer",
    "GatewayClient",
    "GatewayProblem",
    "GatewayUnreachable",
    "question_tool",
]
