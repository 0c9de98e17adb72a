"""`docs/errors.md` is what `nlq reference errors` prints, and has every code that there is."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from compilers.kopl.breaches import BROKEN
from compilers.kopl.check import CODES
from nlq_gateway.core.errors import KNOWN_ERRORS
from nlq_gateway.edges.cli import main
from nlq_gateway.edges.http.problems.catalogue import INSIDE, catalogue
from nlq_gateway.edges.http.problems.kinds import KINDS, PUBLIC, public_code
from nlq_gateway.trace.warning_codes import WARNINGS

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "errors.md"


def test_the_page_is_what_the_command_prints(
    request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["reference", "errors"]) == 0
    printed = capsys.readouterr().out
    if request.config.getoption("--update-goldens"):
        PAGE.write_text(printed, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == printed, "write it anew with --update-goldens"


@pytest.mark.parametrize("code", KINDS)
def test_every_problem_is_explained_in_sentences(code: str) -> None:
    kind = KINDS[code]
    assert 400 <= kind.status < 600
    assert kind.explanation.endswith((".", "?"))
    assert kind.remedy.endswith(".")


def test_every_rule_of_the_checker_has_a_program_that_breaks_it() -> None:
    assert list(BROKEN) == list(CODES)


def test_every_code_is_in_the_page_once() -> None:
    rows = re.findall(r"^\| `([\w-]+)` \|", catalogue(), re.MULTILINE)
    inside = [error.code for error in INSIDE]  # type: ignore[attr-defined]
    assert rows == [*KINDS, *CODES, *WARNINGS, *inside]


def test_the_codes_of_the_command_line_are_those_that_http_does_not_show() -> None:
    inside = {error.code: public_code(error) for error in INSIDE}  # type: ignore[attr-defined, arg-type]
    assert inside.items() <= PUBLIC.items()
    assert set(PUBLIC) - set(inside) == {"index-problem", "compiler-error"}


def test_every_known_error_ends_in_a_problem_with_a_page() -> None:
    def below(error: type[Exception]) -> Iterator[type[Exception]]:
        yield error
        for child in error.__subclasses__():
            yield from below(child)

    classes = [known for top in KNOWN_ERRORS for known in below(top)]
    # Those of Python clients are met by no server.
    ours = [one for one in classes if one.__module__.startswith(("nlq", "comp", "conn"))]
    codes = {public_code(one) for one in ours if not one.__module__.startswith("nlq_gateway.client.")}  # type: ignore[arg-type]
    assert codes - {"exploration-stopped"} <= set(KINDS)


def test_every_warning_that_the_code_makes_is_in_the_table() -> None:
    found = {code for path in (ROOT / "nlq_gateway").rglob("*.py") for code in warned(path)}
    assert found == set(WARNINGS)


def warned(path: Path) -> Iterator[str]:
    """The codes that a module gives to `Warning(...)`, `.warn(...)` and `._warn(...)`."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    constants = {
        target.id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and node.args:
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if name in ("Warning", "warn", "_warn"):
                yield from told(node.args[0], constants)


def told(argument: ast.expr, constants: dict[str, object]) -> Iterator[str]:
    value = argument.value if isinstance(argument, ast.Constant) else None
    if isinstance(argument, ast.Name):
        value = constants.get(argument.id)
    if isinstance(value, str) and re.fullmatch(r"[a-z-]+", value):
        yield value
