"""The gateway in this process."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from os import PathLike, fspath
from typing import Self, TypeAlias

from compilers.compile import compile_program
from compilers.probes import compile_probes
from nlq_gateway.answering import Ask, Pin, Pipeline
from nlq_gateway.client.answer import Compilation, GatewayAnswer, answer_of, compilation_of
from nlq_gateway.client.options import AnyProgram, Pins, pin_documents, program_of
from nlq_gateway.core.errors import ConfigurationError
from nlq_gateway.core.types import Progress
from nlq_gateway.language.detection import ENGLISH
from nlq_gateway.models import ModelError
from nlq_gateway.settings import SAMPLE, Settings, load
from nlq_gateway.trace import compiled_json

Source: TypeAlias = str | PathLike[str]

_STORE = ("http://", "https://")
_SETTINGS = (".yaml", ".yml")


class Gateway:
    """A gateway in this process, over files, a SPARQL store, or everything that a settings file names.

    >>> from nlq_gateway import Gateway
    >>> gateway = Gateway.open("films.ttl.gz")
    >>> print(gateway.ask("Which films did Christopher Nolan direct before 2010?"))
    The Dark Knight

    Safe to share between threads. `close()` gives back files and processes; `with` does so by itself.
    Every error has `message`, `hint`, `code` and `retryable`; a store that is down is an error, never an
    empty answer.
    """

    def __init__(self, settings: Settings, *, progress: Progress | None = None) -> None:
        """Create a gateway from settings; users call `Gateway.open`."""
        self._pipeline = Pipeline(settings)
        self._progress = progress

    @classmethod
    def open(
        cls,
        *sources: Source,
        layout: str = "auto",
        examples: Source | None = None,
        model: str | None = None,
        progress: Progress | None = None,
    ) -> Self:
        """Open a gateway that is ready for questions.

        The first time that a graph is opened, its schema is indexed on disk, in seconds to minutes.

        Args:
            sources: RDF files (.gz too), the address of one SPARQL store, or one settings file (.yaml, .yml);
                without any the built-in sample graph.
            layout: how the graph states facts (docs/layouts.md); auto detects it.
            examples: JSON Lines of questions with their programs, used as demonstrations.
            model: a language model: the address of an OpenAI-compatible server, or a folder for
                `transformers`.
            progress: called with each stage of indexing, the amount done and the total.

        Raises:
            ConfigurationError: a file is missing, or a setting is wrong.
            EndpointError: the store is down or refuses to be read.
            DataError: a file is not RDF.
        """
        settings = _settings_of([fspath(source) for source in sources])
        examples = None if examples is None else fspath(examples)
        changed = settings.with_source(
            layout=None if layout == "auto" else layout, examples=examples, model=model
        )
        gateway = cls(changed, progress=progress)
        try:
            gateway._prepare()
        except BaseException:
            gateway.close()
            raise
        return gateway

    def ask(
        self,
        question: str,
        *,
        dataset: str | None = None,
        language: str = "",
        strategy: str = "",
        guess: bool = False,
        only: bool = False,
        execute: bool = True,
        max_rows: int | None = None,
        timeout_ms: int | None = None,
        pins: Pins | None = None,
    ) -> GatewayAnswer:
        """Answer a question, with the program and query that found the answer.

        Args:
            question: in plain words, in any language.
            dataset: an endpoint of the settings by its id or an alias; the first one if left out.
            language: the question's, as a BCP 47 tag such as "de"; detected if left out.
            strategy: auto, bottom-up, or one of a language model's (docs/models.md).
            guess: True to answer by the likeliest reading at any confidence.
            only: True to use this strategy alone, without other sources.
            execute: False for the program and its query without an answer.
            max_rows: rows kept of one result.
            timeout_ms: milliseconds that each query may take.
            pins: IRIs by (step, argument) for names of the program, as in `answer.trace`:
                steps count from 1, arguments from 0. Also the `pins` of a document, as they are.

        Raises:
            GatewayError: the question is refused, such as an empty one.
            EndpointError: the store failed.
        """
        self._prepare(dataset)
        asked = Ask(
            question, dataset, language, strategy, execute, max_rows, timeout_ms, _pinned(pins), guess, only
        )
        return answer_of(self._pipeline.ask(asked).as_json())

    def run(
        self,
        program: AnyProgram,
        *,
        dataset: str | None = None,
        language: str = ENGLISH,
        max_rows: int | None = None,
        timeout_ms: int | None = None,
        pins: Pins | None = None,
        strict: bool = False,
    ) -> GatewayAnswer:
        """The answer that a program finds, such as `answer.program` after it was edited.

        Args:
            program: text in any notation (docs/functions.md), the parsed JSON of one, or a `Program`.
            dataset: see `ask`, like `max_rows`, `timeout_ms` and `pins`.
            language: a BCP 47 tag that orders labels.
            max_rows: rows kept of one result.
            timeout_ms: milliseconds that each query may take.
            pins: IRIs by (step, argument).
            strict: True to refuse functions beyond KQA Pro's.

        Raises:
            CompilerError: the program cannot be read, does not check, or cannot be stated over this graph.
            EndpointError: the store failed.
        """
        read = program_of(program)
        self._prepare(dataset)
        trace = self._pipeline.run(
            read,
            dataset,
            pins=_pinned(pins),
            max_rows=max_rows,
            timeout_ms=timeout_ms,
            language=language,
            strict=strict,
        )
        return answer_of(trace.as_json())

    def compile(
        self,
        program: AnyProgram,
        *,
        dataset: str | None = None,
        dialect: str | None = None,
        pins: Pins | None = None,
        strict: bool = False,
    ) -> Compilation:
        """A program's query over the graph, which is not sent.

        Args:
            program: as `run` takes it.
            dataset: see `ask`, like `pins`.
            dialect: virtuoso, fuseki, oxigraph or sparql11; the store's own if left out.
            pins: IRIs by (step, argument).
            strict: True to refuse functions beyond KQA Pro's.

        Raises:
            CompilerError: the program cannot be read, does not check, or cannot be stated over this graph.
        """
        read = program_of(program)
        self._prepare(dataset)
        bound = self._pipeline.bind(read, dataset, dialect=dialect, pins=_pinned(pins), strict=strict)
        query, probes = compile_program(*bound), compile_probes(*bound)
        return compilation_of(compiled_json(self._pipeline.endpoint(dataset).id, query, probes))

    @property
    def datasets(self) -> tuple[str, ...]:
        """The ids of the endpoints, the default one first."""
        return tuple(self._pipeline.endpoints)

    def examples(self, dataset: str | None = None) -> tuple[str, ...]:
        """A few questions that can be asked of a dataset."""
        self._prepare(dataset)
        return self._pipeline.endpoint(dataset).examples

    def close(self) -> None:
        """Close every endpoint and the language model."""
        self._pipeline.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Gateway({', '.join(self.datasets)})"

    def _prepare(self, dataset: str | None = None) -> None:
        """Open an endpoint and the model, where that was not done yet."""
        self._pipeline.endpoint(dataset).prepare(self._progress)
        if self._pipeline.model is not None and self._pipeline.model.status == "loading":
            # Questions are answered without it, and warn.
            with suppress(ModelError):
                self._pipeline.model.prepare()


def _settings_of(sources: Sequence[str]) -> Settings:
    """Return the settings of the sources; raises ConfigurationError for several of different kinds."""
    if not sources:
        return Settings.for_data([SAMPLE])
    single = next((one for one in sources if one.startswith(_STORE) or one.endswith(_SETTINGS)), None)
    if single is None:
        return Settings.for_data(sources)
    if len(sources) > 1:
        hint = "list several stores in a settings file (docs/configuration.md)"
        raise ConfigurationError(f"{single} has to be the only source", hint=hint)
    return Settings.for_store(single) if single.startswith(_STORE) else load(single)


def _pinned(pins: Pins | None) -> tuple[Pin, ...]:
    return tuple(Pin(one["step"] - 1, one["argument"], one["iri"]) for one in pin_documents(pins))
