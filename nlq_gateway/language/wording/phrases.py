"""Noun phrases, of sets and of values, and the clauses that describe their members, as English text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from nlq_gateway.language.tables import words
from nlq_gateway.language.wording import english
from nlq_gateway.language.wording.english import words_of
from nlq_gateway.language.wording.relations import Frame

_ADJECTIVES = words("comparative_adjectives")
OTHER_THAN = "other than"
_PLACES, _PLACE_VERBS = words("placed_participles"), words("placed_verbs")


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause about the members of a set.

    The members are its subject (films are directed by Kubrick) or, with a `subject`, its object (films that
    Kubrick directed). `whose` makes it possessive (films whose director is Kubrick), `tail` is the text of a
    qualifier, `other` the clause in the other voice; `parts` are clauses joined by `word`.
    """

    verb: str = "be"
    link: str = ""
    object: str = ""
    past: bool = False
    subject: str = ""
    subject_many: bool = False
    whose: str = ""
    tail: str = ""
    denied: bool = False
    other: Clause | None = None
    parts: tuple[Clause, ...] = ()
    word: str = "or"

    @property
    def rest(self) -> str:
        """The text after the verb."""
        return words_of(self.link, self.object, self.tail)

    @property
    def is_asked(self) -> bool:
        """True if a question can put the members first: which films did Kubrick direct."""
        return bool(self.subject)

    @property
    def is_exception(self) -> bool:
        """True if the clause leaves out one thing: other than Kubrick."""
        return self.link == OTHER_THAN

    @property
    def is_mixed(self) -> bool:
        """True if the members are the subject of one part and the object of another."""
        return any(part.subject or part.is_mixed for part in self.parts)

    @property
    def short(self) -> str:
        """The clause without a pronoun: directed by Kubrick; empty where that cannot be."""
        if self.parts:
            parts = [part.short for part in self.parts]
            return english.listed(parts, self.word) if all(parts) else ""
        if self.subject or self.denied or self.whose:
            return ""
        first = self.link.partition(" ")[0]
        if self.verb == "have":
            return f"with {self.rest}"
        if self.verb == "be":
            fits = first in english.PREPOSITIONS or first in _ADJECTIVES or english.is_participle(first)
            return self.rest if fits or first in ("called", "born", "other") else ""
        return "" if self.past else f"{english.gerund(self.verb)} {self.rest}"

    def predicate(self, many: bool) -> str:
        """The members' predicate, as are directed by Kubrick; a relative clause if they are its object."""
        if self.parts:
            return english.listed([part.predicate(many) for part in self.parts], self.word)
        if self.whose:
            has = finite("have", many, past=False, denied=self.denied)
            return words_of(has, self.object, f"as {self.whose}", self.tail)
        rest = words_of(_in_number(self.link, many), self.object, self.tail)
        return words_of(finite(self.verb, many, self.past, self.denied), rest)

    def relative(self, many: bool, person: bool) -> str:
        """The clause with its pronoun: that are directed by Kubrick, that Kubrick directed."""
        if self.is_mixed:
            return english.listed([part.relative(many, person) for part in self.parts], self.word)
        if self.whose and not self.denied:
            return words_of(f"whose {self.whose} is", self.object, self.tail)
        if self.subject:
            done = finite(self.verb, self.subject_many, self.past, self.denied)
            return words_of("that", self.subject, done, self.link, self.tail)
        return f"{'who' if person else 'that'} {self.predicate(many)}"

    def asked(self, place: bool = False) -> str:
        """The question with the members as object: did Kubrick direct; "where" drops the preposition."""
        link = self.link.rpartition(" ")[0] if place and " " in self.link else "" if place else self.link
        return inverted(self, self.subject, self.subject_many, words_of(link, self.tail))

    @property
    def place(self) -> bool:
        """True if "where" asks for the members."""
        first, _, last = self.link.rpartition(" ")
        fits = first.partition(" ")[0] in _PLACES if first else self.verb in _PLACE_VERBS
        return bool(self.subject) and last in ("in", "at", "on") and fits


def _in_number(link: str, many: bool) -> str:
    """The words after a verb, where they call the members something: a member of, members of."""
    article, _, noun = link.partition(" ")
    return english.plural(noun) if many and article in ("a", "an") and noun.endswith(" of") else link


