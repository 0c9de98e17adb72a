"""A model in this process, as the gateway sees it."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import TimeoutError as NotYet
from typing import TYPE_CHECKING, Any

from nlq_gateway.models.base import Capabilities, Deadline, ModelRequest, Prompt, Reply, Scores
from nlq_gateway.models.errors import ModelMissing
from nlq_gateway.models.local.jobs import Job, RatingJob, WritingJob

if TYPE_CHECKING:
    from nlq_gateway.models.local.loading import Loaded

ROWS = 32
WAITING = 128
# The interval, in seconds, at which a waiting call checks its deadline, however long a step takes.
_LOOK = 0.05


class LocalModel:
    """A causal language model that `transformers` runs, batching concurrent requests.

    One thread owns the model. Requests wait in a bounded queue and join the batch between two steps; the
    prefix of a prompt is read once for all requests that share it. Results do not depend on the rest of the
    batch, except for rounding of the device's arithmetic: each request has its own random numbers.
    """

    def __init__(
        self, loaded: Loaded, *, rows: int = ROWS, waiting: int = WAITING, keep_prefixes: bool = True
    ) -> None:
        """Start the thread.

        Args:
            loaded: The weights and the tokenizer.
            rows: The maximum number of texts written at once.
            waiting: The maximum number of waiting requests, besides those in the batch.
            keep_prefixes: True to cache keys and values of prefixes between requests.
        """
        from nlq_gateway.models.local.network import TorchNetwork
        from nlq_gateway.models.local.texts import ModelTokenizer
        from nlq_gateway.models.local.worker import ModelWorker
        from nlq_gateway.models.local.writing import Batch

        self._name = loaded.name
        self._texts = ModelTokenizer(loaded.tokenizer, loaded.ends)
        self._grammars = _grammars(loaded)
        self._network = TorchNetwork(loaded.model, loaded.pad, keep_prefixes=keep_prefixes)
        batch = Batch(self._network, self._texts, self._grammars)
        self._worker = ModelWorker(self._network, batch, rows=rows, waiting=waiting)

    @classmethod
    def open(
        cls,
        name: str,
        device: str | None = None,
        *,
        rows: int = ROWS,
        keep_prefixes: bool = True,
    ) -> LocalModel:
        """The model of a folder or of the hub, on a device of torch (None: the GPU where there is one).

        Raises:
            ModelMissing: It cannot be loaded, or the extra `models` is not installed.
        """
        try:
            from nlq_gateway.models.local.loading import load
        except ImportError as error:
            raise ModelMissing(
                f"the model {name} needs torch and transformers: {error}",
                hint="pip install '.[models]' in the gateway's source folder",
            ) from error
        return cls(load(name, device), rows=rows, keep_prefixes=keep_prefixes)

    @property
    def name(self) -> str:
        """The folder's own name, or the name on the hub."""
        return self._name

    @property
    def capabilities(self) -> Capabilities:
        """Scores always, grammars where xgrammar is installed."""
        return Capabilities(grammar=self._grammars is not None, scores=True)

    def generate(self, request: ModelRequest, deadline: Deadline) -> Reply:
        """Return the continuations of the prompt, which is read once; only a grammar binds them.

        The token that ends a text counts among its tokens and in its log-probability, as do the tokens of a
        stop. A text ended by a stop is finished, unless its grammar requires more.

        Raises:
            ModelRefused: The grammar does not compile, or the prompt is longer than the model reads.
            ModelBusy: Too many requests wait.
            ModelTimeout: The deadline has passed.
            Cancelled: The caller has gone.
            ModelError: The model failed, or is closed.
        """
        deadline.check()
        prefix, body = self._texts.prompt(request.prompt)
        self._network.check(len(prefix) + len(body) + 1)
        grammar = request.grammar
        compiled = self._grammars.compiled(grammar) if self._grammars is not None and grammar else None
        reply: Reply = self._done(
            WritingJob(
                prefix=prefix,
                body=body,
                deadline=deadline,
                sampling=request.sampling,
                samples=request.samples,
                grammar=compiled,
            )
        )
        return reply

    def score(self, prompt: Prompt, continuations: Sequence[str], deadline: Deadline) -> Scores:
        """Return the log-probability of each continuation, tokenized separately from the prompt.

        Raises the same errors as `generate`.
        """
        deadline.check()
        prefix, body = self._texts.prompt(prompt)
        tokens = tuple(self._texts.tokens(text) for text in continuations)
        self._network.check(len(prefix) + len(body) + max(map(len, tokens), default=0))
        scores: Scores = self._done(
            RatingJob(prefix=prefix, body=body, deadline=deadline, continuations=tokens)
        )
        return scores

    def count_tokens(self, text: str) -> int:
        """The number of the text's tokens, without those of a chat template."""
        return len(self._texts.tokens(text))

    def prepare(self, deadline: Deadline) -> None:
        """Check the deadline; a loaded model is always ready."""
        deadline.check()

    def close(self) -> None:
        """End the thread and drop the weights; waiting callers get a ModelError."""
        self._worker.close()

    def _done(self, job: Job) -> Any:
        """Return the result of a job; the wait ends with the job's deadline, even if the worker is busy."""
        self._worker.submit(job)
        while True:
            try:
                return job.future.result(timeout=_LOOK)
            except NotYet:
                job.deadline.check()


def _grammars(loaded: Loaded) -> Any | None:
    try:
        from nlq_gateway.models.local.constraints import Grammars

        return Grammars(loaded.tokenizer, loaded.words, loaded.ends)
    except (ImportError, ValueError):
        # It is not installed, or does not know this kind of tokenizer: `capabilities` says so.
        return None
