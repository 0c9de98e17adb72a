"""One value of an answer in a sentence."""

from __future__ import annotations

from dataclasses import replace

from compilers.answers import AnswerValue
from nlq_gateway.language.detection import ENGLISH
from nlq_gateway.language.wording.english import is_unit_in_full, plural_unit


def said(value: AnswerValue, language: str = ENGLISH) -> str:
    """A value in a sentence of a language; in English the unit agrees with the number: `148 minutes`.

    A label in a language that was not asked for is marked: `Seeberg (de)`.
    """
    # A program that is run without a question has no language, and its answer an English sentence.
    is_english = language.lower().partition("-")[0] in ("", ENGLISH)
    if is_english and value.unit and value.value != "1" and is_unit_in_full(value.unit):
        value = replace(value, unit=plural_unit(value.unit))
    text = str(value).strip()
    return f"{text} ({value.language})" if value.language else text
