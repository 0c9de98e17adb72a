"""The magics, in IPython's own shell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from nlq_gateway import Gateway
from nlq_gateway.client.notebook import AskMagics

pytest.importorskip("IPython")

QUESTION = "Who directed Pulp Fiction?"


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A shell that has loaded the extension, and keeps no history on disk."""
    monkeypatch.setenv("NLQ_KEY", "")
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    shell = InteractiveShell(config=Config({"HistoryManager": {"enabled": False}}))
    assert shell.extension_manager.load_extension("nlq_gateway") is None
    yield shell
    shell.extension_manager.unload_extension("nlq_gateway")


def ran(shell: Any, cell: str) -> Any:
    """The result of a cell; raises what it raises."""
    done = shell.run_cell(cell)
    done.raise_error()
    return done.result


def test_a_graph_is_opened_once_and_asked(shell: Any, gateway: Gateway) -> None:
    assert gateway.datasets == ("sample",)
    opened = ran(shell, "%nlq builtin:sample")
    assert repr(opened) == "Gateway(sample)"
    answer = ran(shell, f"%%ask found\n{QUESTION}\n")
    assert shell.user_ns["found"] is answer
    html, _ = shell.display_formatter.format(answer)
    assert "Quentin Tarantino</a>" in html["text/html"]


def test_a_gateway_of_the_notebook_is_asked_and_left_open(shell: Any, gateway: Gateway) -> None:
    shell.user_ns["mine"] = gateway
    assert ran(shell, "%nlq mine") is gateway
    assert str(ran(shell, f"%%ask\n{QUESTION}")) == "Quentin Tarantino"
    shell.extension_manager.unload_extension("nlq_gateway")
    assert gateway.ask(QUESTION).text == "Quentin Tarantino"


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        ("%nlq", "no graph is named"),
        ("%%ask\nWho?", "no graph is open"),
        ("%nlq missing.ttl", "there is no file"),
        ("%nlq --gateway", "%nlq --gateway: a source is expected"),
    ],
)
def test_errors_are_shown_without_a_traceback(
    shell: Any, capsys: pytest.CaptureFixture[str], cell: str, said: str
) -> None:
    done = shell.run_cell(cell)
    assert said in str(done.error_in_exec)
    shown = "".join(capsys.readouterr())
    assert f"UsageError: {done.error_in_exec}" in shown
    assert "Traceback" not in shown


@pytest.mark.parametrize(
    ("source", "cell", "said"),
    [
        ("mine", f"%%ask not a name\n{QUESTION}", "a name for the answer is expected"),
        ("mine", "%%ask\n \n", "the question is empty"),
        ("--gateway http://127.0.0.1:CLOSED", f"%%ask\n{QUESTION}", "cannot be reached"),
    ],
)
def test_what_cannot_be_asked(
    shell: Any, gateway: Gateway, closed_port: int, source: str, cell: str, said: str
) -> None:
    shell.user_ns["mine"] = gateway
    ran(shell, f"%nlq {source.replace('CLOSED', str(closed_port))}")
    assert said in str(shell.run_cell(cell).error_in_exec)


def test_magics_are_documented() -> None:
    for magic in (AskMagics.nlq, AskMagics.ask):
        assert "%" in (magic.__doc__ or "")
