"""The code notation of CodeAlignKGQA (appendix with its training examples): a program as Python code.

    expression_1 = START()
    expression_1 = FIND('Mike Nichols', expression_1)
    expression_1 = RELATE('directed by', 'backward', expression_1)
    expression_1 = COUNT(expression_1)
    expression_1 = STOP(expression_1)

Functions are in upper case; arguments come first, then the expressions that feed the call. START() begins
a branch, a call of several expressions gets a new number, STOP ends the program. An expression that is
used again later keeps its number. Read besides: functions as the table writes them, calls without START,
a program without STOP, and numbers.

Nothing is executed: the text is parsed, and only such assignments are accepted.
"""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Iterator
from itertools import count

from compilers.errors import ProgramSyntaxError, UnsupportedProgram
from compilers.kopl.functions import ALIASES, FUNCTIONS, function_named
from compilers.kopl.notations.calls import number_text, require_text
from compilers.kopl.program import Program, Step

_START, _STOP = "START", "STOP"
_NAMES = {name.upper(): name for name in (*FUNCTIONS, *ALIASES)}
_LINES = re.compile(r"\r\n|\r|\n")
# Python warns of these escapes; reading must not depend on warning filters.
_ESCAPE = re.compile(r"\\(?:(?P<unknown>[4-7][0-7]{2}|[^\r\n'\"\\abfnrtvxuUN0-7])|\r\n|[\s\S])")
_HINT = "write expression_1 = FIND('Mike Nichols', expression_1)"


def read(text: str) -> Program:
    """Read a program from assignments of calls; raises ProgramSyntaxError."""
    return _CodeReader(require_text(text).removeprefix("\ufeff")).program()


def write(program: Program) -> str:
    """The program as Python code; raises UnsupportedProgram for names that are no identifiers."""
    return "\n".join(_lines(program))


class _CodeReader:
    """Reads statements in turn; maps each expression to its step."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.offsets = [0, *(line.end() for line in _LINES.finditer(text))]
        self.steps: list[Step] = []
        # The step of each expression; None after START.
        self.expressions: dict[str, int | None] = {}

    def program(self) -> Program:
        """All statements as a program."""
        stopped = False
        for statement in self._tree().body:
            if stopped:
                raise self._error(statement, "STOP ends the program", "write nothing after STOP")
            stopped = self._assign(statement)
        return Program(tuple(self.steps))

    def _tree(self) -> ast.Module:
        for escape in _ESCAPE.finditer(self.text):
            if escape["unknown"]:
                hint = r"write a backslash as \\"
                raise ProgramSyntaxError("unknown escape", position=escape.start(), hint=hint)
        try:
            return ast.parse(self.text)
        except SyntaxError as error:
            position = self._position(error.lineno or 1, (error.offset or 1) - 1)
            raise ProgramSyntaxError(f"not Python: {error.msg}", position=position, hint=_HINT) from None
        except (RecursionError, MemoryError):
            raise ProgramSyntaxError("nested too deeply", hint=_HINT) from None
        except ValueError as error:
            raise ProgramSyntaxError(f"not Python: {error}", hint=_HINT) from None

    def _assign(self, statement: ast.stmt) -> bool:
        """Read one statement; True if it is STOP."""
        match statement:
            case ast.Assign(targets=[ast.Name(id=target)], value=ast.Call(func=ast.Name(id=name)) as call):
                if call.keywords:
                    raise self._error(call, "a call takes no keywords", _HINT)
            case _:
                raise self._error(statement, "an assignment of a call expected", _HINT)
        if name == _STOP:
            return self._stop(call)
        if name == _START:
            if call.args:
                raise self._error(call, "START takes nothing", f"write {target} = START()")
            self.expressions[target] = None
            return False
        self.steps.append(self._step(name, call.args))
        self.expressions[target] = len(self.steps) - 1
        return False

    def _step(self, name: str, arguments: list[ast.expr]) -> Step:
        fed = [self._expression(node) for node in arguments if isinstance(node, ast.Name)]
        inputs = (self._argument(node) for node in arguments if not isinstance(node, ast.Name))
        return Step(_NAMES.get(name, name), tuple(inputs), tuple(index for index in fed if index is not None))

    def _stop(self, call: ast.Call) -> bool:
        last = len(self.steps) - 1 if self.steps else None
        match call.args:
            case [ast.Name() as node] if self._expression(node) == last:
                return True
        hint = "write expression_1 = STOP(expression_1) with the expression of the last step"
        raise self._error(call, "STOP takes the last step", hint)

    def _expression(self, node: ast.Name) -> int | None:
        if node.id not in self.expressions:
            raise self._error(node, f"{node.id[:40]} is not assigned yet", _HINT)
        return self.expressions[node.id]

    def _argument(self, node: ast.expr) -> str:
        match node:
            case ast.Constant(value=str(text)):
                return require_text(text, self._place(node))
            case ast.Constant(value=value):
                written = number_text(value)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=value)):
                number = number_text(value)
                written = number and f"-{number}"
            case _:
                written = None
        if written is None:
            raise self._error(node, "an argument must be text, a number or an expression's name", _HINT)
        return written

    def _error(self, node: ast.stmt | ast.expr, message: str, hint: str) -> ProgramSyntaxError:
        return ProgramSyntaxError(message, position=self._place(node), hint=hint)

    def _place(self, node: ast.stmt | ast.expr) -> int:
        start = self.offsets[node.lineno - 1]
        column = len(self.text[start:].encode()[: node.col_offset].decode(errors="ignore"))
        return self._position(node.lineno, column)

    def _position(self, line: int, column: int) -> int:
        start = self.offsets[min(line, len(self.offsets)) - 1]
        return min(start + max(column, 0), len(self.text))


def _lines(program: Program) -> Iterator[str]:
    last_use = {index: at for at, step in enumerate(program.steps) for index in step.dependencies}
    numbers = count(1)
    held: list[str] = []
    for at, step in enumerate(program.steps):
        if any(not 0 <= index < at for index in step.dependencies):
            raise UnsupportedProgram(
                "code cannot name a step that does not come before", step=at, hint="write it as JSON"
            )
        fed = [held[index] for index in step.dependencies]
        goes_on = len(fed) == 1 and last_use[step.dependencies[0]] == at
        target = fed[0] if goes_on else f"expression_{next(numbers)}"
        if not fed:
            yield f"{target} = {_START}()"
        arguments = ", ".join([*map(repr, step.inputs), *(fed or [target])])
        yield f"{target} = {_written_name(step, at)}({arguments})"
        held.append(target)
    if held:
        yield f"{held[-1]} = {_STOP}({held[-1]})"


def _written_name(step: Step, at: int) -> str:
    name = step.function.upper() if function_named(step.function) else step.function
    sound = name.isascii() and name.isidentifier() and not keyword.iskeyword(name)
    if not sound or name in (_START, _STOP) or _NAMES.get(name, name) != step.function:
        raise UnsupportedProgram(
            f"{step.function[:40]!r} cannot be written as a function of code",
            step=at,
            hint="write the program as JSON",
        )
    return name
