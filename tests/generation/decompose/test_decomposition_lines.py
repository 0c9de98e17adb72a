"""Texts of models read as sub-questions, and the grammar under which models write readable ones."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlq_gateway.drafts.generation.decompose import grammar
from nlq_gateway.drafts.generation.decompose.lines import parse
from tests.generation.decompose.conftest import cases

CASES = cases("lines.jsonl")
PIECES = [
    "#1: ",
    "#2: ",
    "\n",
    "who made ",
    "#",
    "1",
    "9",
    "[",
    "]",
    "?",
    "```",
    "{",
    "}",
    '"question": ',
    "Fargo",
]

# The parts of a grammar: a literal, a class of letters, a rule's name, a mark of regular expressions.
TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|(\[(?:[^\]\\]|\\.)*\])|([a-z]+[0-9]*)|(\{\d+,\d+\}|[()|?])')


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_what_is_written_is_read(case: dict[str, Any]) -> None:
    parsed = parse(case["text"])
    assert [one.text for one in parsed.subquestions] == case.get("lines", [])
    assert [one.number for one in parsed.subquestions] == list(range(1, len(case.get("lines", [])) + 1))
    assert [[issue.code, issue.step] for issue in parsed.issues] == case.get("issues", [])
    assert all(issue.severity == "error" and issue.hint for issue in parsed.issues)


@given(st.one_of(st.text(), st.lists(st.sampled_from(PIECES)).map("".join)))
def test_whatever_is_written_references_point_back(text: str) -> None:
    parsed = parse(text)
    assert bool(parsed.subquestions) is not bool(parsed.issues)
    for one in parsed.subquestions:
        assert all(0 < number < one.number for number in one.references)


def expression(rules: str, name: str = "root") -> str:
    """A grammar without recursion as a regular expression."""
    bodies = dict(line.split(" ::= ", 1) for line in rules.splitlines())

    def part(match: re.Match[str]) -> str:
        literal, letters, rule, mark = match.groups()
        if literal is not None:
            return f"(?:{re.escape(literal.encode().decode('unicode_escape'))})"
        return letters or mark or f"(?:{expression(rules, rule)})"

    return "".join(part(match) for match in TOKEN.finditer(bodies[name]))


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("#1: who directed [Fargo]?", True),
        ("#1: who directed [Fargo]?\n#2: which films did #1 direct?\n#3: how many of #2 are there?", True),
        ("#1: who directed [Fargo]?\n#2: which of [A, B & C (D)] and #1 has the larger budget?", True),
        ("#1: who directed #1?", False),
        ("#1: which films are there?\n#2: who directed #3?", False),
        ("#1: who directed [Fargo]?\n#3: where was #1 born?", False),
        ("#1: who directed [Fargo?", False),
        ("Sure! #1: who directed [Fargo]?", False),
        ("#1: who directed [Fargo]", False),
        ("\n".join(f"#{number}: which films are there?" for number in range(1, 4)), True),
        ("\n".join(f"#{number}: which films are there?" for number in range(1, 5)), False),
    ],
)
def test_the_grammar_of_three_lines(text: str, allowed: bool) -> None:
    pattern = re.compile(expression(grammar(3)))
    assert bool(pattern.fullmatch(text)) is allowed
    if allowed:
        assert not parse(text).issues


def test_the_grammar_has_every_rule_that_it_names() -> None:
    rules = grammar()
    defined = re.findall(r"^(\S+) ::=", rules, re.MULTILINE)
    assert defined[0] == "root"
    assert len(defined) == len(set(defined))
    named = set(re.findall(r"\b(?:line|more)\d+\b|\bname\b|\bletter\b", rules))
    assert named == set(defined) - {"root"}
