"""Functions under another name: another case, underscores, a word for the same, a slip of the pen."""

from __future__ import annotations

import difflib
from dataclasses import replace

from compilers.kopl.functions import ALIASES, FUNCTIONS, function_named
from compilers.kopl.program import Program, Step
from compilers.kopl.repair.base import Change, Fix, Repair, TypesOf, with_step

_NEAR = 0.8

# Names that models use for functions, in lower case without underscores.
_OTHER_NAMES: dict[str, tuple[str, ...]] = {
    "FindAll": ("all", "findeverything", "getall"),
    "Find": ("findentity", "getentity", "entity", "lookup"),
    "FilterConcept": ("filtertype", "filterclass", "filterbyconcept", "concept", "instanceof"),
    "FilterStr": ("filterstring", "filtertext", "filterbystring"),
    "FilterNum": ("filternumber", "filterquantity", "filternumeric", "filterint", "filterfloat"),
    "FilterContains": ("filterstrcontains", "filterattrcontains", "filtersubstring", "filterlike"),
    "FilterNameContains": ("findcontains", "filtername", "filterbyname", "namecontains"),
    "QFilterStr": ("qfilterstring", "qualifierfilterstr", "filterqualifierstr"),
    "QFilterNum": ("qfilternumber", "qualifierfilternum", "filterqualifiernum"),
    "QFilterYear": ("qualifierfilteryear", "filterqualifieryear"),
    "QFilterDate": ("qualifierfilterdate", "filterqualifierdate"),
    "Relate": ("relation", "follow", "getrelation", "relateto"),
    "RelateTransitive": ("relateall", "relatedeep", "relateclosure", "relaterecursive", "transitiverelate"),
    "And": ("intersect", "intersection", "conjunction"),
    "Or": ("union", "disjunction"),
    "Except": ("minus", "difference", "setdifference", "andnot"),
    "What": ("name", "names", "getname", "whatis", "who", "queryentity"),
    "Count": ("howmany", "countentities", "size"),
    "QueryAttr": ("queryattribute", "getattribute", "attribute", "getattr"),
    "QueryAttrUnderCondition": ("queryattributeundercondition",),
    "QueryAttrQualifier": ("queryattributequalifier",),
    "SelectAmong": ("selectfrom", "selectone"),
    "SelectBetween": ("comparebetween", "selectoftwo"),
    "VerifyStr": ("verifystring", "verifytext"),
    "VerifyNum": ("verifynumber", "verifyquantity"),
    "Exists": ("exist", "isany", "any"),
    "OptionalTable": ("lefttable", "leftjoin", "tableoptional", "outertable"),
    "Average": ("avg", "mean"),
    "Minimum": ("min",),
    "Maximum": ("max",),
    "Sum": ("total",),
    "CountValues": ("countvalue", "countdistinct"),
}
_KNOWN = {
    **{other: name for name, others in _OTHER_NAMES.items() for other in others},
    **{alias.lower(): name for alias, name in ALIASES.items()},
    **{name.lower(): name for name in FUNCTIONS},
}


def _named(program: Program, index: int, _: TypesOf | None) -> Change | None:
    step = program.steps[index]
    name = None if function_named(step.function) else _meant(step)
    if name is None:
        return None
    why = f"there is no function {step.function[:40]!r}; this is its name in the function table"
    after = with_step(program, index, replace(step, function=name))
    return after, Repair(index, None, step.function[:40], name, why)


def _meant(step: Step) -> str | None:
    """The function of a misspelt name: the same letters, a synonym, or nearly the same letters."""
    plain = "".join(letter for letter in step.function.lower() if letter.isalnum())[:40]
    if plain in _KNOWN:
        return _KNOWN[plain]
    near = difflib.get_close_matches(plain, _KNOWN, n=4, cutoff=_NEAR)
    names = list(dict.fromkeys(_KNOWN[one] for one in near))
    fitting = [name for name in names if len(FUNCTIONS[name].parameters) == len(step.inputs)]
    candidates = fitting if len(names) > 1 else names
    return candidates[0] if len(candidates) == 1 else None


NAMES: tuple[Fix, ...] = (_named,)
