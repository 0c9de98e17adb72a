"""Magics for notebooks, by `%load_ext nlq_gateway`.

%nlq films.ttl.gz               opens what `Gateway.open` opens: files, a store's address, a settings file
%nlq --gateway ADDRESS          a gateway over HTTP; credentials are taken from $NLQ_KEY
%nlq NAME                       a `Gateway` or `GatewayClient` that the notebook has made
%%ask answer                    the question in a cell; the answer is kept under the name, if one is given

There is no `%ask` on one line: IPython takes a line that ends with a question mark for a request for help.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any, Protocol, TypeAlias

from nlq_gateway.client.answer import GatewayAnswer
from nlq_gateway.client.gateway import Gateway
from nlq_gateway.client.problems import MissingPackage
from nlq_gateway.client.progress import bars
from nlq_gateway.client.remote import GatewayClient
from nlq_gateway.core.errors import KNOWN_ERRORS, InvalidRequest

_SILENT_SECONDS = 1.0
_HOW = "begin with %nlq films.ttl.gz, the address of a SPARQL store, or --gateway ADDRESS"

AnyGateway: TypeAlias = Gateway | GatewayClient


class Shell(Protocol):
    """The part of IPython's `InteractiveShell` that is used."""

    user_ns: dict[str, Any]

    def register_magic_function(self, func: Callable[..., Any], magic_kind: str, magic_name: str) -> None:
        """Make a magic of a function."""


class AskMagics:
    """The gateway that a notebook asks, and the magics that use it."""

    def __init__(self, shell: Shell) -> None:
        """Register the magics at the shell."""
        self._shell = shell
        self._gateway: AnyGateway | None = None
        self._own = False
        shell.register_magic_function(self.nlq, "line", "nlq")
        shell.register_magic_function(self.ask, "cell", "ask")

    def nlq(self, line: str) -> AnyGateway:
        """%nlq SOURCE... opens a graph for %%ask; %nlq --gateway ADDRESS takes a gateway over HTTP."""
        with _told():
            opened, own = self._opened(shlex.split(line))
            self.close()
        self._gateway, self._own = opened, own
        return opened

    def ask(self, line: str, cell: str) -> GatewayAnswer:
        """%%ask [NAME], with the question in the cell: the answer, kept under the name if there is one."""
        name = line.strip()
        with _told():
            if self._gateway is None:
                raise InvalidRequest("no graph is open", hint=_HOW)
            if name and not name.isidentifier():
                raise InvalidRequest(f"%%ask {name}: a name for the answer is expected", hint="%%ask answer")
            answer = self._gateway.ask(cell.strip())
        if name:
            self._shell.user_ns[name] = answer
        return answer

    def close(self) -> None:
        """Close the gateway, if a magic opened it."""
        if self._gateway is not None and self._own:
            self._gateway.close()
        self._gateway = None

    def _opened(self, words: list[str]) -> tuple[AnyGateway, bool]:
        """The gateway that the words name, and whether it was opened for them."""
        match words:
            case []:
                raise InvalidRequest("no graph is named", hint=_HOW)
            case ["--gateway", address]:
                return GatewayClient(address, key=os.environ.get("NLQ_KEY", "")), True
            case [name] if isinstance(made := self._shell.user_ns.get(name), Gateway | GatewayClient):
                return made, False
            case [option, *_] if option.startswith("-"):
                raise InvalidRequest(f"%nlq {option}: a source is expected", hint=_HOW)
            case _:
                with bars(_SILENT_SECONDS, always=True) as progress:
                    return Gateway.open(*words, progress=progress), True


@contextmanager
def _told() -> Iterator[None]:
    """Around a magic: known errors are shown by their message, without a traceback."""
    try:
        yield
    except KNOWN_ERRORS as error:
        from IPython.core.error import UsageError

        hint = f" ({error.hint})" if error.hint else ""
        raise UsageError(f"{error.message}{hint}") from error


_loaded: dict[int, AskMagics] = {}


def load_ipython_extension(shell: Shell) -> None:
    """Give a notebook `%nlq` and `%%ask`, and data frames `frame.nlq` where pandas is installed."""
    _loaded[id(shell)] = AskMagics(shell)
    with suppress(MissingPackage):
        import_module("nlq_gateway.client.accessor")


def unload_ipython_extension(shell: Shell) -> None:
    """Close what the magics opened."""
    if magics := _loaded.pop(id(shell), None):
        magics.close()