def finite(verb: str, many: bool, past: bool, denied: bool = False) -> str:
    """The verb with its number and tense."""
    if verb == "be":
        form = ("were" if many else "was") if past else ("are" if many else "is")
        return f"{form} not" if denied else form
    if denied:
        return f"{'did' if past else 'do' if many else 'does'} not {verb}"
    if past:
        return english.past(verb)
    return verb if many else english.third_person(verb)


def inverted(clause: Clause, subject: str, many: bool, rest: str) -> str:
    """Verb and subject in the order of a question: did Kubrick direct Barry Lyndon."""
    if clause.verb == "be":
        return words_of(finite("be", many, clause.past), subject, "not" if clause.denied else "", rest)
    auxiliary = "did" if clause.past else "do" if many else "does"
    return words_of(auxiliary, subject, "not" if clause.denied else "", clause.verb, rest)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A set as a noun phrase.

    Attributes:
        name: the name of the set's only member, or a text for the whole set.
        noun: the concept that the program states, singular.
        guess: a concept of the members inferred from their clauses, singular.
        role: the noun for the members beside `owner`, as director; `done` is its clause.
        before: the text before the noun, as two longest.
        after: the text at the end, as with the largest area.
        pronoun: the possessive of the name if it is a pronoun, `their` or `its`.
    """

    name: str = ""
    noun: str = ""
    guess: str = ""
    role: str = ""
    owner: str = ""
    possessive: str = ""
    done: Clause | None = None
    clauses: tuple[Clause, ...] = ()
    before: str = ""
    after: str = ""
    many: bool = True
    person: bool = False
    pronoun: str = ""

    @property
    def is_role(self) -> bool:
        """True if the role is used as the noun."""
        return bool(self.role) and (not self.noun or same_noun(self.role, self.noun))

    @property
    def said(self) -> tuple[Clause, ...]:
        """All clauses that the noun does not already express."""
        return self.clauses if self.is_role or self.done is None else (self.done, *self.clauses)

    @property
    def is_plain_name(self) -> bool:
        """True if the phrase is only a name."""
        return bool(self.name) and not (self.noun or self.said or self.before or self.after)

    def head(self, many: bool) -> str:
        """The noun alone."""
        anything = "person" if self.person else "thing"
        noun = self.role if self.is_role else self.noun or self.guess or anything
        return english.plural(noun) if many else noun

    def bare(self, many: bool | None = None) -> str:
        """The phrase without an article."""
        many = self.many if many is None else many
        if self.name:
            base = words_of(self.noun, self.name)
        elif self.is_role and not self.possessive:
            base = words_of(self.before, self.head(many), "of", self.owner)
        else:
            base = words_of(self.before, self.head(many))
        return words_of(base, described(self.said, many, self.person), self.after)

    def definite(self) -> str:
        """The phrase as something known: Kubrick, the films directed by Kubrick, all films."""
        if self.is_plain_name:
            return self.name
        if self.possessive and self.is_role:
            return f"{self.possessive} {self.bare()}"
        if self.name.startswith("The ") and not self.noun:
            return self.bare()
        if self.many and not (self.name or self.said or self.before or self.after or self.is_role):
            return f"all {self.bare()}"
        return f"the {self.bare()}"

    def related(self) -> str:
        """The phrase as what something is related to: Kubrick, films, the films directed by Kubrick."""
        return self.definite().removeprefix("all ") if not self.name else self.definite()

    def any(self) -> str:
        """The phrase with an indefinite article: a film directed by Kubrick."""
        text = self.bare(False)
        return f"{english.article(text)} {text}"

    def having(self, noun: str) -> str:
        """Something of the members: the area of Germany, their area."""
        if self.pronoun:
            return f"{self.pronoun} {noun}"
        return f"the {noun} of {self.definite()}"

    def with_clause(self, clause: Clause) -> Phrase:
        """The phrase with one more clause; a pronoun gives way to its noun."""
        spoken = self.named() if self.pronoun else self
        return replace(spoken, clauses=(*self.clauses, clause))

    def named(self) -> Phrase:
        """The phrase with the noun in place of its pronoun."""
        return replace(self, name="", pronoun="")

    def with_tail(self, tail: str) -> Phrase:
        """The phrase with a qualifier on its last clause."""
        if not self.clauses and not self.role:
            return self.with_clause(Clause("be", object=tail))
        if self.clauses:
            return replace(self, clauses=(*self.clauses[:-1], _tailed(self.clauses[-1], tail)))
        owner = words_of(self.owner, tail) if not self.possessive else self.owner
        return replace(self, owner=owner, done=_tailed(self.done, tail) if self.done else None)


def _tailed(clause: Clause, tail: str) -> Clause:
    other = clause.other and _tailed(clause.other, tail)
    return replace(clause, tail=words_of(clause.tail, tail), other=other)


def same_noun(role: str, noun: str) -> bool:
    """True if two nouns mean the same, one perhaps more exactly: album, soundtrack album."""
    role, noun = role.lower(), noun.lower()
    return role == noun or role.endswith(" " + noun) or noun.endswith(" " + role)


def described(clauses: Sequence[Clause], many: bool, person: bool) -> str:
    """The clauses behind a noun, the shortest first: directed by Kubrick that are longer than two hours."""
    ordered = sorted(clauses, key=lambda clause: (clause.is_exception, len(clause.rest.split())))
    short = [clause.short for clause in ordered if clause.short]
    full = [clause for clause in ordered if not clause.short]
    whole = [clause for clause in full if clause.subject or clause.parts or clause.whose]
    done = [clause.relative(many, person) for clause in whole]
    doing = [clause.predicate(many) for clause in full if clause not in whole]
    if doing:
        done.append(f"{'who' if person else 'that'} {english.listed(doing)}")
    return words_of(_joined(short), " and ".join(done))


def _joined(shorts: Sequence[str]) -> str:
    text = ""
    for short in shorts:
        excepts = short.startswith(OTHER_THAN) and OTHER_THAN not in text
        behind = excepts or short.partition(" ")[0] in english.PREPOSITIONS
        word = "" if not text or behind else "and"
        text = words_of(text, word, short)
    return text


def clause_of(frame: Frame, what: Phrase) -> Clause:
    """The clause with the members as subject and the named entity as object."""
    text = what.related()
    if frame.verb == "have" and frame.link.startswith("the ") and (what.said or what.is_role or what.pronoun):
        noun = frame.link.removeprefix("the ")
        if same_noun(noun, what.head(False)):
            return Clause("be", "of", text) if what.pronoun else Clause("have", object=text)
        return Clause("have", object=f"one of {text}" if what.many else text, whose=noun)
    return Clause(frame.verb, frame.link, text, frame.past)


def gap_of(frame: Frame, subject: str, many: bool) -> Clause:
    """Return the clause with `subject`, dropping the members' noun: on the label, holds the position."""
    before, called, _ = f" {frame.link} ".partition(" the ")
    named = called and frame.link.rpartition(" ")[2] not in english.PREPOSITIONS
    link = before.strip() if named else frame.link
    return Clause(frame.verb, link, "", frame.past, subject, many)


