"""Models of requests. Unknown fields are refused by name; nothing is guessed."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Annotated, Any, Literal, NoReturn, TypeVar, get_args

from flask import request
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, WithJsonSchema
from werkzeug.exceptions import RequestEntityTooLarge, UnsupportedMediaType

from compilers.kopl.check import require_valid
from compilers.kopl.notations import read_program
from compilers.kopl.program import Program
from nlq_gateway.answering import Ask, Pin
from nlq_gateway.core.errors import InvalidRequest
from nlq_gateway.settings.explain import explained, shown
from nlq_gateway.settings.language_model import Strategy

MAX_BODY = 256 * 1024
LARGEST_ROWS = 1_000_000
LONGEST_MS = 600_000
LONGEST_NAME = 200
# So many faults of a request are told.
MOST_FAULTS = 5


# The JSON Schema of constraints that other code checks, with its own messages.
Question = Annotated[str, WithJsonSchema({"type": "string", "pattern": r"\S"})]
StrategyName = Annotated[str, WithJsonSchema({"type": "string", "enum": ["", *get_args(Strategy)]})]
_STEPS = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "function": {"type": "string"},
            "inputs": {"type": "array", "items": {"type": ["string", "number"]}},
            "dependencies": {"type": "array", "items": {"type": "integer"}},
        },
        "required": ["function"],
        "additionalProperties": False,
    },
    "minItems": 1,
}
AnyProgram = Annotated[
    Any,
    WithJsonSchema(
        {
            "description": "a program in any notation: text, or the parsed JSON of one",
            "anyOf": [
                {"type": "string", "pattern": r"\S"},
                _STEPS,
                {
                    "type": "object",
                    "properties": {"steps": _STEPS},
                    "required": ["steps"],
                    "additionalProperties": False,
                },
            ],
        }
    ),
]


class Body(BaseModel):
    """A request's fields; JSON types are not converted (`"true"` is no boolean)."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, hide_input_in_errors=True)


class PinBody(Body):
    """The IRI of an argument; steps count from 1, arguments from 0."""

    step: int = Field(ge=1)
    argument: int = Field(ge=0)
    iri: str = Field(pattern=r"^[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`]+$", max_length=2_000)


def _each_once(pins: list[PinBody]) -> list[PinBody]:
    places = [(pin.step, pin.argument) for pin in pins]
    for step, argument in places:
        if places.count((step, argument)) > 1:
            raise ValueError(f"step {step}, argument {argument} is pinned more than once")
    return pins


Pins = Annotated[list[PinBody], AfterValidator(_each_once)]
LanguageTag = Annotated[str, Field(pattern=r"^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$")]


class NlqArguments(Body):
    """A question without what needs a body."""

    question: Question
    dataset: str | None = None
    lang: LanguageTag | None = None
    strategy: StrategyName = ""
    execute: bool = True
    max_rows: int | None = Field(default=None, ge=1, le=LARGEST_ROWS)
    timeout_ms: int | None = Field(default=None, ge=1, le=LONGEST_MS)
    guess: bool = False
    only: bool = False

    def ask(self) -> Ask:
        """The request as the pipeline takes it."""
        return Ask(
            question=self.question,
            dataset=self.dataset,
            language=self.lang or "",
            strategy=self.strategy,
            execute=self.execute,
            max_rows=self.max_rows,
            timeout_ms=self.timeout_ms,
            guess=self.guess,
            only=self.only,
        )


class TableQuery(Body):
    """The query string of an answer that is taken away as a table: whether with its IRIs."""

    iris: bool = Field(default=False, description="for tables: add columns with the IRIs of entities")


class NlqAddress(NlqArguments, TableQuery):
    """The query string of `GET /nlq`."""


class NlqBody(NlqArguments):
    """`POST /nlq`."""

    pins: Pins = Field(default=[], max_length=100)

    def ask(self) -> Ask:
        """The request as the pipeline takes it."""
        return replace(super().ask(), pins=pins_of(self.pins))


class Text2SparqlBody(Body):
    """The query string of `GET /text2sparql`; with `guess` the likeliest query comes, however unsure."""

    question: str
    dataset: str | None = None
    lang: LanguageTag | None = None
    guess: bool = False


class ProgramBody(Body):
    """A program in any notation: text, or the parsed JSON of one; `strict` refuses extensions."""

    program: AnyProgram
    dataset: str | None = None
    pins: Pins = Field(default=[], max_length=100)
    strict: bool = False

    def read(self) -> Program:
        """The program; raises ProgramSyntaxError, and InvalidRequest for a pin that has no place in it."""
        program = read_program(self.program)
        for pin in self.pins:
            if pin.step > len(program) or pin.argument >= len(program.steps[pin.step - 1].inputs):
                raise InvalidRequest(f"pins: step {pin.step} has no argument {pin.argument}")
        return program


class RunBody(ProgramBody):
    """`POST /run`."""

    lang: LanguageTag = "en"
    max_rows: int | None = Field(default=None, ge=1, le=LARGEST_ROWS)
    timeout_ms: int | None = Field(default=None, ge=1, le=LONGEST_MS)


class CompileBody(ProgramBody):
    """`POST /compile`."""

    dialect: Literal["virtuoso", "fuseki", "oxigraph", "sparql11"] | None = None


