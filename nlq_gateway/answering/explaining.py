"""What a query of one's own does, step by step."""

from __future__ import annotations

from dataclasses import dataclass

from compilers.compile import CompiledQuery, compile_program
from compilers.from_sparql import Span, origins, program_of
from compilers.kopl.program import Program
from nlq_gateway.answering.grounding import Grounder, Pin
from nlq_gateway.drafts.demonstrations.queries import named, schema_of
from nlq_gateway.endpoints.endpoint import Endpoint


@dataclass(frozen=True, slots=True)
class Explanation:
    """The program that gives a query's rows, in the names of a graph.

    Attributes:
        program: its steps; `pins` say which of the graph's things and predicates its names stand for.
        pins: as `/run` takes them, steps counted from 0.
        spans: for each step the characters of the query that it comes from.
        compiled: the query that the gateway writes for the program.
    """

    program: Program
    pins: tuple[Pin, ...]
    spans: tuple[tuple[Span, ...], ...]
    compiled: CompiledQuery

    def source_map(self) -> list[dict[str, object]]:
        """The spans as JSON, steps counted from 1."""
        return [{"step": at + 1, "spans": [list(s) for s in spans]} for at, spans in enumerate(self.spans)]


def explained(endpoint: Endpoint, query: str) -> Explanation:
    """A SELECT or an ASK as a program; the store is not asked.

    Raises:
        CannotState: the query has no program, or names what the graph does not have.
        CompilerError: the graph's layout cannot state the program.
    """
    index = endpoint.index
    grounded = program_of(query, schema_of(index), index.manifest.prefixes)
    program, choices = named(grounded, index)
    pins = tuple(Pin(step, argument, iris[0]) for (step, argument), iris in choices.items())
    bound = Grounder(index).ground(program, pins=pins, near=False).grounded
    compiled = compile_program(bound, endpoint.layout, endpoint.prepared.options)
    return Explanation(program, pins, tuple(origins(query, grounded, index.manifest.prefixes)), compiled)
