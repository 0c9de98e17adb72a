"""The wording of attributes, qualifiers and values."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

from compilers.kopl.functions import ValueType
from compilers.kopl.values import Date, Quantity, Value, Year, format_number, likely_value
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.index.introspect.units import without_unit
from nlq_gateway.index.text import fold, humanise, stem
from nlq_gateway.language.lexicon import said_of
from nlq_gateway.language.wording import english
from nlq_gateway.language.wording.english import words_of
from nlq_gateway.language.wording.phrases import Clause
from nlq_gateway.language.wording.relations import DONE_BY_THEMSELVES, Frame, frame, rows

_MONTHS = "January February March April May June July August September October November December".split()
TIME_WORDS = {"=": "", "<": "before", ">": "after", "<=": "no later than", ">=": "no earlier than"}
_MORE = {"=": "", "!=": "other than", "<": "less than", ">": "more than", "<=": "at most", ">=": "at least"}
_OVER = {"=": "of", "!=": "other than", "<": "under", ">": "over", "<=": "of at most", ">=": "of at least"}
WHEN = frozenset(["point in time", "date", "year", "time"])
# Names of qualifiers that are no nouns.
_QUALIFIER_NOUNS = {
    "statement is subject of": "statement's topic",
    "instance of": "kind",
    "named as": "recorded name",
    "object has role": "role",
    "subject has role": "role",
    "applies to part": "part concerned",
    "applies to jurisdiction": "jurisdiction",
    "language of work or name": "language",
    "retrieved": "retrieval date",
    "follows": "predecessor",
    "followed by": "successor",
    "review score by": "reviewer",
    "has cause": "cause",
    "of": "object",
}
# Qualifiers that a preposition says.
_QUALIFIED = {
    "role": "as",
    "character role": "as",
    "for work": "for",
    "place of publication": "in",
    "location": "in",
    "country": "in",
}
_NAMES = frozenset(["name", "label", "title"])


@dataclass(frozen=True, slots=True)
class AttributeWording:
    """The name of an attribute as English.

    Attributes:
        noun: the name, singular.
        asks: the words that ask for its value, as how long or when; empty where only what is does.
        frame: the verb of that question.
        done: the participle before a time, as born.
        degrees: more, most, less and least of its adjective.
        counted: the counted noun, as pages.
    """

    noun: str
    asks: str = ""
    frame: Frame | None = None
    done: str = ""
    degrees: tuple[str, ...] = ()
    counted: str = ""

    @property
    def happened(self) -> str:
        """What a time is of, in the past: was founded, joined; "" for other values."""
        if self.done:
            return f"was {self.done}"
        frame = self.frame if self.asks == "when" else None
        return english.past(frame.verb) if frame and frame.verb != "be" else ""

    def degree(self, more: bool, most: bool) -> str:
        """The adjective's comparative or superlative, or ""."""
        return self.degrees[(0 if more else 2) + most] if self.degrees else ""


@lru_cache(maxsize=4096)
def attribute_of(label: str, is_quantity: bool = False, is_time: bool = False) -> AttributeWording:
    """The reading of an attribute's name without its unit.

    A plural is what a quantity counts, a verb in the past what happened at a time.
    """
    label = next(without_unit((label,)), label)
    words = humanise(label).replace("_", " ").strip()
    for start in ("has ", "have "):
        words = words.removeprefix(start) or words
    known = _table().get(stem(fold(words)))
    if known is not None:
        is_done = known[0] == "when" and english.is_participle(words.partition(" ")[0].rstrip(","))
        return AttributeWording(f"{words} date" if is_done else words, *known)
    event = _event_of(words.lower()) if is_time else None
    if event is not None:
        return event
    for start in ("number of ", "count of ", "total number of "):
        if words.lower().startswith(start):
            counted = english.plural(words[len(start) :])
            return AttributeWording(words, f"how many {counted}", Frame("have"), counted=counted)
    counted = english.plural(words.removesuffix(" count"))
    if is_quantity and (words.endswith(" count") or english.is_plural(words)):
        return AttributeWording(words, f"how many {counted}", Frame("have"), counted=counted)
    return AttributeWording(words)


def _event_of(name: str) -> AttributeWording | None:
    """The reading of a verb in the past, as joined or shipped on; None for a name that is none."""
    verb = name.removesuffix(" on").removesuffix(" at")
    if verb in DONE_BY_THEMSELVES or (english.is_past(verb) and not english.is_participle(verb)):
        return AttributeWording(f"{verb} date", "when", Frame(english.base_of_past(verb), past=True))
    if english.is_participle(verb):
        return AttributeWording(f"{verb} date", "when", Frame("be", verb, past=True), verb)
    return None


