"""What a model is told of a question, and which names it may write."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from compilers.issues import Issue
from compilers.kopl.functions import Kind, ValueType
from compilers.kopl.program import Program
from compilers.kopl.repair import Repair


@dataclass(frozen=True, slots=True)
class Fact:
    """A relation or attribute around something that the question names (CodeAlignKGQA, section 3.2).

    `about` is the label of the entity or concept, `kind` says whether `label` is a relation or an attribute;
    `direction` is forward or backward for relations, as `Relate` takes it, and "" for attributes. `qualifier`
    is the label of a qualifier on such facts that the question speaks of, too. `score` is the cosine.
    """

    about: str
    about_kind: Kind
    kind: Kind
    label: str
    iri: str
    direction: str = ""
    qualifier: str = ""
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class KnownName:
    """A name of the graph, with what a prompt says of it: its class, and what tells it from its namesakes.

    Of a value it says which attributes have it. `words` are those of the question, where they are others.
    """

    label: str
    about: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True)
class Known:
    """A question as a prompt shows it: what it names, what it may name, and the facts around that.

    `candidates` are entities that words of the question are only like, `values` strings of the graph that it
    has. `card` is the part of the graph's schema that is near to it, empty where the prompt has the whole.
    """

    question: str
    entities: tuple[KnownName, ...] = ()
    concepts: tuple[str, ...] = ()
    facts: tuple[Fact, ...] = ()
    candidates: tuple[KnownName, ...] = ()
    values: tuple[KnownName, ...] = ()
    card: str = ""


@dataclass(frozen=True, slots=True)
class Example:
    """A demonstration as a prompt shows it, with how like the question it is, in [-1, 1]."""

    known: Known
    program: Program
    similarity: float = 0.0


@dataclass(frozen=True, slots=True)
class AllowedNames:
    """The names and values that a constrained model may write, as the graph spells them.

    Attributes and qualifiers come with the types of their values, and attributes with their units. `strings`,
    `quantities`, `years` and `dates` are the values of the question, as arguments state them; where there are
    none of a type, any value of that type may be written.
    """

    entities: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    attributes: Mapping[str, tuple[ValueType, ...]] = field(default_factory=dict)
    qualifiers: Mapping[str, tuple[ValueType, ...]] = field(default_factory=dict)
    units: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    strings: tuple[str, ...] = ()
    quantities: tuple[str, ...] = ()
    years: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """What a model wrote: the text, the program in it where it is one, and what the checker says of that.

    `how` is greedy, corrected, sampled, decomposed, explored or refined.
    """

    text: str
    how: str
    program: Program | None
    issues: tuple[Issue, ...] = ()
    repairs: tuple[Repair, ...] = ()
    log_probability: float | None = None
    tokens: int = 0

    @property
    def sound(self) -> bool:
        """Whether it is a program without errors."""
        return self.program is not None and all(issue.severity != "error" for issue in self.issues)
