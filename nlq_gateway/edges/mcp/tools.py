"""The tools: their descriptions for an assistant, and the gateway's work behind them."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from mcp.server.mcpserver import Context, MCPServer
from mcp_types import ToolAnnotations
from pydantic import BaseModel, Field

from compilers.compile import compile_program
from compilers.kopl.functions import FUNCTIONS, NAMING_KINDS, Function, Kind
from compilers.kopl.notations import NOTATIONS, read_program
from compilers.kopl.program import Program
from nlq_gateway.answering import Ask, Pin, Pipeline
from nlq_gateway.core.errors import InvalidRequest, TracesUnavailable
from nlq_gateway.edges.clients import Client, endpoint_for, readable
from nlq_gateway.edges.mcp.access import Caller
from nlq_gateway.edges.mcp.resolving import candidates, schema_of, unknown_names
from nlq_gateway.edges.mcp.results import Answer, Candidates, Compiled, Explanation, Schema
from nlq_gateway.edges.mcp.working import in_thread, made_ready, told
from nlq_gateway.edges.trace_store import TraceStore
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.trace import Json, Trace

MOST_ROWS = 1_000

_log = logging.getLogger(__name__)

Dataset = Annotated[
    str | None, Field(description="id or alias of the graph; the first one if it is left out")
]
Language = Annotated[
    str, Field(pattern=r"^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$", description="for labels, as `en`")
]
Rows = Annotated[int, Field(ge=1, le=MOST_ROWS, description="how many rows and values to give")]
Name = Annotated[str, Field(min_length=1, max_length=200, description="a name, in any spelling")]
Steps = Annotated[
    str | list[dict[str, Any]],
    Field(
        description="a KoPL program: `Find(Pulp Fiction)->Relate(directed by, forward)->What()`, numbered "
        "steps, or a JSON list of {function, inputs, dependencies}"
    ),
]
NameKind = Literal["entity", "concept", "relation", "attribute", "qualifier"]

# Given by the SDK, and no argument of the tool.
Call = Context[Any, Any]

INSTRUCTIONS = """Questions in plain words over knowledge graphs, answered by SPARQL with the whole trace.
Ask with `ask`. Say what `status` and `diagnosis` say: an empty answer is a finding, an unanswerable question
is not one. When a name was misread, look it up with `resolve` and use its label, or `run` the program with a
pin. `schema` tells what can be asked."""


class PinnedName(BaseModel):
    """An argument of the program that shall stand for this IRI."""

    step: int = Field(ge=1, description="counted from 1")
    argument: int = Field(default=0, ge=0, description="counted from 0")
    iri: str = Field(pattern=r"^[A-Za-z][A-Za-z0-9+.-]*:[^\s<>\"{}|\\^`]+$", max_length=2_000)


def register(server: MCPServer[Any], pipeline: Pipeline, traces: TraceStore, caller: Caller) -> None:
    """Offer every tool; `caller` says who calls one."""
    tools = Tools(pipeline, traces, caller)
    reads = ToolAnnotations(read_only_hint=True, open_world_hint=False)
    for tool in (tools.ask, tools.explain, tools.resolve, tools.schema, tools.run, tools.compile):
        more = f"\n\n{_functions()}" if tool.__name__ == "compile" else ""
        server.add_tool(tool, description=_described(tool.__doc__ or "") + more, annotations=reads)


def _described(text: str) -> str:
    return " ".join(text.split())


def _functions() -> str:
    """The language in a few lines, from the function table."""
    lines = (f"{name}({_parameters(function)}): {function.meaning}" for name, function in FUNCTIONS.items())
    return "Functions; each works on what the steps before it give:\n" + "\n".join(lines)


def _parameters(function: Function) -> str:
    return ", ".join("|".join(one.choices) or one.name for one in function.parameters)


@dataclass(frozen=True, slots=True)
class Tools:
    """Each public method is a tool; its docstring is what a model reads."""

    pipeline: Pipeline
    traces: TraceStore
    caller: Caller

    async def ask(
        self,
        context: Call,
        question: Annotated[str, Field(description="one question, in plain words, with the names in it")],
        dataset: Dataset = None,
        language: Language | None = None,
        strategy: Annotated[str, Field(description="auto unless the user names another")] = "",
        only: Annotated[bool, Field(description="the strategy alone, unchecked by other ways")] = False,
        max_rows: Rows = 50,
    ) -> Answer:
        """Answer a question over a knowledge graph.

        Gives the answer in words and as rows, what each name was taken for, the program and the SPARQL, and
        how sure the answer is. Facts come from the graph alone.
        """
        with told():
            request = Ask(question, dataset, language or "", strategy, only=only)
            return Answer.beginning(await self._asked(context, request), max_rows)

    async def explain(
        self,
        context: Call,
        trace: Annotated[str | None, Field(description="the id of an earlier answer")] = None,
        question: Annotated[str | None, Field(description="or a question, which is asked first")] = None,
        dataset: Dataset = None,
    ) -> Explanation:
        """Explain an answer, or why there is none.

        Gives the steps with how many members each had and examples of them, what names were taken for with
        the alternatives, and the programs that were tried. Give either a trace or a question.
        """
        with told():
            if (trace is None) == (question is None):
                raise InvalidRequest("give either a trace or a question")
            if question is not None:
                return Explanation.why(await self._asked(context, Ask(question, dataset)))
            return Explanation.why(await in_thread(lambda _: self._kept(context, str(trace))))

    async def resolve(
        self,
        context: Call,
        name: Name,
        dataset: Dataset = None,
        kinds: Annotated[list[NameKind] | None, Field(description="all kinds if it is left out")] = None,
        limit: Annotated[int, Field(ge=1, le=50)] = 10,
    ) -> Candidates:
        """Find what a name stands for in a graph.

        Gives entities, classes (concepts), relations, attributes and qualifiers with their IRIs, best first.
        Use it before writing a program or SPARQL of your own, or when an answer took a name for something
        else.
        """
        with told():
            endpoint = await self._ready(context, dataset)
            wanted = tuple(map(Kind, kinds)) if kinds else NAMING_KINDS
            found = await in_thread(lambda _: candidates(endpoint.index, name, wanted, limit))
            return Candidates(dataset=endpoint.id, name=name, candidates=found)

    async def schema(
        self,
        context: Call,
        dataset: Dataset = None,
        limit: Annotated[int, Field(ge=1, le=200, description="how many of each kind")] = 30,
    ) -> Schema:
        """Tell what can be asked.

        Lists the graphs there are, and of one its commonest classes, relations, attributes and qualifiers,
        with the classes that have them, units and example values, and example questions.
        """
        with told():
            endpoint = await self._ready(context, dataset)
            every = readable(self.pipeline, self.caller(context))
            return await in_thread(lambda _: schema_of(endpoint, every, limit))

    async def run(
        self,
        context: Call,
        program: Steps,
        dataset: Dataset = None,
        pins: Annotated[
            list[PinnedName] | None, Field(description="names with the IRIs they stand for")
        ] = None,
        max_rows: Rows = 50,
    ) -> Answer:
        """Run a KoPL program, such as one of an answer with a name changed or pinned to another IRI.

        `compile` lists the functions.
        """
        with told():
            given, endpoint = self._read(program, pins or []), await self._ready(context, dataset)
            chosen = tuple(Pin(pin.step - 1, pin.argument, pin.iri) for pin in pins or [])
            trace = await in_thread(lambda _: self.pipeline.run(given, endpoint.id, pins=chosen))
            return Answer.beginning(
                await in_thread(lambda _: self._keep(trace, self.caller(context))), max_rows
            )

    async def compile(
        self,
        context: Call,
        program: Steps,
        dataset: Dataset = None,
        dialect: Literal["virtuoso", "fuseki", "oxigraph", "sparql11"] | None = None,
    ) -> Compiled:
        """Compile a KoPL program to SPARQL for a graph, without running it.

        Names are looked up in the graph as they are written: use labels that `resolve` or `schema` give.
        """
        with told():
            given, endpoint = self._read(program, []), await self._ready(context, dataset)
            bound = await in_thread(lambda _: self.pipeline.bind(given, endpoint.id, dialect=dialect))
            query = compile_program(*bound)
            return Compiled(
                dataset=endpoint.id,
                program=NOTATIONS["steps"].write(given),
                sparql=query.text,
                columns=[column.name for column in query.columns],
                notes=unknown_names(bound[0]),
            )

    async def _asked(self, context: Call, request: Ask) -> Json:
        endpoint = await self._ready(context, request.dataset)
        asked = replace(request, dataset=endpoint.id)
        client = self.caller(context)
        return await in_thread(lambda gone: self._keep(self.pipeline.ask(asked, gone), client))

    async def _ready(self, context: Call, dataset: str | None) -> Endpoint:
        return await made_ready(endpoint_for(self.pipeline, self.caller(context), dataset))

    def _read(self, program: str | list[dict[str, Any]], pins: list[PinnedName]) -> Program:
        found = read_program(program)
        for pin in pins:
            if pin.step > len(found) or pin.argument >= len(found.steps[pin.step - 1].inputs):
                raise InvalidRequest(f"pins: step {pin.step} has no argument {pin.argument}")
        return found

    def _keep(self, trace: Trace, client: Client) -> Json:
        document = trace.as_json()
        try:
            self.traces.put(trace.id, document, client.name)
        except TracesUnavailable as error:
            # An answer is not lost because its trace cannot be kept.
            _log.warning("the trace %s is not kept: %s", trace.id, error.message)
        return document

    def _kept(self, context: Call, trace_id: str) -> Json:
        document = self.traces.get(trace_id)
        # The store may be shared with gateways that serve other graphs.
        served = {endpoint.id for endpoint in readable(self.pipeline, self.caller(context))}
        if document is None or document["dataset"] not in served:
            raise InvalidRequest(f"there is no trace {trace_id[:40]!r}", hint="only the newest are kept")
        return document