class ExplainBody(Body):
    """`POST /explain`: a SELECT or an ASK."""

    sparql: str = Field(min_length=1, max_length=20_000)
    dataset: str | None = None


class SchemaQuery(Body):
    """The query string of `GET /datasets/ID/schema`: a name or IRI, the kind of item, how many."""

    q: str = Field(default="", max_length=200)
    kind: Literal["concept", "relation", "attribute", "qualifier"] | None = None
    limit: int = Field(default=50, ge=1, le=500)


class SuggestQuery(Body):
    """The query string of `GET /datasets/ID/suggest`: what has been written, and how many suggestions."""

    q: str = Field(default="", max_length=200)
    limit: int = Field(default=8, ge=1, le=50)


class DescribeQuery(Body):
    """The query string of `GET /datasets/ID/describe`: an IRI, or a name for its likeliest entity or class.

    `facts` bounds the attributes and relations of an entity, the most informative first.
    """

    iri: str = Field(default="", max_length=2_000, pattern=r"^[^\s<>\"{}|\\^`]*$")
    name: str = Field(default="", max_length=LONGEST_NAME)
    lang: LanguageTag = "en"
    facts: int | None = Field(default=None, ge=0, le=100)


class PathQuery(Body):
    """The query string of `GET /datasets/ID/path`: two things, each by its IRI or a name."""

    from_: str = Field(alias="from", min_length=1, max_length=2_000)
    to: str = Field(min_length=1, max_length=2_000)
    lang: LanguageTag = "en"


class FeedbackBody(Body):
    """`POST /traces/ID/feedback`: whether the answer was right, and the right program where it was not."""

    correct: bool
    program: AnyProgram | None = None
    comment: str = Field(default="", max_length=2_000, pattern=r"^[^\x00]*$")

    def read(self) -> Program | None:
        """The right program, checked; raises ProgramSyntaxError, InvalidProgram and InvalidRequest."""
        if self.program is None:
            return None
        if self.correct:
            raise InvalidRequest("program: an answer that is correct needs no other one", hint="leave it out")
        program = read_program(self.program)
        require_valid(program)
        return program


AnyBody = TypeVar("AnyBody", bound=Body)


def pins_of(pins: list[PinBody]) -> tuple[Pin, ...]:
    """Pins with steps counted from 0."""
    return tuple(Pin(pin.step - 1, pin.argument, pin.iri) for pin in pins)


def body_of(model: type[AnyBody]) -> AnyBody:
    """The request's JSON body.

    Raises:
        UnsupportedMediaType: when it is not sent as JSON.
        InvalidRequest: when it is not JSON, or does not fit the model.
        RequestEntityTooLarge: when it is larger than `MAX_BODY`.
    """
    if not request.is_json:
        raise UnsupportedMediaType("send JSON with Content-Type: application/json")
    return _validated(model, _json(whole_body()))


def arguments_of(model: type[AnyBody]) -> AnyBody:
    """The request's query string; each field once, numbers and booleans as text."""
    for name, values in request.args.lists():
        if len(values) > 1:
            raise InvalidRequest(f"{name}: given {len(values)} times", hint="give it once")
    return _validated(model, request.args.to_dict(), strict=False)


def wants_iris() -> bool:
    """True if the address asks for the IRIs of a table; other parameters are ignored here."""
    given = {name: value for name, value in request.args.items() if name in TableQuery.model_fields}
    return _validated(TableQuery, given, strict=False).iris


def whole_body() -> bytes:
    """The request's body as it came; raises RequestEntityTooLarge.

    A body sent in chunks is cut at the limit without a word by werkzeug: one that reaches it is refused.
    """
    body = request.get_data()
    if len(body) >= MAX_BODY:
        raise RequestEntityTooLarge(f"a body has less than {MAX_BODY} bytes")
    return body


def _json(body: bytes) -> Any:
    try:
        data = json.loads(body.decode("utf-8"), parse_constant=_no_constant)
        json.dumps(data, ensure_ascii=False).encode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidRequest(f"the body is not UTF-8 at byte {error.start}") from None
    except json.JSONDecodeError as error:
        message = f"the body is not JSON: {error.msg} (line {error.lineno}, column {error.colno})"
        raise InvalidRequest(message, hint='write for example {"question": "..."}') from None
    except UnicodeEncodeError:
        raise InvalidRequest("the body has half a surrogate pair, which is no character") from None
    except RecursionError:
        raise InvalidRequest("the body is nested too deeply") from None
    except ValueError as error:
        raise InvalidRequest(f"the body is not JSON: {error}") from None
    return data


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")


def _validated(model: type[AnyBody], data: Any, *, strict: bool | None = None) -> AnyBody:
    if not isinstance(data, dict):
        raise InvalidRequest("the body is not a JSON object", hint='write for example {"question": "..."}')
    try:
        return model.model_validate(data, strict=strict)
    except ValidationError as error:
        # Unknown fields first: one is often the name, misspelt, of a field that is missing.
        found = sorted(error.errors(include_url=False), key=lambda one: one["type"] != "extra_forbidden")
        told = [(shown(one["loc"]), *explained(one, model)) for one in found[:MOST_FAULTS]]
        message = "; ".join(f"{place}: {what}" for place, what, _ in told)
        raise InvalidRequest(message, hint=told[0][-1]) from None
