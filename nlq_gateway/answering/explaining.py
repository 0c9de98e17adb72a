"""The steps of a client's own query."""

from __future__ import annotations

from compilers.compile import compile_program
from compilers.from_sparql import origins, program_of
from nlq_gateway.answering.grounding import Grounder, Pin
from nlq_gateway.drafts.demonstrations.queries import named, schema_of
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.trace.parts import ExplainedTrace, MeantHere


def explained(endpoint: Endpoint, query: str) -> ExplainedTrace:
    """A SELECT or an ASK as the program that gives its rows; the store is not asked.

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
    spans = tuple(origins(query, grounded, index.manifest.prefixes))
    meant = tuple(MeantHere(pin.step, pin.argument, pin.iri) for pin in pins)
    return ExplainedTrace(endpoint.id, program, meant, spans, compiled)