def same_but_object(first: Clause, second: Clause) -> bool:
    """True if two clauses differ only in their objects: directed by A, directed by B."""
    if first.subject or first.parts or not first.object or not second.object:
        return False
    return replace(first, object="", other=None) == replace(second, object="", other=None)


@dataclass(frozen=True, slots=True)
class MeasureWording:
    """A value or a number in words.

    `noun` belongs to `owner`, as population to Germany; without an owner, `words` are the whole text. `parts`
    are the summands.
    """

    noun: str = ""
    owner: Phrase | None = None
    tail: str = ""
    words: str = ""
    parts: tuple[str, ...] = ()

    @property
    def many(self) -> bool:
        """True if these are values of several things."""
        return self.owner is not None and self.owner.many

    @property
    def name(self) -> str:
        """The noun without its owner, singular."""
        return self.noun or self.words

    def text(self) -> str:
        """The whole phrase: the population of Germany in 2010."""
        if self.owner is None:
            return self.words
        noun = english.plural(self.noun) if self.many and not self.owner.pronoun else self.noun
        return words_of(self.owner.having(noun), self.tail)

    def aggregated(self, word: str) -> str:
        """The phrase of a number taken over the values: the average age of the singers."""
        if self.owner is None:
            return f"the {word} of {self.words}"
        return words_of(self.owner.having(f"{word} {self.noun}"), self.tail)
