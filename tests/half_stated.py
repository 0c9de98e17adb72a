"""A family whose parents are stated once each, by either of two inverse relations, and what programs find."""

from __future__ import annotations

from compilers.kopl.notations import read_program
from nlq_gateway.answering import Pipeline

FAMILY = """
@prefix : <https://family.example/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:hasParent a owl:ObjectProperty ; rdfs:label "has parent" ; owl:inverseOf :hasChild .
:hasChild a owl:ObjectProperty ; rdfs:label "has child" .
:spouse a owl:ObjectProperty , owl:SymmetricProperty ; rdfs:label "spouse" .
:Person rdfs:label "person" . :age rdfs:label "age" .
:ann a :Person ; rdfs:label "Ann" ; :age 70 ; :hasChild :cy , :di ; :spouse :al .
:al a :Person ; rdfs:label "Al" ; :age 71 .
:bo a :Person ; rdfs:label "Bo" ; :age 40 ; :hasParent :ann ; :hasChild :ed .
:cy a :Person ; rdfs:label "Cy" ; :age 42 ; :hasParent :ann .
:di a :Person ; rdfs:label "Di" ; :age 44 ; :spouse :fe .
:ed a :Person ; rdfs:label "Ed" ; :age 9 .
:fe a :Person ; rdfs:label "Fe" ; :age 45 ; :spouse :di .
"""
ANSWERS = {
    "Find(Ann)->Relate(has child, forward)->What()": {"Bo", "Cy", "Di"},
    "Find(Ann)->Relate(has parent, backward)->What()": {"Bo", "Cy", "Di"},
    "Find(Ann)->Relate(has child, forward)->Count()": {"3"},
    "Find(Ann)->Relate(has child, forward)->QueryAttr(age)->Sum()": {"126"},
    "Find(Ed)->Relate(has parent, forward)->Relate(has parent, forward)->What()": {"Ann"},
    "Find(Ann)->RelateTransitive(has child, forward)->Count()": {"4"},
    "FindAll()->FilterConcept(person)->FilterHasRelation(has child, forward)->What()": {"Ann", "Bo"},
    "Find(Ann)->Relate(has child, forward)->Find(Di)->And()->Exists()": {"yes"},
    "Find(Al)->Relate(spouse, forward)->What()": {"Ann"},
    "Find(Di)->Relate(spouse, forward)->Count()": {"1"},
}


def answered(gateway: Pipeline, text: str) -> set[str]:
    """The answer to a program in one line."""
    answer = gateway.run(read_program(text)).answer
    assert answer is not None
    return set(answer.strings)
