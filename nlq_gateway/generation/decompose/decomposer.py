"""The `decompose` strategy: a question in sub-questions, each matched to templates, composed to one program.

After Keqing (sections 3.2 and 3.3). There every sub-question is answered by itself; here its logical chain becomes
steps of one program, which is compiled to one query.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from compilers.issues import Issue
from compilers.kopl.check import check
from compilers.kopl.functions import Kind
from compilers.kopl.program import Program
from nlq_gateway.generation.decompose.chains import Chain, Continuation, Variant
from nlq_gateway.generation.decompose.forms import MASK
from nlq_gateway.generation.decompose.grammar import grammar
from nlq_gateway.generation.decompose.lines import SubQuestion, parse
from nlq_gateway.generation.decompose.prompt import NONE, choosing, decomposing
from nlq_gateway.generation.decompose.reading import Linked, Reader, Reading
from nlq_gateway.generation.decompose.sketch import SETS, Choices, Found, Sketch
from nlq_gateway.generation.decompose.templates import Templates
from nlq_gateway.generation.known import Known, Written
from nlq_gateway.index import Index
from nlq_gateway.models import GREEDY, Deadline, Generation, Model, Sampling, choose
from nlq_gateway.types import Links

NEAREST = 5
_SHOWN = 8
_LOOKED_AT = 4
_LEAST_LIKE = 0.4
_STOP = ("\nQuestion:",)

Members = Callable[[Sequence[tuple[Program, Choices]]], Sequence[bool | None]]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chain that a sub-question may mean: the filled template, its steps, and how sure both are.

    `similarity` is the cosine of the masked sub-question and template (Keqing, equation 2), `probability` the
    model's.
    """

    words: str
    chain: str
    similarity: float
    probability: float


@dataclass(frozen=True, slots=True)
class Solved:
    """A sub-question with the chains it was matched to, the most similar first.

    `chosen` is the position of the one that was taken, None where the model found that none fits.
    """

    number: int
    text: str
    candidates: tuple[Candidate, ...]
    chosen: int | None

    @property
    def candidate(self) -> Candidate | None:
        """The one that was taken."""
        return None if self.chosen is None else self.candidates[self.chosen]

    @property
    def words(self) -> str:
        """What it was taken to mean."""
        return self.candidate.words if self.candidate else self.text

    @property
    def sureness(self) -> float:
        """The similarity times the probability of what was taken, 0 where nothing was."""
        return max(0.0, self.candidate.similarity * self.candidate.probability) if self.candidate else 0.0


@dataclass(frozen=True, slots=True)
class Decomposed:
    """A decomposition: its sub-questions as far as they were solved, and the program that they make.

    `choices` are the IRIs that the program's names stand for, by (step, argument). `confidence` is that of one run
    (Keqing, equation 5), 0 where there is no program.
    """

    subquestions: tuple[Solved, ...]
    written: Written
    choices: Choices = field(default_factory=dict)
    confidence: float = 0.0


@dataclass(frozen=True, slots=True)
class Decomposer:
    """Decomposes the questions of one endpoint. Stateless: safe to share between threads.

    `members` says of programs that end in sets whether these have members, None where the store does not tell;
    `link` is what finds names and values in a text.
    """

    index: Index
    model: Model
    templates: Templates
    members: Members
    link: Linked
    nearest: int = NEAREST

    def decompose(
        self, links: Links, known: Known, deadline: Deadline, sampling: Sampling = GREEDY
    ) -> Decomposed:
        """One run; where it fails, `written` has no program and says why.

        Raises:
            ModelError: the model fails, or the deadline has passed.
            EndpointError: the store fails.
        """
        prompt = decomposing(known, self.templates.like(_masked(links), _SHOWN))
        rules = grammar() if self.model.capabilities.grammar else None
        wanted = replace(sampling, stop=(*sampling.stop, *_STOP))
        generation = self.model.generate(prompt, deadline, sampling=wanted, grammar=rules).generations[0]
        parsed = parse(generation.text)
        if parsed.issues:
            return Decomposed((), _written(generation, None, parsed.issues))
        return _Run(self, links, deadline, parsed.subquestions).composed(generation)

    def chains(self, continuation: Continuation, readings: Sequence[Reading]) -> tuple[Chain, ...]:
        """The chains that a sub-question is nearest to and that lead somewhere, the most similar first.

        Each comes with one variant, the first that leads somewhere.
        """
        found: dict[str, Chain] = {}
        limit = _LOOKED_AT * self.nearest
        for reading in readings:
            for template, score in self.templates.near(reading, limit):
                chain = continuation.chain(template, score, reading) if score >= _LEAST_LIKE else None
                if chain is not None:
                    known = found.setdefault(chain.first.text, chain)
                    found[chain.first.text] = max(known, chain, key=lambda one: one.similarity)
        nearest = sorted(found.values(), key=lambda chain: -chain.similarity)[:limit]
        return self._leading(nearest)[: self.nearest]

    def _leading(self, chains: Sequence[Chain]) -> tuple[Chain, ...]:
        """The chains without variants that lead nowhere, asked of the store at once."""
        tests = [one.test for chain in chains for one in chain.variants if one.test is not None]
        told = iter(self.members([sketch.until(step) for sketch, step in tests]) if tests else ())
        led = []
        for chain in chains:
            open_ones = [one for one in chain.variants if one.test is None or next(told) is not False]
            if open_ones:
                led.append(replace(chain, variants=(open_ones[0],)))
        return tuple(led)


