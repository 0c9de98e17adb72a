"""Names for variables, from the content of the set or value."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field

from compilers import algebra as a
from compilers.grounded import GroundedProgram
from compilers.kopl.functions import CALCULATING, RELATING, Type, ValueType
from compilers.kopl.tables import subject_of

ENTITY = "entity"

# A relation with such a word at an end describes a path, not an object: `directed by`, `in trial`.
_LINKING = frozenset("at by for from in into of on through to with".split())

_FILTERING = frozenset(
    "Except FilterCount FilterAggregate SelectTop SelectTopBy SelectNth SelectPlaces SelectShare".split()
)

# The words for operators between two operands.
_OPERATORS = {"+": "plus", "-": "minus", "*": "times", "/": "per"}
_EXTREMES = {"Minimum": "smallest", "Maximum": "largest"}
_TIME_EXTREMES = {"Minimum": "earliest", "Maximum": "latest"}
_TOTALS = {"Sum": "total", "Average": "average"}
_TIMES = {ValueType.YEAR, ValueType.DATE}

_WORD = re.compile(r"[A-Za-z0-9]+")
# Letters that have no ASCII letter within them, and German's, which are written so where there are no others.
_LETTERS = str.maketrans(
    {
        **dict(zip("äöüßæœøłđðı", "ae oe ue ss ae oe o l d d i".split(), strict=True)),
        **dict(zip("ÄÖÜẞÆŒØŁĐÐ", "Ae Oe Ue SS Ae Oe O L D D".split(), strict=True)),
        "þ": "th",
        "Þ": "Th",
    }
)


@dataclass(slots=True)
class VariableNames:
    """Hands out readable, distinct variable names: `film`, `directedBy`, `film2`.

    `wishes` has the words that each was named after.
    """

    taken: set[str] = field(default_factory=set)
    wishes: dict[str, str] = field(default_factory=dict)
    _last: dict[str, int] = field(default_factory=dict)

    def fresh(self, wish: str) -> a.Variable:
        """The wish in camel case, numbered when it is taken."""
        name = variable_name(wish)
        number = self._last.get(name, 1)
        candidate = name if number == 1 else f"{name}{number}"
        while candidate in self.taken:
            number += 1
            candidate = f"{name}{number}"
        self.taken.add(candidate)
        self._last[name] = number
        first, *others = wish.split(" ")
        self.wishes[candidate] = " ".join((self.wishes.get(first, first), *others))
        return a.Variable(candidate)


def variable_name(wish: str) -> str:
    """The wish in camel case, as the name of a variable.

    It is in ASCII, `größe` as `groesse`: not every store reads all of the letters that VARNAME allows
    (SPARQL 1.1, 19.8).
    """
    if wish.isascii() and wish.isalnum() and wish[:1].islower() and len(wish) <= 40:
        return wish
    composed = unicodedata.normalize("NFC", wish).translate(_LETTERS)
    plain = unicodedata.normalize("NFKD", composed).encode("ascii", "ignore").decode()
    words = _WORD.findall(plain)[:5]
    if not words:
        return "thing"
    first, *rest = words
    start = first.lower() if first.isupper() else first[0].lower() + first[1:]
    name = start + "".join(word[0].upper() + word[1:] for word in rest)
    return f"n{name}"[:40] if name[0].isdigit() else name[:40]


def set_name(grounded: GroundedProgram, index: int) -> str:
    """A word for the members of a set: the name of the concept, relation or entity."""
    step = grounded.program.steps[index]
    function = step.signature.name
    if function in ("Find", "FilterConcept"):
        binding = grounded.binding(index, 0)
        return (binding.label if binding else "") or step.inputs[0]
    if function in RELATING:
        return _related_name(grounded, index)
    if function == "And":
        concepts = [d for d in step.dependencies if grounded.program.steps[d].function == "FilterConcept"]
        return set_name(grounded, (*concepts, *step.dependencies)[0])
    if function in _FILTERING:
        return set_name(grounded, step.dependencies[0])
    if function == "FilterCompare":
        subject = subject_of(grounded.program, step.dependencies[0])
        return ENTITY if subject is None else set_name(grounded, subject)
    common = common_name(grounded, index)
    binding = grounded.binding(index, 0) if common == ENTITY and step.inputs else None
    known = (binding.subject if binding else "") or common
    return _name_by_use(grounded, index) if known == ENTITY else known


def _name_by_use(grounded: GroundedProgram, index: int) -> str:
    """The name of a set by the relation that goes on from it: `director` where it leads back to films."""
    for later, step in enumerate(grounded.program.steps):
        if step.function in RELATING and step.dependencies == (index,):
            binding = grounded.binding(later, 0)
            name = (binding.label if binding else "") or step.inputs[0]
            if step.inputs[1] == "forward":
                return (binding.subject if binding else "") or ENTITY
            linking = name.lower().split(" ")[-1] in _LINKING
            return (binding.object if binding else "") or (ENTITY if linking else name)
    return ENTITY


def value_name(grounded: GroundedProgram, index: int) -> str:
    """The name of a step's values: their attribute or qualifier, or the operands of a calculation."""
    step = grounded.program.steps[index]
    if step.function in CALCULATING:
        return _calculated_name(grounded, index)
    if step.signature.output == Type.NUMBER:
        return number_name(grounded, index)
    argument = 0 if step.function in ("QueryAttr", "QueryAttrUnderCondition") else len(step.inputs) - 1
    binding = grounded.binding(index, argument)
    return (binding.label if binding else "") or step.inputs[argument]


