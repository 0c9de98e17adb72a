"""Name things by the label predicate of their class alone, where the pattern shows the class."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from compilers import algebra as a
from compilers.layouts import Options
from compilers.layouts.vocabulary import RDF
from compilers.rewrites.walk import Group, map_groups

_TYPE = a.Iri(RDF + "type")


def own_labels(select: a.Select, options: Options) -> a.Select:
    """`?x a :Station . ?x rdfs:label|:title|:name ?l` with the one predicate that names stations."""
    if not options.naming:
        return select
    path = a.AlternativePath(tuple(map(a.Iri, options.label_predicates)))
    return replace(select, patterns=_group(path, options.naming, {}, select.patterns))


def _group(
    path: a.AlternativePath, naming: Mapping[str, str], known: Mapping[a.Variable, str], group: Group
) -> Group:
    known = {**known, **dict(_stated(group, naming))}
    return tuple(_pattern(path, naming, known, pattern) for pattern in group)


def _pattern(
    path: a.AlternativePath, naming: Mapping[str, str], known: Mapping[a.Variable, str], pattern: a.Pattern
) -> a.Pattern:
    match pattern:
        case a.Triple(subject=a.Variable() as subject, predicate=predicate) if predicate == path:
            own = known.get(subject)
            return pattern if own is None else replace(pattern, predicate=a.Iri(own))
        case a.SubSelect() | a.NamedGraph():
            known = {}
    return map_groups(pattern, partial(_group, path, naming, known))


def _stated(group: Group, naming: Mapping[str, str]) -> Iterator[tuple[a.Variable, str]]:
    """Of each variable in the group's triples the predicate that names it, as far as these show it."""
    for pattern in group:
        match pattern:
            case a.Triple(subject=a.Variable() as subject, predicate=a.Iri() as predicate, object=object_):
                if predicate == _TYPE:
                    found = naming.get(object_.value) if isinstance(object_, a.Iri) else None
                else:
                    found = naming.get(predicate.value)
                if found is not None:
                    yield subject, found
        match pattern:
            case a.Triple(predicate=a.Iri() as predicate, object=a.Variable() as object_):
                if (found := naming.get(f"^{predicate.value}")) is not None:
                    yield object_, found
