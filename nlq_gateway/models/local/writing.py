"""The batch that is being written: a token for every row at each step; rows join and leave in between."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, Any

from nlq_gateway.models.base import Generation
from nlq_gateway.models.errors import ModelNonsense
from nlq_gateway.models.local.drawing import Draw, drawn, masked
from nlq_gateway.models.local.jobs import WritingJob
from nlq_gateway.models.local.network import TorchNetwork
from nlq_gateway.models.local.texts import ModelTokenizer, cut

if TYPE_CHECKING:
    from nlq_gateway.models.local.constraints import Grammars

# Letters of a text that is not whole yet, when a token ends inside of one.
_BROKEN = "\ufffd"


@dataclass(slots=True, eq=False)
class Sample:
    """One text of a job, in the row of the block at its place in the batch."""

    job: WritingJob
    number: int
    random: Random
    matcher: Any | None
    most: int
    tokens: list[int] = field(default_factory=list)
    log_probability: float = 0.0

    def draw(self) -> Draw:
        """The parameters for drawing its next token."""
        sampling = self.job.sampling
        warm = sampling.temperature > 0
        return Draw(sampling.temperature, sampling.top_k, self.random.random() if warm else 0.0)


class Batch:
    """Rows that are written together; used by one thread."""

    def __init__(self, network: TorchNetwork, texts: ModelTokenizer, grammars: Grammars | None) -> None:
        self._network = network
        self._texts = texts
        self._grammars = grammars
        # Masks are filled beside the forward pass: xgrammar gives the interpreter's lock up meanwhile.
        self._beside = ThreadPoolExecutor(1, thread_name_prefix="nlq-grammar")
        self.clear()

    @property
    def rows(self) -> int:
        """The number of rows in the batch."""
        return len(self._samples)

    @property
    def jobs(self) -> list[WritingJob]:
        """The jobs in the batch."""
        return list(dict.fromkeys(sample.job for sample in self._samples))

    def clear(self) -> None:
        """Forget all rows."""
        self._samples: list[Sample] = []
        self._block = self._network.block()

    def close(self) -> None:
        """End the thread that fills masks."""
        self._beside.shutdown()

    def join(self, jobs: Sequence[WritingJob]) -> None:
        """Read the prompts of jobs, and write the first token of each of their texts."""
        first = self.rows
        samples = [self._sample(job, 0) for job in jobs]
        more = [(at, number) for at, job in enumerate(jobs) for number in range(1, job.rows)]
        rows = [*range(len(jobs)), *(at for at, _ in more)]
        self._samples += samples + [self._sample(jobs[at], number) for at, number in more]
        new = self._samples[first:]
        masks = self._masks(new)
        logits = self._network.read(self._block, [self._network.prompt(job.prefix, job.body) for job in jobs])
        for at, _ in more:
            self._block.repeat(first + at)
        self._write(new, logits[rows, 0], masks)

    def step(self) -> None:
        """Write one more token of every text whose caller still waits."""
        self._leave([sample for sample in self._samples if sample.job.gone()])
        if not self._samples:
            return
        masks = self._masks(self._samples)
        logits = self._network.step(self._block, [sample.tokens[-1] for sample in self._samples])
        self._write(list(self._samples), logits, masks)

    def _sample(self, job: WritingJob, number: int) -> Sample:
        """A new text; its random numbers depend only on the request's seed and its own number."""
        matcher = (
            self._grammars.matcher(job.grammar)
            if self._grammars is not None and job.grammar is not None
            else None
        )
        most = job.sampling.max_tokens
        if self._network.longest is not None:
            most = min(most, self._network.longest - job.tokens)
        return Sample(job, number, Random(f"{job.sampling.seed} {number}"), matcher, most)

    def _masks(self, samples: Sequence[Sample]) -> Future[Any] | None:
        if self._grammars is None or all(sample.matcher is None for sample in samples):
            return None
        return self._beside.submit(self._grammars.masks, [sample.matcher for sample in samples])

    def _write(self, samples: Sequence[Sample], logits: Any, masks: Future[Any] | None) -> None:
        """Draw a token for each sample, and let those leave that it ends."""
        if masks is not None:
            logits = masked(logits, masks.result())
        found = drawn(logits, [sample.draw() for sample in samples])
        ended = [
            sample
            for sample, (token, logarithm) in zip(samples, found, strict=True)
            if self._ends(sample, token, logarithm)
        ]
        self._leave(ended)

    def _ends(self, sample: Sample, token: int, logarithm: float) -> bool:
        """Add a token to a sample; whether it is the last, and the text is then kept."""
        if sample.matcher is not None and not sample.matcher.accept_token(token):
            sample.job.fail(ModelNonsense("the grammar allows no token after what was written"))
            return True
        sample.tokens.append(token)
        sample.log_probability += logarithm
        generation = self._generation(sample)
        if generation is not None:
            sample.job.wrote(sample.number, generation)
        return generation is not None

    def _generation(self, sample: Sample) -> Generation | None:
        """The text, where it is at its end: by the model, at a stop, or because there is no more room."""
        if sample.tokens[-1] in self._texts.ends:
            return self._kept(sample, self._texts.text(sample.tokens[:-1]), finished=True)
        stops = sample.job.sampling.stop
        if cut(self._tail(sample), stops) is not None:
            text = cut(self._texts.text(sample.tokens), stops)
            if text is not None:
                return self._kept(sample, text, finished=self._complete(sample.job, text))
        if len(sample.tokens) < sample.most:
            return None
        return self._kept(sample, self._texts.text(sample.tokens).rstrip(_BROKEN), finished=False)

    def _tail(self, sample: Sample) -> str:
        """The end of a text, long enough that a stop which the last token completes is in it."""
        stops = sample.job.sampling.stop
        if not stops:
            return ""
        # A token has a byte at least; some before them, because a tokenizer may drop the first space.
        return self._texts.text(sample.tokens[-2 - max(len(stop.encode()) for stop in stops) :])

    def _complete(self, job: WritingJob, text: str) -> bool:
        """True if a text ended by a stop is complete: there is no grammar, or it accepts the text."""
        return self._grammars is None or job.grammar is None or self._grammars.complete(job.grammar, text)

    def _kept(self, sample: Sample, text: str, *, finished: bool) -> Generation:
        return Generation(text, sample.log_probability, len(sample.tokens), finished)

    def _leave(self, samples: Sequence[Sample]) -> None:
        """Take rows out of the batch; the last row moves into the gap, as it does in the block."""
        for sample in samples:
            row = self._samples.index(sample)
            self._block.remove(row)
            last = self._samples.pop()
            if last is not sample:
                self._samples[row] = last