@cache
def _table() -> dict[str, tuple[str, Frame | None, str, tuple[str, ...]]]:
    found = {}
    for name, asks, verb, done, degrees in rows("attributes.tsv"):
        adjectives = () if degrees == "-" else tuple(degrees.split())
        found[stem(fold(name))] = (asks, frame(verb), "" if done == "-" else done, adjectives)
    return found


def value_text(value: Value) -> str:
    """Return a value in English: 12 February 1809, 5000 kilometres."""
    if isinstance(value, Date):
        return f"{value.day} {_MONTHS[value.month - 1]} {value.year}"
    if isinstance(value, Quantity) and value.unit != "1":
        unit = value.unit if value.number == 1 else english.plural_unit(value.unit)
        return f"{format_number(value.number)} {unit}"
    return str(value)


def value_of(text: str, value_type: ValueType | None, types: tuple[ValueType, ...]) -> Value:
    """The value that a program's argument states; ValueSyntaxError cannot happen in a checked program."""
    return likely_value(text, (value_type,) if value_type else types or tuple(ValueType))


def time_words(value: Value, operator: str) -> str:
    """Return a time in English: in 1940, on 12 February 1809, before 1900."""
    if operator == "=":
        return f"{'on' if isinstance(value, Date) else 'in'} {value_text(value)}"
    return f"{TIME_WORDS[operator]} {value_text(value)}"


def property_of(item: SchemaItem | None, value: str) -> Clause | None:
    """The clause of an attribute that is true or false, "is active"; None where its name has no verb."""
    truths = item.truths if item is not None else None
    if item is None or truths is None or value not in truths:
        return None
    verb, said = said_of(item.label)
    no = {"": "", "be": "not ", "have": "no "}[verb] if value == truths[1] else ""
    return Clause(verb, no + said) if verb else None


def compared(attribute: AttributeWording, value: Value, operator: str) -> Clause:
    """Return the clause that an attribute compares so with a value."""
    text = value_text(value)
    if isinstance(value, (Year, Date)):
        return _timed(attribute, value, operator)
    if isinstance(value, Quantity):
        degree = attribute.degree(operator == ">", most=False)
        if operator in "<>" and degree:
            return Clause("be", f"{degree} than", text)
        if attribute.counted:
            more = "fewer than" if operator == "<" else _MORE[operator]
            return Clause("have", more, words_of(text, attribute.counted))
        article = english.with_article(attribute.noun)
        return Clause("have", f"{article} {_OVER[operator]}", text)
    if fold(attribute.noun) in _NAMES and operator == "=":
        return Clause("be", "called", text)
    return Clause("have", words_of("the", attribute.noun), text, denied=operator == "!=")


def _timed(attribute: AttributeWording, value: Value, operator: str) -> Clause:
    denied = operator == "!="
    when = time_words(value, "=" if denied else operator)
    if attribute.done:
        return Clause("be", attribute.done, when, past=True, denied=denied)
    if attribute.frame and attribute.frame.verb not in ("be", "have"):
        return Clause(attribute.frame.verb, attribute.frame.link, when, past=True, denied=denied)
    if operator == "=" or denied:
        return Clause("have", words_of("the", attribute.noun), value_text(value), denied=denied)
    return Clause("have", english.with_article(attribute.noun), when)


def qualifier_noun(label: str) -> str:
    """Return the noun for a qualifier."""
    words = humanise(label).replace("_", " ")
    return _QUALIFIER_NOUNS.get(fold(words), words)


def qualified(label: str, value: Value, operator: str) -> str:
    """Return a qualifier's addition to a fact: in 1994, with the role Joker."""
    known = fold(humanise(label))
    noun = qualifier_noun(label)
    if noun.rpartition(" ")[2] in english.PREPOSITIONS and operator == "=":
        return f"{noun} {value_text(value)}"
    if isinstance(value, (Year, Date)):
        if operator == "!=":
            return f"with {english.with_article(noun)} other than {value_text(value)}"
        when = time_words(value, operator)
        if known in WHEN:
            return when
        starts = {"start time": "starting", "end time": "ending"}.get(known)
        return f"{starts} {when}" if starts else f"with {english.with_article(noun)} {when}"
    if operator == "=":
        return f"{_QUALIFIED.get(known, f'with the {noun}')} {value_text(value)}"
    return f"with {english.with_article(noun)} {_OVER[operator]} {value_text(value)}"