@dataclass(frozen=True, slots=True)
class _Run:
    """One decomposition on its way to a program."""

    by: Decomposer
    links: Links
    deadline: Deadline
    subquestions: Sequence[SubQuestion]

    def composed(self, generation: Generation) -> Decomposed:
        """The sub-questions one after the other, as far as they can be solved."""
        reader = Reader(self.by.index, self.by.link, self.links)
        sketch, found, solved = Sketch(), dict[int, Found](), list[Solved]()
        for one in self.subquestions:
            self.deadline.check()
            continuation = Continuation(sketch, found, one.number == len(self.subquestions))
            readings = reader.read(one)
            strange = [part.text for part in readings[0].operands if not part.is_known]
            if strange:
                return Decomposed(tuple(solved), _written(generation, None, (_unknown(one, strange[0]),)))
            chains = self.by.chains(continuation, readings)
            if not chains:
                return Decomposed(tuple(solved), _written(generation, None, (_leads_nowhere(one),)))
            solved.append(self._chosen(one, chains, solved))
            chosen = solved[-1].chosen
            if chosen is None:
                return Decomposed(tuple(solved), _written(generation, None, (_none_fits(one),)))
            variant: Variant = chains[chosen].first
            sketch, found = variant.sketch, {**found, one.number: variant.found}
        program, choices = _closed(sketch, found[len(self.subquestions)])
        issues = (*_unused(self.subquestions), *check(program))
        confidence = sum(one.sureness for one in solved) / len(solved)
        return Decomposed(tuple(solved), _written(generation, program, issues), choices, confidence)

    def _chosen(self, one: SubQuestion, chains: Sequence[Chain], earlier: Sequence[Solved]) -> Solved:
        """The sub-question with the chain that the model chooses; its own words need no choice."""
        options = _options(chains)
        said = [at for at, chain in enumerate(chains) if _is_said(one, chain)]
        if len(said) == 1:
            return Solved(one.number, one.text, _candidates(chains, {said[0]: 1.0}), said[0])
        listed = self.by.model.capabilities.scores
        prompt = choosing(self.links.question.text, one.text, earlier, (*options, NONE), listed=listed)
        choice = choose(self.by.model, prompt, (*options, NONE), self.deadline)
        if choice is None:
            even = 1 / (len(chains) + 1)
            return Solved(
                one.number, one.text, _candidates(chains, dict.fromkeys(range(len(chains)), even)), 0
            )
        candidates = _candidates(chains, dict(enumerate(choice.probabilities)))
        return Solved(one.number, one.text, candidates, choice.best if choice.best < len(chains) else None)


def _candidates(chains: Sequence[Chain], probabilities: Mapping[int, float]) -> tuple[Candidate, ...]:
    return tuple(
        Candidate(chain.first.words, chain.first.text, chain.similarity, probabilities.get(at, 0.0))
        for at, chain in enumerate(chains)
    )


def _options(chains: Sequence[Chain]) -> tuple[str, ...]:
    """The chains in words, with their steps where others have the same words."""
    words = [chain.first.words for chain in chains]
    return tuple(
        f"{chain.first.words} ({chain.first.text})"
        if words.count(chain.first.words) > 1
        else chain.first.words
        for chain in chains
    )


def _is_said(one: SubQuestion, chain: Chain) -> bool:
    plain = one.text.replace("[", "").replace("]", "")
    return " ".join(plain.casefold().split()) == chain.first.words.casefold()


def _masked(links: Links) -> str:
    """The question with the names of entities masked."""
    text = links.question.text
    for one in sorted(links.mentions, key=lambda mention: -mention.start):
        if one.kind == Kind.ENTITY:
            text = f"{text[: one.start]}{MASK}{text[one.end :]}"
    return text


def _closed(sketch: Sketch, found: Found) -> tuple[Program, Choices]:
    """The program that gives what the last sub-question asks for, without steps that nothing uses."""
    if sketch.output(found.step) in SETS:
        sketch = sketch.adding("What", (), (found.step,))
        return sketch.until(len(sketch) - 1)
    return sketch.until(found.step)


def _written(generation: Generation, program: Program | None, issues: tuple[Issue, ...]) -> Written:
    return Written(
        generation.text,
        "decomposed",
        program,
        issues,
        log_probability=generation.log_probability,
        tokens=generation.tokens,
    )


def _unused(subquestions: Sequence[SubQuestion]) -> tuple[Issue, ...]:
    used = {number for one in subquestions for number in one.references}
    return tuple(
        Issue(
            "warning",
            "unused-sub-question",
            one.number - 1,
            None,
            f"nothing is asked of what sub-question {one.number} finds; it is left out",
            "refer to it in a later one",
        )
        for one in subquestions[:-1]
        if one.number not in used
    )


def _unknown(one: SubQuestion, name: str) -> Issue:
    message = f"nothing is called {name!r}, which sub-question {one.number} begins from"
    return Issue("error", "unknown-name", one.number - 1, None, message, "name what the question names")


def _leads_nowhere(one: SubQuestion) -> Issue:
    message = f"sub-question {one.number}, {one.text!r}, is like nothing that this graph can be asked"
    return Issue(
        "error", "no-chain", one.number - 1, None, message, "ask for a relation or attribute that is there"
    )


def _none_fits(one: SubQuestion) -> Issue:
    message = f"the model finds that no template means sub-question {one.number}, {one.text!r}"
    return Issue("error", "no-fitting-chain", one.number - 1, None, message, "say it in other words")
