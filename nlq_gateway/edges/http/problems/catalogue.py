"""The catalogue of errors and warnings, written from the tables that make them.

`docs/errors.md` holds it, `nlq reference errors` prints it, and `pytest tests/http/test_catalogue.py
--update-goldens` writes it anew.
"""

from __future__ import annotations

from compilers.kopl.reference import codes
from compilers.kopl.values import ValueSyntaxError
from connectors.errors import DataError, EndpointTooComplex
from nlq_gateway.core.errors import ConfigurationError, ModelDamaged
from nlq_gateway.edges.http.problems.kinds import KINDS, public_code
from nlq_gateway.index.errors import IndexBusy, IndexDamaged, IndexMissing
from nlq_gateway.trace.warning_codes import WARNINGS

# Errors with a separate code on the command line; HTTP uses another error's code.
INSIDE: tuple[type[Exception], ...] = (
    ConfigurationError,
    DataError,
    IndexMissing,
    IndexDamaged,
    IndexBusy,
    ModelDamaged,
    EndpointTooComplex,
    ValueSyntaxError,
)
_HEAD = """\
# Errors and warnings

Written by `nlq reference errors` from the tables in the code. Every code is stable: programs may rely on it.
The texts beside it are for people and may change.

## Problems

A response that is an error is a problem document (`application/problem+json`, RFC 9457): `type` is
`/problems/CODE`, a page of the gateway with what stands here; `status`, `title`, `detail`; `hint`, what to
do; `retryable`, whether the same request may succeed later; and what was made before the failure (`program`,
`sparql`), where something was. "No answer" is none of these: it is 200 with a `status` and a `diagnosis`.

| code | HTTP | what it says | meaning | what to do |
|---|---|---|---|---|
"""
_CODES = """
## Issues of a program

`invalid-program` has a list `issues`: {severity, code, step, argument, message, hint}, with steps counted
from 1 and arguments from 0. A program with warnings alone is carried out.

"""
_WARNINGS = """
## Warnings

An answer has a list `warnings`: {code, message}. The message says what it is about in this answer.

| code | meaning | what can be done |
|---|---|---|
"""
_COMMANDS = """
## On the command line

`nlq` prints `nlq: what failed` with a hint, and ends with an exit code: 0 done, 1 some items failed (each
said), 2 usage or configuration, 130 interrupted. The JSON Lines of `nlq run` and `nlq compile` have {code,
message, hint}: the codes above, and these, which over HTTP are another. Warnings are on standard error.

| code | meaning | over HTTP |
|---|---|---|
"""


def catalogue() -> str:
    """The page, as Markdown."""
    problems = "".join(
        f"| `{code}` | {kind.status} | {kind.title} | {kind.explanation} | {kind.remedy} |\n"
        for code, kind in KINDS.items()
    )
    warnings = "".join(f"| `{code}` | {kind.meaning} | {kind.remedy} |\n" for code, kind in WARNINGS.items())
    return (
        f"{_HEAD}{problems}{_CODES}{codes()}{_WARNINGS}{warnings}{_COMMANDS}{''.join(map(_inside, INSIDE))}"
    )


def _inside(error: type[Exception]) -> str:
    meaning = (error.__doc__ or "").partition("\n")[0]
    # `public_code` looks at nothing but the attribute, which the class has too.
    return f"| `{error.code}` | {meaning} | `{public_code(error)}` |\n"  # type: ignore[arg-type, attr-defined]
