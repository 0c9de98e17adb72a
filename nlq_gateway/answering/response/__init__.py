"""The answer in words.

template.py    one sentence without a model, and why an answer is empty
means.py       averages and quotients with few digits
values.py      one value in a sentence, its unit in the plural where that is due
ranked.py      the sentence for many things with a number each
written.py     a sentence or two that a model writes, where they pass the check
told.py        the facts that such sentences may state
faithful.py    the check: sentences state only parts of the question, the program or the answer
mentions.py    the names, numbers and dates of a text, in one spelling
"""

from __future__ import annotations

from nlq_gateway.answering.response.means import as_told
from nlq_gateway.answering.response.template import answer_text, diagnosis_of
from nlq_gateway.answering.response.told import Told
from nlq_gateway.answering.response.written import Responder

__all__ = ["Responder", "Told", "answer_text", "as_told", "diagnosis_of"]
