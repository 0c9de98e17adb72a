"""Programs that a model writes from a few examples: greedily, corrected once, then sampled.

SymKGQA (section 4.4) decodes greedily and draws two samples if that fails; CodeAlignKGQA (section 3.3)
rewrites an unsound program, with demonstrations whose programs are similar.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from compilers.errors import UnsupportedProgram
from compilers.kopl.check import check
from compilers.kopl.notations import NOTATIONS
from compilers.kopl.program import Program
from compilers.kopl.repair import Repaired
from nlq_gateway.drafts.generation.known import Example, Known, Written
from nlq_gateway.drafts.generation.prompting.prompt import Prompter
from nlq_gateway.drafts.generation.reading import read
from nlq_gateway.models.base import Deadline, Generation, Model, ModelRequest, Sampling

TEMPERATURE, TOP_K = 0.3, 30
SAMPLES = 2
_ENOUGH = 4

Alike = Callable[[Program], Sequence[Example]]


@dataclass(frozen=True, slots=True)
class ProgramWriter:
    """Writes programs in one notation, `steps` or `code`. Safe to share between threads.

    `fixed` demonstrations are in every prompt, `repair` fixes faults by types alone. `budget` is in tokens,
    including the answer's; None is the notation's own. `card` is the whole schema, if prompts have it.
    """

    model: Model
    notation: str
    fixed: tuple[Example, ...] = ()
    repair: Callable[[Program], Repaired] = Repaired
    budget: int | None = None
    card: str = ""

    def write(
        self,
        known: Known,
        examples: Sequence[Example],
        deadline: Deadline,
        *,
        alike: Alike | None = None,
        grammar: str | None = None,
        schema: str | None = None,
        samples: int = SAMPLES,
        repeated: bool = False,
    ) -> Iterator[Written]:
        """Programs for a question, each written on demand: greedy, corrected, then sampled.

        Only an unsound greedy program is corrected, with the examples that `alike` gives for it. Samples that
        repeat an earlier program are left out, unless `repeated` ones count, too. Raises ModelError.
        """
        prompter = Prompter(self.notation, self.model.count_tokens, self.fixed, self.budget, self.card)
        # A grammar begins with the first step's number; without one the prompt has it.
        free = grammar is None and schema is None
        as_json = grammar is None and schema is not None
        # Texts of a grammar end by themselves; cut, they would be no program.
        longest = prompter.form.answer if free else _ENOUGH * prompter.form.answer
        sampling = Sampling(max_tokens=longest, stop=prompter.form.stop if free else ())
        prompt = prompter.prompt(known, examples, cue=free, as_json=as_json)
        request = ModelRequest(prompt, sampling, grammar=grammar, schema=schema)
        greedy = self._generated(request, deadline, "greedy")[0]
        yield greedy
        seen = {greedy.program}
        if not greedy.sound:
            similar = alike(greedy.program) if alike and greedy.program else ()
            again = prompter.prompt(known, similar or examples, greedy, cue=free, as_json=as_json)
            corrected = self._generated(replace(request, prompt=again), deadline, "corrected")[0]
            seen.add(corrected.program)
            yield corrected
        if samples:
            warm = replace(sampling, temperature=TEMPERATURE, top_k=TOP_K)
            drawn = replace(request, sampling=warm, samples=samples)
            for written in self._generated(drawn, deadline, "sampled"):
                if repeated or written.program not in seen:
                    seen.add(written.program)
                    yield written

    def _generated(self, request: ModelRequest, deadline: Deadline, how: str) -> list[Written]:
        bound = request.grammar is not None
        reply = self.model.generate(request, deadline)
        return [written_of(one, self.notation, how, self.repair, bound=bound) for one in reply.generations]


def in_steps(written: Written) -> str:
    """The program in the notation of steps, else the text as it was written."""
    # A function's name need not be one that steps can have.
    with suppress(UnsupportedProgram):
        if written.program is not None:
            return NOTATIONS["steps"].write(written.program)
    return written.text.strip()


def written_of(
    generation: Generation,
    notation: str,
    how: str,
    repair: Callable[[Program], Repaired],
    *,
    bound: bool = False,
) -> Written:
    """The program in a model's text, repaired and checked; a grammar `bound` it or not."""
    text, tokens = generation.text, generation.tokens
    reading = read(text, notation, finished=generation.finished, bound=bound)
    written = Written(text, how, None, reading.issues, (), generation.log_probability, tokens)
    if reading.program is None:
        return written
    repaired = repair(reading.program)
    issues = (*reading.issues, *check(repaired.program))
    return replace(written, program=repaired.program, issues=issues, repairs=repaired.repairs)
