"""Questions for reports, worded anew each time: what is listed, of what, and how it is reached."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from nlq_gateway.core.types import SchemaItem
from nlq_gateway.index.text import humanise
from nlq_gateway.language.wording.english import article, listed, plural, words_of
from training.reports.chance import FORMS, Chance
from training.reports.links import Links
from training.reports.programs import Condition, Number, Report

_ASKING = ("what", "how", "which")


class Wording:
    """The wording of one report."""

    def __init__(self, report: Report, chance: Chance) -> None:
        """Take what is told, and what chooses the words."""
        self.report, self.chance = report, chance
        self.links = Links(report.nodes, chance)
        self.condition = self._condition()

    def question(self) -> str:
        """A question for the report, written as most people write, or carelessly."""
        text = self._reached() if not self.report.columns else self._table()
        return self.written(text, asks=any(f" {word} " in f" {text}" for word in _ASKING))

    def written(self, text: str, *, asks: bool) -> str:
        """A sentence as most people write it, or carelessly."""
        text = " ".join(text.split()).replace(" ,", ",")
        if self.chance.one_in(7):
            return text
        return text[0].upper() + text[1:] + ("" if self.chance.one_in(8) else "?" if asks else ".")

    def _table(self) -> str:
        """Columns, with a number beside them or without."""
        report, links, fill = self.report, self.links, self.chance.fill
        noun, are_all = links.noun(0), self.chance.one_in(4)
        one, many = words_of(noun, self.condition), words_of(plural(noun), self.condition)
        each = f"all {many}" if are_all else fill("[each|every|each] {one}", one=one)
        told = [self._attributes(at) for at in range(len(report.columns))]
        rest = self._rest(told, "they" if are_all else "it")
        parts = {
            "noun": noun,
            "one": one,
            "many": many,
            "each": each,
            "first": told[0],
            "its": fill("[its |the |]{first}", first=told[0]),
            "rest": self._with(rest),
            "rest_listed": "".join(f", {text}" for text in rest),
            "rest_terse": self._with(self._terse(told)),
            "things": plural(links.noun(-1)),
            "above": report.above,
        }
        if report.number is None:
            return fill(FORMS["columns"], **parts)
        return fill(FORMS[self._form(report.number)], **parts, **self._numbers(report.number, each, many))

    def _form(self, number: Number) -> str:
        """The templates for a number beside columns."""
        if len(self.report.nodes) == 1 and not self.report.above:
            return "groups"
        if self.report.order:
            return "most_things" if number.attribute is None else "most"
        return "above" if self.report.above else "numbers"

    def _numbers(self, number: Number, each: str, many: str) -> dict[str, str]:
        links, fill, last = self.links, self.chance.fill, len(self.report.nodes) - 1
        told, order = self.number(number, self._path("it") if last else many), self.report.order
        most = fill(FORMS["directions"][order]) if order else ""
        if number.attribute is None:
            most = {"descending": "most", "ascending": "fewest", "": ""}[order]
        return {
            "number": told,
            "asked": self._asked(told),
            "asked_of_each": self._asked(self.number(number, self._path(each))),
            "number_alone": self.number(number, f"the {links.form(last)}").removeprefix("the "),
            "most": most,
            "high": "low" if order == "ascending" else "high",
        }

    def described(self) -> str:
        """The last class in the plural, as reached from the first."""
        own = words_of(plural(self.links.noun(0)), self.condition)
        for at in range(1, len(self.report.nodes)):
            own = self.links.reached(at, own)
        return own

    def _reached(self) -> str:
        """A question about the last class, reached from the first."""
        report, fill = self.report, self.chance.fill
        own = self.described()
        if report.number is not None and report.number.attribute is not None:
            return self._asked(self.number(report.number, fill("[the |]{own}", own=own)))
        if report.number is not None:
            return fill(FORMS["count"], reached=own)
        if report.asked is None:
            return fill(FORMS["members"], reached=own)
        name = self.name(report.asked)
        return fill(FORMS["values"], reached=own, asked=name, asked_many=plural(name))

    def _path(self, source: str) -> str:
        """The last class as it is linked to what `source` says of the first."""
        for at in range(1, len(self.report.nodes)):
            source = self.links.linked(at, source)
        return source

    def _rest(self, told: Sequence[str], pronoun: str) -> list[str]:
        """What is told of the classes behind the first; one that was described is called by its noun."""
        found, source = list[str](), pronoun
        for at in range(1, len(told)):
            source = self.links.linked(at, source)
            if told[at]:
                found.append(self.chance.fill("[the |the |the |]{told} of {own}", told=told[at], own=source))
                they = "they" if self.links.is_many(at) else "it"
                source = they if self.chance.one_in(3) else f"the {self.links.form(at)}"
        return found

    def _terse(self, told: Sequence[str]) -> list[str]:
        """The same in the fewest words."""
        behind = [(at, words) for at, words in enumerate(told) if at and words]
        ways = "{noun} {told}", "the {told} of the {things}"
        nouns = self.links
        return [
            self.chance.fill(ways, noun=nouns.noun(at), told=words, things=nouns.form(at))
            for at, words in behind
        ]

    def number(self, number: Number, things: str) -> str:
        """A number over things, as what is asked for."""
        fill = self.chance.fill
        if number.attribute is None:
            return fill("[how many|the number of] {things}", things=things.removeprefix("the "))
        name = self.name(number.attribute)
        if number.less is None:
            total = fill(FORMS["totals"][number.function])
            return f"the {total} {name} of {things}"
        total = fill(FORMS["totals_of_days"][number.function]) + " " if number.function else ""
        dates = {"later": name, "earlier": self.name(number.less)}
        forms = FORMS["days"] + ([] if total else FORMS["days_passed"])
        return fill(forms, total=total, between=fill(FORMS["between"], **dates), things=things, **dates)

    def _asked(self, number: str) -> str:
        return number if number.startswith("how ") else self.chance.fill(FORMS["asked"], number=number)

    def _condition(self) -> str:
        one = self.report.condition
        if one is None:
            return ""
        form = FORMS["condition"]["FilterDate" if one.is_of_times else one.function]
        return self.chance.fill(form, **self.parts(one))

    def parts(self, one: Condition) -> dict[str, str]:
        """The words for an attribute that compares with a value."""
        name = self.name(one.attribute)
        signs = FORMS["signs_of_times" if one.is_of_times else "signs"]
        sign = self.chance.fill(signs[one.sign]) if one.sign else ""
        return {
            "attribute": name,
            "article": article(name),
            "sign": sign,
            "bare_sign": sign.removeprefix("of "),
            "value": self._date(one.value) if one.is_of_times else one.value,
        }

    def _date(self, text: str) -> str:
        try:
            day = date.fromisoformat(text)
        except ValueError:
            return text
        return self.chance.random.choice((text, f"{day.day} {day:%B %Y}", f"{day:%B} {day.day}, {day.year}"))

    def _attributes(self, at: int) -> str:
        """The attributes of a class; whose number it is, the class says at times."""
        names = [self.name(one) for one in self.report.columns[at]]
        if self.chance.one_in(5):
            names = [name.removeprefix(f"{self.links.noun(at)} ") for name in names]
        return listed(
            [*names[:1], *(f"the {name}" for name in names[1:])] if self.chance.one_in(7) else names
        )

    def name(self, one: SchemaItem) -> str:
        """The words for an attribute, at times its label."""
        return one.label if self.chance.one_in(20) else humanise(one.label).lower()

    def _with(self, parts: Sequence[str]) -> str:
        if not parts:
            return ""
        joined = (listed(parts), ", and ".join(parts), ", ".join(parts))
        return self.chance.fill(FORMS["with"]) + self.chance.random.choice(joined)