def number_name(grounded: GroundedProgram, index: int) -> str:
    """The name of a number: `film count`, `average horsepower`, `latest date of birth`."""
    step = grounded.program.steps[index]
    if step.function == "Number":
        return "number"
    source = step.dependencies[0]
    if step.function == "CountTable":
        return "row count"
    if step.function == "Count":
        name = set_name(grounded, source)
        return "count" if name == ENTITY else f"{name} count"
    if step.function in CALCULATING:
        return _calculated_name(grounded, index)
    name = value_name(grounded, source)
    if step.function == "CountValues":
        return f"{name} count"
    binding = grounded.binding(source, 0) if grounded.program.steps[source].inputs else None
    times = binding is not None and binding.value_types and set(binding.value_types) <= _TIMES
    extremes = _TIME_EXTREMES if times else _EXTREMES
    return f"{(_TOTALS | extremes)[step.function]} {name}"


def _calculated_name(grounded: GroundedProgram, index: int) -> str:
    """`price minus cost`; `result` if that would be long or repeat a word."""
    step = grounded.program.steps[index]
    if step.function == "Round":
        return f"rounded {value_name(grounded, step.dependencies[0])}"
    if step.function == "Period":
        return f"{value_name(grounded, step.dependencies[0]).removesuffix(' date')} {step.inputs[0]}"
    if any(grounded.program.steps[source].function in CALCULATING for source in step.dependencies):
        return "result"
    first, second = (value_name(grounded, source) for source in step.dependencies)
    return "result" if first == second else f"{first} {_OPERATORS[step.inputs[0]]} {second}"


def common_name(grounded: GroundedProgram, index: int) -> str:
    """The common name of all the sets that feed a step, if they have one."""
    names = {set_name(grounded, source) for source in grounded.program.steps[index].dependencies}
    return names.pop() if len(names) == 1 else ENTITY


def _related_name(grounded: GroundedProgram, index: int) -> str:
    relation, direction = grounded.program.steps[index].inputs
    binding = grounded.binding(index, 0)
    name = (binding.label if binding else "") or relation
    if direction == "forward":
        words = name.lower().split(" ")
        linking = not _LINKING.isdisjoint((words[0], words[-1]))
        return (binding.object if binding and linking else "") or name
    if binding and binding.subject:
        return binding.subject
    return name.removesuffix(" of") if name.endswith(" of") else f"{name} of"


def is_single(grounded: GroundedProgram, index: int) -> bool:
    """True if a set is one known entity, perhaps filtered: it then needs no column."""
    step = grounded.program.steps[index]
    if step.signature.name == "Find":
        binding = grounded.binding(index, 0)
        return binding is not None and len(binding.iris) == 1
    if step.signature.name == "And":
        return any(is_single(grounded, source) for source in step.dependencies)
    return "Filter" in step.signature.name and is_single(grounded, step.dependencies[0])
