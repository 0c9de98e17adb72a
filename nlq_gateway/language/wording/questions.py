"""The last step of a program as questions, the plainest first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from compilers.kopl.functions import ValueType
from nlq_gateway.language.wording import english
from nlq_gateway.language.wording.attributes import AttributeWording
from nlq_gateway.language.wording.comparisons import among, between, verify
from nlq_gateway.language.wording.english import sentence, words_of
from nlq_gateway.language.wording.phrases import Clause, MeasureWording, Phrase, finite, inverted, same_noun
from nlq_gateway.language.wording.qualifiers import attribute_qualifier, relation_qualifier
from nlq_gateway.language.wording.wholes import share, so_many
from nlq_gateway.language.wording.writer import Writer

_COMMANDS = ("List", "Show", "Give me", "Name")
_HOW_MANY_PEOPLE = "how many people"
_ANYONE = frozenset(["", "person", "human", "human being", "people"])


def what(writer: Writer, at: int) -> list[str]:
    """Questions for the members of a set."""
    return asking(writer, writer.phrase(writer.source(at)))


def asking(writer: Writer, phrase: Phrase) -> list[str]:
    """Questions for the members that a phrase describes."""
    forms = _main(phrase)
    definite, be = phrase.definite(), finite("be", phrase.many, False)
    forms.append(f"{'Who' if phrase.person else 'What'} {be} {definite}?")
    command = writer.pick(_COMMANDS)
    forms.append(sentence(f"{command} {definite}", "."))
    if not phrase.is_plain_name:
        forms.append(sentence(phrase.bare()) if not phrase.name else f"The {phrase.bare()}?")
    return forms


def _main(phrase: Phrase) -> list[str]:
    """Questions that ask for the last clause, the active voice first."""
    if phrase.before or phrase.after:
        return []
    forms = _who(phrase)
    for clause in _last_clauses(phrase):
        if clause.is_mixed or _says_role(phrase, clause):
            continue
        if clause.is_asked:
            if clause.place and not phrase.noun and not _others(phrase, clause):
                forms.append(f"Where {clause.asked(place=True)}?")
            forms.append(f"{_which(phrase, clause)} {clause.asked()}?")
        else:
            which = _which(phrase, clause)
            forms.append(f"{which} {clause.predicate(phrase.many and which not in ('Who', 'What'))}?")
    if phrase.is_role and not _active(phrase.done):
        be = finite("be", phrase.many, False)
        return [f"{'Who' if phrase.person else 'What'} {be} {phrase.definite()}?", *forms]
    if not forms and not phrase.name and not phrase.role:
        forms.append(f"Which {phrase.bare(True)} are there?")
    return forms


def _says_role(phrase: Phrase, clause: Clause) -> bool:
    """True if the question would repeat its noun: which genre is the genre of it."""
    named = clause.verb == "be" and clause.link == f"the {phrase.role} of" and not clause.subject
    return named and same_noun(phrase.role, phrase.noun or phrase.guess)


def _who(phrase: Phrase) -> list[str]:
    """The question "Who ...?" for persons with several clauses."""
    doing = [one for one in phrase.said if not (one.subject or one.parts or one.is_exception)]
    anyone = phrase.person and phrase.noun in _ANYONE and not phrase.name and not phrase.is_role
    if not anyone or len(doing) < 2 or len(doing) < len(phrase.said):
        return []
    return [f"Who {english.listed([clause.predicate(False) for clause in doing])}?"]


def _active(clause: Clause | None) -> bool:
    return clause is not None and (clause.verb not in ("be", "have") or bool(clause.subject))


def _last_clauses(phrase: Phrase) -> list[Clause]:
    """The clauses that a question can ask for, with the voices of each, the best first."""
    clauses = [clause for clause in phrase.clauses if not clause.is_exception]
    clause = clauses[-1] if clauses else phrase.done
    if clause is None:
        return []
    voices = [clause, *([clause.other] if clause.other else [])]
    return sorted(voices, key=_voice)


def _voice(clause: Clause) -> int:
    """Active verbs first, then what the members are or have, then what something else is to them."""
    # "did he found" reads as the past participle of "find".
    if clause.verb not in ("be", "have", "found"):
        return 0
    return 2 if clause.subject else 1


def _others(phrase: Phrase, asked: Clause) -> list[Clause]:
    return [clause for clause in phrase.said if asked not in (clause, clause.other)]


def _without(phrase: Phrase, asked: Clause) -> Phrase:
    """The phrase without what the question says itself."""
    if phrase.is_role and phrase.done is not None and asked not in (phrase.done, phrase.done.other):
        left = tuple(clause for clause in phrase.clauses if asked not in (clause, clause.other))
        return replace(phrase, clauses=left)
    return replace(phrase, clauses=tuple(_others(phrase, asked)), role="", owner="", possessive="", done=None)


def _which(phrase: Phrase, asked: Clause) -> str:
    """The question word and noun for the members: which films starring Bo, who."""
    others = _others(phrase, asked)
    said = _without(phrase, asked)
    if not (said.is_role or phrase.name or others):
        if phrase.person and phrase.noun in _ANYONE:
            return "Who"
        if not phrase.noun and not phrase.guess:
            return "What"
    return f"Which {said.bare()}"


def how_many(writer: Writer, at: int) -> list[str]:
    """Questions for the size of a set."""
    phrase = writer.phrase(writer.source(at))
    counted = replace(phrase, many=True)
    forms = []
    if phrase.is_role and phrase.owner and not phrase.clauses:
        forms.append(f"How many {phrase.head(True)} of {phrase.owner} are there?")
    elif not (phrase.before or phrase.after or phrase.name):
        for clause in _last_clauses(phrase):
            others = _without(counted, clause)
            done = clause.asked() if clause.is_asked else clause.predicate(True)
            forms.append(f"How many {others.bare(True)} {done}?")
    bare = phrase.definite() if phrase.name else counted.bare(True)
    if not (phrase.name and phrase.many):
        forms.append(f"How many {bare} are there?")
    forms.append(f"What is the number of {bare}?")
    forms.append(sentence(f"Count {'the ' if not phrase.name else ''}{bare}", "."))
    forms.append(f"Number of {bare}?")
    return forms


def exists(writer: Writer, at: int) -> list[str]:
    """Questions whether a set has a member."""
    phrase = writer.phrase(writer.source(at))
    if phrase.name and phrase.clauses:
        clause = phrase.clauses[-1]
        subject = replace(phrase, clauses=phrase.clauses[:-1]).definite()
        if not clause.subject and not clause.parts:
            return [sentence(inverted(clause, subject, phrase.many, clause.rest))]
    if phrase.name:
        return [f"Is there {phrase.name}?"]
    many = replace(phrase, many=True).bare(True)
    return [f"Are there {many}?", f"Is there {phrase.any()}?", f"Are there any {many}?"]


def values(writer: Writer, at: int) -> list[str]:
    """Questions for the values of an attribute."""
    measure, attribute = writer.measure(at), writer.attribute(at)
    asked, named = _asked_with_adjective(attribute, measure), measured(measure)
    # "How many people live in ...?" also asks for a count of people.
    return [*named, *asked] if attribute.asks == _HOW_MANY_PEOPLE else [*asked, *named]


def measured(measure: MeasureWording) -> list[str]:
    """Questions for a value or a number."""
    be = "are" if measure.many or english.is_plural(measure.noun) else "is"
    text = measure.text()
    forms = [f"What {be} {text}?"]
    owner = measure.owner
    if owner is not None and owner.is_plain_name:
        forms.append(f"What is {words_of(owner.name + _genitive(owner.name), measure.noun, measure.tail)}?")
    forms.append(sentence(f"Give me {text}", "."))
    if text.startswith("the "):
        forms.append(sentence(text.removeprefix("the ")))
    return forms


def _genitive(name: str) -> str:
    return "'" if name.endswith("s") else "'s"


def _asked_with_adjective(attribute: AttributeWording, measure: MeasureWording) -> list[str]:
    if not attribute.asks or attribute.frame is None or measure.owner is None:
        return []
    frame, owner = attribute.frame, measure.owner
    who = owner.definite()
    asks = attribute.asks[:1].upper() + attribute.asks[1:]
    if attribute.asks == _HOW_MANY_PEOPLE:
        verb = finite(frame.verb, True, False)
        return [f"{asks} {words_of(verb, frame.link, who, measure.tail)}?"]
    clause = Clause(frame.verb, frame.link, past=frame.past)
    return [f"{asks} {inverted(clause, who, owner.many, words_of(frame.link, measure.tail))}?"]


def relation(writer: Writer, at: int) -> list[str]:
    """Questions for the relation of two sets."""
    first, second = (writer.phrase(source).definite() for source in writer.sources(at))
    return [
        f"What is the relation between {first} and {second}?",
        f"How is {first} related to {second}?",
        f"What connects {first} with {second}?",
        f"What does {first} have to do with {second}?",
    ]


def number(writer: Writer, at: int) -> list[str]:
    """Questions for a number taken over values, or a calculated one."""
    return measured(writer.measure(at))


def calculated(writer: Writer, at: int) -> list[str]:
    """Questions for what is calculated."""
    return share(writer, at) or number(writer, at)


def verify_number(writer: Writer, at: int) -> list[str]:
    """Questions whether values are so, or a number is."""
    return so_many(writer, at) or verify(ValueType.QUANTITY)(writer, at)


QUESTIONS: Mapping[str, Callable[[Writer, int], Sequence[str]]] = {
    "What": what,
    "Count": how_many,
    "Exists": exists,
    "QueryAttr": values,
    "QueryAttrUnderCondition": values,
    "QueryRelation": relation,
    "SelectBetween": between,
    "SelectAmong": among,
    "VerifyStr": verify(ValueType.STRING),
    "VerifyNum": verify_number,
    "VerifyYear": verify(ValueType.YEAR),
    "VerifyDate": verify(ValueType.DATE),
    "QueryAttrQualifier": attribute_qualifier,
    "QueryRelationQualifier": relation_qualifier,
    "Sum": number,
    "Average": number,
    "Minimum": number,
    "Maximum": number,
    "CountValues": number,
    "Calculate": calculated,
    "Number": number,
    "Round": number,
    "Period": number,
}
