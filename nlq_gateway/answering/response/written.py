"""The answer in a sentence or two that a model writes from the trace (Keqing, section 3.2, step 4).

The model sees the question, the steps with the number of their results, and the answers. What it writes is
shown only where `faithful` finds no fault in it; else the sentence by template is, and a warning says why.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from compilers.kopl.notations import NOTATIONS
from nlq_gateway.answering.response.faithful import ALL_NAMED, fault_of
from nlq_gateway.answering.response.template import answer_text
from nlq_gateway.answering.response.told import Told
from nlq_gateway.language.detection import ENGLISH, language
from nlq_gateway.models import Deadline, Model, ModelError, ModelRequest, Prompt, Sampling
from nlq_gateway.models.errors import Cancelled
from nlq_gateway.models.templates import PromptTemplates, one_line
from nlq_gateway.trace import Warning

REFUSED = "response-refused"
UNAVAILABLE = "response-unavailable"
LONGEST_LINE = 200
_SAMPLING = Sampling(max_tokens=250, stop=("\nQuestion:",))
_TEMPLATES = PromptTemplates("nlq_gateway.answering.response")


@dataclass(frozen=True, slots=True)
class Response:
    """The answer in words, who wrote it, and why not the model where it was asked."""

    text: str
    by: Literal["model", "template"]
    warning: Warning | None = None


@dataclass(frozen=True, slots=True)
class Responder:
    """One model that words answers."""

    model: Model

    def respond(self, told: Told, deadline: Deadline) -> Response:
        """The model's wording where it is faithful, else the template's with a warning; raises Cancelled.

        Where there is no answer, or one whose wording cannot be checked, the model is not asked.
        """
        plain = answer_text(told.program, told.answer, told.truncated, language=told.language)
        if not _can_be_checked(told):
            return Response(plain, "template")
        try:
            reply = self.model.generate(ModelRequest(prompt_of(told), _SAMPLING), deadline)
        except Cancelled:
            raise
        except ModelError as error:
            return Response(
                plain, "template", Warning(UNAVAILABLE, f"no model worded the answer: {error.message}")
            )
        first_paragraph = reply.generations[0].text.strip().split("\n\n")[0]
        text = one_line(first_paragraph)
        fault = fault_of(text, told)
        if fault:
            return Response(plain, "template", Warning(REFUSED, f"the model's wording was not used: {fault}"))
        return Response(text, "model")


def prompt_of(told: Told) -> Prompt:
    """The model's input: further answers than those to be named are counted only, in a table the rows."""
    plain = answer_text(told.program, told.answer, told.truncated, language=told.language)
    answers = [plain] if told.is_table else [one_line(str(value), LONGEST_LINE) for value in told.values]
    known = language(told.language)
    body = _TEMPLATES.render(
        "response.j2",
        "body",
        question=one_line(told.question),
        steps=list(_steps(told)),
        answers=answers[:ALL_NAMED],
        more=max(0, len(answers) - ALL_NAMED),
        truncated=told.truncated and not told.is_table,
        language="" if known is None or known.tag == ENGLISH else known.name,
    )
    return Prompt(_TEMPLATES.render("response.j2", "prefix"), body)


def _can_be_checked(told: Told) -> bool:
    """True if there is something to say, in a language of which enough is known.

    A table, in which one must see what belongs to what, is only put into another language.
    """
    known = language(told.language)
    return known is not None and not told.answer.empty and not (told.is_table and known.tag == ENGLISH)


def _steps(told: Told) -> Iterator[str]:
    counts = {step.step: step.count for step in told.steps if step.count is not None}
    for index, line in enumerate(NOTATIONS["steps"].write(told.program).split("\n")):
        count = f" → {counts[index]}" if index in counts else ""
        yield one_line(line, LONGEST_LINE) + count
