"""Drop `FindAll` where another pattern already restricts the variable.

Scanning every entity of a big graph only to narrow the set in the next line costs seconds. A union with a
branch that is left without patterns is dropped itself. Queries ask for distinct entities, so that repetitions
of one entity do not matter.
"""

from __future__ import annotations

from dataclasses import replace

from compilers import algebra as a
from compilers.rewrites.walk import Group, map_groups, variables

Variables = frozenset[a.Variable]
_NONE: Variables = frozenset()


def drop_domains(select: a.Select) -> a.Select:
    """Remove each Domain whose variable is bound in its group.

    Remove it, too, if the variable is bound around the group, within the same SELECT, and no other pattern in
    the group mentions it: a group of a union is evaluated before it is joined.
    """
    return replace(select, patterns=without_domains(select.patterns))


def without_domains(patterns: Group) -> Group:
    """The same for the patterns of a SELECT."""
    return _group(patterns, _NONE, _NONE)


def _group(patterns: Group, given: Variables, around: Variables) -> Group:
    """`given` variables have their values before the group is evaluated, those `around` it afterwards."""
    bound = given | _bound(patterns)
    spoken = {v for p in patterns if not isinstance(p, a.Domain) for v in variables(p)}
    free = bound | (around - spoken)
    kept = (p for p in patterns if not (isinstance(p, a.Domain) and p.variable in free))
    changed = (_inside(pattern, bound, free) for pattern in kept)
    return tuple(p for p in changed if not (isinstance(p, a.Union) and () in p.branches))


def _inside(pattern: a.Pattern, bound: Variables, around: Variables) -> a.Pattern:
    match pattern:
        case a.SubSelect():
            # A subquery is evaluated on its own: bindings around it do not narrow it.
            inner = (_NONE, _NONE)
        case a.NotExists():
            inner = (bound, _NONE)
        case _:
            inner = (_NONE, around)
    return map_groups(pattern, lambda group: _group(group, *inner))


def _bound(patterns: Group) -> frozenset[a.Variable]:
    described = frozenset(
        p.subject for p in patterns if isinstance(p, a.Triple) and isinstance(p.object, a.Iri)
    )
    return frozenset[a.Variable]().union(*(_binds(pattern, described) for pattern in patterns))


def _binds(pattern: a.Pattern, described: frozenset[a.Node]) -> frozenset[a.Variable]:
    """The variables that every solution of the pattern binds to a term of the graph."""
    match pattern:
        case a.Triple():
            return _binds_of_triple(pattern, described)
        case a.Values():
            return frozenset(pattern.variables)
        case a.Union():
            return frozenset.intersection(*map(_bound, pattern.branches))
        case a.NamedGraph():
            return _bound(pattern.patterns)
        case _:
            return frozenset()


def _binds_of_triple(triple: a.Triple, described: frozenset[a.Node]) -> frozenset[a.Variable]:
    """The subjects and objects of the triple and of the triples in it.

    A triple with any predicate may be about anything in the graph, its schema and its value nodes included,
    unless another triple says which predicates are meant (`?p rdf:singletonPropertyOf ex:director`).
    """
    nodes = (triple.subject, triple.object)
    parts = (triple, *(node for node in nodes if isinstance(node, a.TripleTerm | a.QuotedTriple)))
    known = (part for part in parts if _is_named(part.predicate) or part.predicate in described)
    terms = (term for part in known for term in (part.subject, part.object))
    return frozenset(term for term in terms if isinstance(term, a.Variable))


def _is_named(predicate: a.Predicate) -> bool:
    return not isinstance(predicate, a.Variable)
