"""The facts about a question for a prompt, and the names that a model may write."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from compilers.issues import Issue
from compilers.kopl.functions import Kind, ValueType
from compilers.kopl.program import Program
from compilers.kopl.repair import Repair


@dataclass(frozen=True, slots=True)
class Fact:
    """A relation or attribute of something that the question names (CodeAlignKGQA, section 3.2).

    `about` is the label of the entity or concept, `kind` is relation or attribute, the kind of `label`;
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
    """A name of the graph, with its description in a prompt: its class, and its difference from namesakes.

    For a value these are the attributes that have it. `words` are the question's, if they differ.
    """

    label: str
    about: str = ""
    words: str = ""


@dataclass(frozen=True, slots=True)
class Known:
    """A question in a prompt: its names, its possible names, and the facts around them.

    `candidates` are entities with names similar to words of the question, `values` strings of the graph that
    it has. `card` is the part of the graph's schema near to it, "" if the prompt has the whole.
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
    """A demonstration in a prompt, with its similarity to the question, in [-1, 1]."""

    known: Known
    program: Program
    similarity: float = 0.0


@dataclass(frozen=True, slots=True)
class AllowedNames:
    """The names and values that a constrained model may write, as the graph spells them.

    Attributes and qualifiers come with the types of their values, and attributes with their units. `strings`,
    `quantities`, `years` and `dates` are the values of the question, in the form of arguments; if there are
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
    """A model's text, the program in it if there is one, and the checker's issues.

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
        """True if it is a program without errors."""
        return self.program is not None and all(issue.severity != "error" for issue in self.issues)
