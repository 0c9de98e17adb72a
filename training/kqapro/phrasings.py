"""Ways of asking, in English; the grammar draws among them.

Places: `{head}` a noun, `{clause}` all that is said about it, `{before}` and `{predicate}` the same with
the last clause as a predicate, `{x}` and `{y}` descriptions, `{a}` an attribute, `{v}` a value, `{q}` a
qualifier.
"""

from __future__ import annotations

from collections.abc import Mapping

WHAT = (
    "Which {head}{before} {predicate}?",
    "What {head}{before} {predicate}?",
    "Which {head}{before} {predicate}?",
    "What {be} the {head} {clause}?",
    "{who} {be} the {head} {clause}?",
    "What {be} the name of the {head} {clause}?",
    "Name the {head} {clause}.",
    "Tell me the {head} {clause}.",
    "Find the {head} {clause}",
    "List the {head} {clause}.",
    "I am looking for the {head} {clause}.",
)
COUNT = (
    "How many {head} {clause} are there?",
    "How many {head}{before} {predicate}?",
    "How many {head}{before} {predicate}?",
    "How many {head} are there {clause}?",
    "What is the number of {head} {clause}?",
    "What number of {head}{before} {predicate}?",
    "Count the {head} {clause}.",
    "Tell me the number of {head} {clause}",
    "What is the total number of {head} {clause}?",
    "I want to know how many {head} {clause} there are.",
)
AMONG = (
    "Which {head} {clause} have the {most} {a}?",
    "Which has the {most} {a} among the {head} {clause}?",
    "Among the {head} {clause}, which has the {most} {a}?",
    "Among {head} {clause}, which one has the {most} {a}?",
    "Of all {head} {clause}, which has the {most} {a}?",
    "Of the {head} {clause}, which one has the {most} {a}?",
    "What is the one with the {most} {a} of the {head} {clause}?",
    "Which of the {head} {clause} has the {most} {a}?",
    "Which one of the {head} {clause} has the {most} {a}?",
    "For {head} {clause}, which one has the {most} {a}?",
    "Name the one with the {most} {a} among the {head} {clause}.",
)
AMONG_ONE = (
    "Which {head} {clause} has the {most} {a}?",
    "What {head} {clause} has the {most} {a}?",
    "What is the {head} {clause} with the {most} {a}?",
    "What is the {head} with the {most} {a} {clause}?",
    "Tell me the {head} {clause} that has the {most} {a}.",
    "Who or what is the {head} {clause} with the {most} {a}?",
)
BETWEEN = (
    "Which has {more} {a}, {x} or {y}?",
    "Which has the {more} {a}, {x} or {y}?",
    "Which one has the {more} {a}, {x} or {y}?",
    "Which of the two has the {more} {a}: {x} or {y}?",
    "Does {x} or {y} have the {more} {a}?",
    "Does {x} or {y} have {more} {a}?",
    "Between {x} and {y}, which has the {more} {a}?",
    "Of {x} and {y}, which one has the {most} {a}?",
    "When comparing {x} and {y}, which has the {more} {a}?",
    "Who has {more} {a}, {x} or {y}?",
    "Compared with {y}, does {x} have the {more} {a}, or is it the other way round?",
    "What has the {most} {a}, {x} or {y}?",
)
ASKED = (
    "Which is {more}, {x} or {y}?",
    "Is {x} or {y} {more}?",
    "Which one is {more}: {x} or {y}?",
    "Between {x} and {y}, which is {more}?",
    "Of {x} and {y}, which one is the {more} one?",
)
RELATION = (
    "What is the relation between {x} and {y}?",
    "What is the relationship between {x} and {y}?",
    "What is the relation of {x} to {y}?",
    "How is {x} related to {y}?",
    "How are {x} and {y} related?",
    "How are {x} and {y} connected?",
    "What connects {x} and {y}?",
    "What is the connection between {x} and {y}?",
    "What is the link between {x} and {y}?",
    "What does {x} have to do with {y}?",
    "What is {x} to {y}?",
    "In what way is {x} related to {y}?",
    "Tell me the relationship between {x} and {y}.",
    "I want to know the relation of {x} with {y}.",
    "{x} is related to {y} in what way?",
    "What relation does {x} have to {y}?",
)
QUERY = (
    "What is the {a} of {x}?",
    "What is the {a} of {x}?",
    "What is the {a} for {x}?",
    "What's the {a} of {x}?",
    "What {a} does {x} have?",
    "Which {a} does {x} have?",
    "Tell me the {a} of {x}.",
    "What is {x}'s {a}?",
    "For {x}, what is the {a}?",
    "I want to know the {a} of {x}.",
    "Give the {a} of {x}",
)
UNDER = (
    "What is the {a} of {x}{q}?",
    "What was the {a} of {x}{q}?",
    "For {x}, what is the {a}{q}?",
    "What {a} did {x} have{q}?",
    "Tell me the {a}{q} of {x}.",
    "What's the {a}{q} of {x}?",
)
_NUMBER = (
    "How many {n} does {x} have?",
    "How many {n} are there in {x}?",
    "What is the number of {n} of {x}?",
)
QUERY_WHEN: Mapping[str, tuple[str, ...]] = {
    "date of birth": ("When was {x} born?", "What is the birthday of {x}?", "When was the birth of {x}?"),
    "date of death": ("When did {x} die?", "When was the death of {x}?", "On which day did {x} die?"),
    "inception": ("When was {x} founded?", "When was {x} established?", "When did {x} come into being?"),
    "publication date": ("When was {x} published?", "When was {x} released?", "When did {x} come out?"),
    "start time": ("When did {x} start?", "When did {x} begin?"),
    "end time": ("When did {x} end?", "When was the end of {x}?"),
    "point in time": ("When did {x} take place?", "When was {x}?", "When was {x} held?"),
    "dissolved, abolished or demolished": ("When was {x} dissolved?", "When was {x} abolished?"),
    "first flight": ("When did {x} first fly?", "When was the first flight of {x}?"),
    "date of official opening": ("When was {x} opened?", "When was the official opening of {x}?"),
    "duration": ("How long is {x}?", "How long does {x} last?", "What is the running time of {x}?"),
    "height": ("How tall is {x}?", "How high is {x}?"),
    "length": ("How long is {x}?",),
    "area": ("How large is {x}?", "How big is {x}?"),
    "population": ("How many people live in {x}?", "How many inhabitants does {x} have?"),
    "elevation above sea level": ("How high is {x}?", "How far above sea level is {x}?"),
    "mass": ("How heavy is {x}?", "How much does {x} weigh?"),
    "employees": ("How many employees does {x} have?", "How many people work for {x}?"),
    "students count": ("How many students does {x} have?",),
    "cost": ("How much did {x} cost?", "What did {x} cost?"),
    "box office": ("How much did {x} make at the box office?",),
    "vertical depth": ("How deep is {x}?",),
    **dict.fromkeys(
        ("number of episodes", "number of seasons", "number of children", "number of speakers"), _NUMBER
    ),
}
VERIFY: Mapping[bool, Mapping[str, tuple[str, ...]]] = {
    True: {
        "=": (
            "Is the {a} of {x} {v}?",
            "Is {v} the {a} of {x}?",
            "Does {x} have the {a} {v}?",
            "Is the {a} of {x} equal to {v}?",
            "Is the {a} of {x} exactly {v}?",
            "Is it true that {x} has {v} as its {a}?",
        ),
        ">": (
            "Is the {a} of {x} greater than {v}?",
            "Is the {a} of {x} more than {v}?",
            "Is the {a} of {x} over {v}?",
            "Does {x} have {an_a} of more than {v}?",
            "Does the {a} of {x} exceed {v}?",
            "Is the {a} of {x} larger than {v}?",
        ),
        "<": (
            "Is the {a} of {x} less than {v}?",
            "Is the {a} of {x} smaller than {v}?",
            "Is the {a} of {x} below {v}?",
            "Does {x} have {an_a} of less than {v}?",
            "Is the {a} of {x} under {v}?",
            "Is the {a} of {x} lower than {v}?",
        ),
        "!": (
            "Is the {a} of {x} not {v}?",
            "Is the {a} of {x} different from {v}?",
            "Is the {a} of {x} unequal to {v}?",
            "Does {x} have {an_a} other than {v}?",
            "Is the {a} of {x} something other than {v}?",
        ),
    },
    False: {
        "=": (
            "Is the {a} of {x} {v}?",
            "Is {v} the {a} of {x}?",
            "Was {v} the {a} of {x}?",
            "Is the {a} of {x} the same as {v}?",
        ),
        ">": (
            "Is the {a} of {x} after {v}?",
            "Is the {a} of {x} later than {v}?",
            "Was the {a} of {x} after {v}?",
            "Does {x} have {an_a} after {v}?",
        ),
        "<": (
            "Is the {a} of {x} before {v}?",
            "Is the {a} of {x} earlier than {v}?",
            "Was the {a} of {x} prior to {v}?",
            "Was the {a} of {x} before {v}?",
        ),
        "!": (
            "Is the {a} of {x} not {v}?",
            "Is the {a} of {x} other than {v}?",
            "Was the {a} of {x} different from {v}?",
        ),
    },
}
WHEN_HAD: Mapping[str, tuple[str, ...]] = {
    "point in time": (
        "When was the {a} of {x} {v}?",
        "When did {x} have the {a} {v}?",
        "At what point in time was the {a} of {x} {v}?",
        "In which year was {v} the {a} of {x}?",
        "As of when was the {a} of {x} {v}?",
        "At what time was {v} the {a} of {x}?",
        "What is the date on which {x} had the {a} {v}?",
        "For {x}, when was the {a} {v}?",
    ),
    "": (
        "What is the {q} of {x} having the {a} {v}?",
        "What is the {q} when the {a} of {x} is {v}?",
        "For {x} with the {a} {v}, what is the {q}?",
        "For the {a} {v} of {x}, what is the {q}?",
        "What is the {q} of {v}, the {a} of {x}?",
        "{x} has the {a} {v}; what is the {q} of this?",
        "What {q} goes with the {a} {v} of {x}?",
    ),
}
# Words directly before the counted noun.
OPENINGS = frozenset(["more", "most", "fewer", "fewest", "less", "least"])
_MORE = (("greater", "greatest"), ("larger", "largest"), ("higher", "highest"), ("bigger", "biggest"))
_LESS = (("smaller", "smallest"), ("lower", "lowest"), ("lesser", "least"), ("smaller", "smallest"))
SIZES: Mapping[tuple[str, bool], tuple[tuple[str, str], ...]] = {
    ("greater", False): _MORE,
    ("less", False): _LESS,
    ("greater", True): (("more", "most"),),
    ("less", True): (("fewer", "fewest"), ("less", "least")),
}
_LENGTHS = {"greater": ("longer", "longest"), "less": ("shorter", "shortest")}
_HEIGHTS = {"greater": ("higher", "highest"), "less": ("lower", "lowest")}
# Comparatives and superlatives, by attribute.
ADJECTIVES: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "duration": _LENGTHS,
    "length": _LENGTHS,
    "height": {"greater": ("taller", "tallest"), "less": ("shorter", "shortest")},
    "elevation above sea level": _HEIGHTS,
    "area": {"greater": ("larger", "largest"), "less": ("smaller", "smallest")},
    "mass": {"greater": ("heavier", "heaviest"), "less": ("lighter", "lightest")},
    "vertical depth": {"greater": ("deeper", "deepest"), "less": ("shallower", "shallowest")},
    "population": {
        "greater": ("more populous", "most populous"),
        "less": ("less populous", "least populous"),
    },
    "cost": {"greater": ("more expensive", "most expensive"), "less": ("cheaper", "cheapest")},
    "net worth": {"greater": ("richer", "richest"), "less": ("poorer", "poorest")},
    "density": {"greater": ("denser", "densest"), "less": ("less dense", "least dense")},
}
