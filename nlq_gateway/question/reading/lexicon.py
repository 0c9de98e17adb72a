"""Words that steer a question's meaning: closed lists of English, with the common German ones.

Each list says what a word asks for and which names of attributes it hints at; the hints are compared
with the graph's own names by embedding, so that none of them needs to occur in a graph.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Degree:
    """What a superlative or comparative means: `more` picks the larger value of a hinted attribute.

    `aged` words are about dates, where the older has the smaller value; of an age it has the larger.
    """

    more: bool
    hints: tuple[str, ...] = ()
    aged: bool = False

    def more_of(self, is_quantity: bool) -> bool:
        """Whether the larger value is meant, of a quantity or of a time."""
        return self.more != (self.aged and is_quantity)


_SIZE = ("area", "size", "population")
_LENGTH = ("length", "duration", "running time")
_HEIGHT = ("height", "elevation", "altitude")
_BIRTH = ("age", "date of birth", "inception", "founding date", "publication date")
_MONEY = ("cost", "price", "revenue", "budget")

_ADJECTIVES: dict[str, Degree] = {
    "larg": Degree(True, _SIZE),
    "bigg": Degree(True, _SIZE),
    "great": Degree(True, _SIZE),
    "small": Degree(False, _SIZE),
    "tini": Degree(False, _SIZE),
    "long": Degree(True, _LENGTH),
    "short": Degree(False, (*_LENGTH, "height")),
    "tall": Degree(True, _HEIGHT),
    "high": Degree(True, _HEIGHT),
    "low": Degree(False, _HEIGHT),
    "deep": Degree(True, ("depth", "maximum depth")),
    "shallow": Degree(False, ("depth",)),
    "heavi": Degree(True, ("mass", "weight")),
    "light": Degree(False, ("mass", "weight")),
    "wid": Degree(True, ("width",)),
    "fast": Degree(True, ("speed",)),
    "slow": Degree(False, ("speed",)),
    "rich": Degree(True, ("net worth", "revenue", "income")),
    "poor": Degree(False, ("net worth", "income")),
    "cheap": Degree(False, _MONEY),
    "old": Degree(False, _BIRTH, aged=True),
    "young": Degree(True, _BIRTH, aged=True),
    "new": Degree(True, ("date", "inception", "publication date")),
    "earli": Degree(False, ("date", "publication date", "inception")),
    "lat": Degree(True, ("date", "publication date", "inception")),
    "hot": Degree(True, ("temperature",)),
    "cold": Degree(False, ("temperature",)),
    "strong": Degree(True, ("strength", "power")),
    "größ": Degree(True, _SIZE),
    "läng": Degree(True, _LENGTH),
    "höch": Degree(True, _HEIGHT),
    "ält": Degree(False, _BIRTH, aged=True),
    "jüng": Degree(True, _BIRTH, aged=True),
    "klein": Degree(False, _SIZE),
}

_WHOLE_WORDS: dict[str, Degree] = {
    "most": Degree(True),
    "least": Degree(False),
    "fewest": Degree(False),
    "first": Degree(False, ("date", "publication date", "inception")),
    "last": Degree(True, ("date", "publication date", "inception")),
    "highest": Degree(True, _HEIGHT),
    "maximum": Degree(True),
    "minimum": Degree(False),
    "best": Degree(True, ("rating", "score")),
    "worst": Degree(False, ("rating", "score")),
    "meisten": Degree(True),
    "wenigsten": Degree(False),
}

_COMPARATIVE_WORDS: dict[str, Degree] = {
    "more": Degree(True),
    "less": Degree(False),
    "fewer": Degree(False),
    "later": Degree(True, ("date",)),
    "earlier": Degree(False, ("date",)),
    "mehr": Degree(True),
    "weniger": Degree(False),
}

# Between two things they compare times that the question names: "was A released before B".
TIME_ORDERS: dict[str, Degree] = {
    "before": Degree(False),
    "after": Degree(True),
    "vor": Degree(False),
    "nach": Degree(True),
}

# How many words of the question a cue takes, and the operator that it puts before a value.
OPERATORS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("no", "more", "than"), "<="),
    (("no", "less", "than"), ">="),
    (("not", "more", "than"), "<="),
    (("not", "less", "than"), ">="),
    (("at", "least"), ">="),
    (("at", "most"), "<="),
    (("more", "than"), ">"),
    (("greater", "than"), ">"),
    (("less", "than"), "<"),
    (("fewer", "than"), "<"),
    (("later", "than"), ">"),
    (("earlier", "than"), "<"),
    (("prior", "to"), "<"),
    (("mehr", "als"), ">"),
    (("weniger", "als"), "<"),
    (("other", "than"), "!="),
    (("not", "in"), "!="),
    (("not", "on"), "!="),
    (("outside", "of"), "!="),
    (("outside",), "!="),
    (("over",), ">"),
    (("above",), ">"),
    (("exceeding",), ">"),
    (("exceeds",), ">"),
    (("exceed",), ">"),
    (("beyond",), ">"),
    (("after",), ">"),
    (("since",), ">"),
    (("nach",), ">"),
    (("über",), ">"),
    (("under",), "<"),
    (("below",), "<"),
    (("before",), "<"),
    (("until",), "<"),
    (("vor",), "<"),
    (("unter",), "<"),
    (("not",), "!="),
    (("except",), "!="),
)

HOW_HINTS: dict[str, tuple[str, ...]] = {
    "long": _LENGTH,
    "tall": ("height",),
    "high": _HEIGHT,
    "big": (*_SIZE, "height"),
    "large": _SIZE,
    "old": ("date of birth", "age", "inception"),
    "deep": ("depth",),
    "far": ("distance",),
    "much": _MONEY,
    "heavy": ("weight", "mass"),
    "wide": ("width",),
    "fast": ("speed",),
    "powerful": ("power",),
    "strong": ("strength", "power"),
    "expensive": _MONEY,
    "rich": ("net worth", "revenue", "income"),
    "populous": ("population",),
    "hot": ("temperature",),
    "cold": ("temperature",),
    "often": ("frequency",),
}

# They measure by the adjective behind them: "the most expensive".
DEGREES = frozenset("how most least more less".split())
ORDINALS: dict[str, int] = {
    word: number
    for number, word in enumerate("second third fourth fifth sixth seventh eighth ninth tenth".split(), 2)
}

COUNT_CUES: tuple[tuple[str, ...], ...] = (
    ("how", "many"),
    ("the", "number", "of"),
    ("number", "of"),
    ("count", "of"),
    ("count", "the"),
    ("wie", "viele"),
    ("anzahl",),
)

VERIFY_OPENERS = frozenset(
    """
    is are was were do does did has have had can could will would isn't aren't wasn't ist sind war hat
    """.split()
)
COMMANDS = frozenset("list name give show find tell get count enumerate nenne zeige".split())
PERSON_WORDS = frozenset(["who", "whom", "whose", "wer", "wen", "wem", "wessen"])
TIME_WORDS = frozenset(["when", "wann"])
PLACE_WORDS = frozenset(["where", "wo", "woher"])
HOW_WORDS = frozenset(["how", "wie"])
AGE_WORDS = frozenset("old recent early late alt".split())
FALSE_WORDS = frozenset("false untrue falsch".split())
# Beside these, a question that opens with a verb wants more than yes or no.
OFFERING = frozenset("you i we or oder".split())
RELATIVE = frozenset("where that which who whom whose wo".split())
ASKING = PERSON_WORDS | TIME_WORDS | PLACE_WORDS | HOW_WORDS
PRONOUNS = frozenset("it its he him his she her".split())
AUXILIARIES = frozenset("do does did has have had doesn't didn't don't hasn't haven't hadn't".split())
ARTICLES = frozenset("the a an".split())
CHOICE_WORDS = frozenset(["which", "what", "welche", "welcher", "welches", "welchen"])
# What programs cannot state: a question with such a word is not answered as if it were not there.
UNSTATED = frozenset("average mean median sum without except excluding ohne durchschnittlich".split())
# What is negated is not stated either, but before a value, where it is part of a comparison.
NEGATIONS = frozenset("not never neither nor cannot nicht nie kein keine keinen keinem keiner".split())
DENIALS = frozenset("without except excluding ohne".split())
AGAIN_WORDS = frozenset(
    "same share shares shared sharing together also common alongside another other others else".split()
)
# Prepositions that lead on to another thing.
JOINING = frozenset("of by in with from to for".split())
RELATION_WORDS = frozenset(
    ["relation", "relationship", "connection", "connected", "related", "relate", "beziehung"]
)

NOUN_HINTS: dict[str, tuple[str, ...]] = {
    "kind": ("kind", "type", "genre"),
    "type": ("kind", "type", "genre"),
    "sort": ("kind", "type", "genre"),
    "topic": ("topic", "subject", "tag"),
    "about": ("topic", "subject", "tag"),
    "describe": ("description", "keyword", "tag"),
    "describes": ("description", "keyword", "tag"),
    "described": ("description", "keyword", "tag"),
    "describing": ("description", "keyword", "tag"),
    "lead": ("leader", "head"),
    "led": ("leader", "head"),
    "rule": ("ruler", "head of state"),
    "ruled": ("ruler", "head of state"),
    "own": ("owner",),
    "owned": ("owner",),
}

PREPOSITIONS: dict[str, tuple[str, ...]] = {
    "in": ("located in",),
    "at": ("located at",),
    "on": ("located on",),
    "from": ("comes from", "country"),
    "by": ("made by",),
}

PERSON_HINT = "person"
PLACE_HINT = "place"


def is_negation(word: str) -> bool:
    """Whether a lower-case word denies something: not, doesn't, kein."""
    return word in NEGATIONS or word.endswith(("n't", "n’t"))


def begins_clause(words: Sequence[str]) -> bool:
    """Whether lower-case words after a noun say more of it: "where", "that", "in which"."""
    after = words[1:] if words[:1] and words[0] in PREPOSITIONS else words
    return bool(after) and after[0] in RELATIVE


def is_exception(word: str) -> bool:
    """Whether a lower-case word leaves out what follows it: without, except."""
    return word in DENIALS


def superlative(word: str) -> Degree | None:
    """What a lower-case superlative asks for, or None for any other word."""
    if word in _WHOLE_WORDS:
        return _WHOLE_WORDS[word]
    for ending in ("est", "sten", "ste", "ster"):
        if word.endswith(ending) and (found := _ADJECTIVES.get(_root(word.removesuffix(ending)))):
            return found
    return None


def comparative(word: str) -> Degree | None:
    """What a lower-case comparative asks for, or None for any other word."""
    if word in _COMPARATIVE_WORDS:
        return _COMPARATIVE_WORDS[word]
    return _ADJECTIVES.get(_root(word.removesuffix("er"))) if word.endswith("er") else None


def _root(stem: str) -> str:
    return stem.removesuffix("e") if stem.removesuffix("e") in _ADJECTIVES else stem
