"""Yes or no about things as a whole: what each of them states, or what they come to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from compilers.kopl.program import Program
from nlq_gateway.language.wording.english import article, words_of
from training.reports.chains import Node
from training.reports.chance import FORMS, Chance
from training.reports.programs import Condition, Report, Writing, condition_of, is_key, number_of
from training.reports.wording import Wording

_SIGNS = (">", "<", ">", "<", ">=", "<=", "=")
_MOST, _TIMES = 40, 20
_EACH = 0.6


@dataclass(frozen=True, slots=True)
class Verdict:
    """Each of the last class's members meets a condition, or with `none` not one does.

    Or the report's number, which has no columns beside it, compares with a value.
    """

    report: Report
    each: Condition | None = None
    none: bool = False
    sign: str = ""
    value: str = ""


def verdict(nodes: Sequence[Node], random: Random) -> Verdict | None:
    """A verdict over a chain; None where its classes state nothing for it."""
    condition = condition_of(nodes[0], random, 0.4 if len(nodes) == 1 else 0.8)
    if random.random() < _EACH:
        each = condition_of(nodes[-1], random, 1.0)
        if each is None or is_key(each.attribute) or (condition and condition.attribute == each.attribute):
            return None
        return Verdict(Report(nodes, condition=condition), each, none=random.random() < 0.2)
    number = number_of(nodes, random)
    if number is None or number.less is not None:
        return None
    value = _value(number.function, number.attribute.examples if number.attribute else (), random)
    if not value:
        return None
    return Verdict(Report(nodes, (), condition, number), sign=random.choice(_SIGNS), value=value)


def _value(function: str, examples: Sequence[str], random: Random) -> str:
    """What a number is compared with; "" where no value is known."""
    if function == "Count":
        return str(random.randint(1, _MOST))
    known = [float(text) for text in examples if text.replace(".", "", 1).isdigit()]
    if not known:
        return ""
    value = random.choice(known) * (random.randint(2, _TIMES) if function == "Sum" else 1)
    return str(int(value)) if value == int(value) else f"{value:.2f}".rstrip("0")


def program_of(verdict: Verdict) -> Program:
    """The program of a verdict."""
    writing = Writing()
    *_, end = writing.ends(verdict.report)
    value, sign = verdict.value, verdict.sign
    if verdict.report.number is not None:
        number = writing.number(verdict.report.number, end)
    else:
        assert verdict.each is not None
        stating = writing.stating(verdict.each, end)
        left = stating if verdict.none else writing.add("Except", (), (end, stating))
        number, value, sign = writing.add("Count", (), (left,)), "0", "="
    writing.add("VerifyNum", (value, sign), (number,))
    return Program(tuple(writing.steps))


def question_of(verdict: Verdict, chance: Chance) -> str:
    """A question for a verdict."""
    wording = Wording(verdict.report, chance)
    text = _of_each(verdict.each, verdict, wording) if verdict.each else _of_number(verdict, wording)
    return wording.written(text, asks=True)


def _of_each(each: Condition, verdict: Verdict, wording: Wording) -> str:
    links, many = wording.links, wording.described()
    single = len(verdict.report.nodes) == 1
    one = words_of(links.noun(0), wording.condition) if single else f"one of the {many}"
    number = "none" if verdict.none else "each"
    times = "times" if each.is_of_times else "values" if each.sign else "words"
    return wording.chance.fill(FORMS["whole"][number][times], one=one, many=many, **wording.parts(each))


def _of_number(verdict: Verdict, wording: Wording) -> str:
    number, many = verdict.report.number, wording.described()
    assert number is not None
    signs = FORMS["signs" if number.attribute else "signs_of_counts"]
    sign = wording.chance.fill(signs[verdict.sign])
    name = wording.name(number.attribute) if number.attribute else ""
    return wording.chance.fill(
        FORMS["whole"]["number"][number.function],
        number=wording.number(number, many),
        many=many,
        attribute=name,
        article=article(name) if name else "",
        sign=sign,
        bare_sign=sign.removeprefix("of "),
        value=verdict.value,
    )
