"""Texts out of a stream of events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from nlq_gateway.models.base import Generation, Reply, Usage
from nlq_gateway.models.calls import Called, argument_of
from nlq_gateway.models.errors import ModelNonsense, ModelUnreachable
from nlq_gateway.models.server.estimate import estimated_tokens
from nlq_gateway.models.server.messages import CompletionChoice, CompletionResponse, ToolCall, Used

NOT_A_SERVER = "check model.url: it mostly ends in /v1"
# Reasons to finish that leave a text without its end.
_OPENS, _CLOSES = "<think>", "</think>"
_CUT = frozenset({"length", "max_tokens", "content_filter", "abort", "error"})


@dataclass(slots=True)
class _Call:
    """A call of a tool as it grows."""

    index: int
    id: str
    tool: str = ""
    arguments: str = ""


@dataclass(slots=True)
class _GrowingText:
    """One text as it grows: `starts` has the position of each of `log_probabilities`.

    If the model may be `calling` tools, the calls are kept apart from the text.
    """

    calling: bool = False
    calls: list[_Call] = field(default_factory=list)
    text: str = ""
    starts: list[int] = field(default_factory=list)
    log_probabilities: list[float] = field(default_factory=list)
    known: bool = True
    thought: bool = False
    reason: str | None = None

    def add(self, choice: CompletionChoice) -> None:
        self.thought |= choice.delta is not None and choice.delta.thought
        found = [value for _, value in choice.logprobs.pairs] if choice.logprobs else []
        values = [value for value in found if value is not None]
        self.known &= len(values) == len(found) and bool(values or not choice.piece)
        self.starts += [len(self.text)] * len(values)
        self.log_probabilities += values
        self.text += choice.piece if not self.calling else self._beside_calls(choice)
        self.reason = choice.finish_reason or self.reason

    def _beside_calls(self, choice: CompletionChoice) -> str:
        for call in choice.delta.tool_calls or () if choice.delta else ():
            self._called(call)
        return (choice.delta.content if choice.delta else choice.text) or ""

    def _called(self, piece: ToolCall) -> None:
        """Another call, or the next piece of one: some servers number all calls alike."""
        call = next((one for one in reversed(self.calls) if one.index == piece.index), None)
        if call is None or (piece.id and piece.id != call.id):
            call = _Call(piece.index, piece.id or "")
            self.calls.append(call)
        if piece.function is not None:
            call.tool = call.tool or piece.function.name or ""
            call.arguments += piece.function.arguments or ""

    @property
    def begin(self) -> int:
        """The position of the answer after the reasoning; the text's end during the reasoning."""
        closed = self.text.rfind(_CLOSES)
        if closed >= 0:
            return closed + len(_CLOSES)
        return len(self.text) if self.text.lstrip().startswith(_OPENS) else 0

    def generation(self, stops: Sequence[str], written: int | None) -> Generation:
        """The answer before the first stop; `written` are its tokens, where the server says so."""
        begin, end = self.begin, self.end(stops)
        called = (Called(one.tool, argument_of(one.arguments)).text for one in self.calls)
        text = "\n".join((self.text[begin:end], *called))
        used = [
            value
            for at, value in zip(self.starts, self.log_probabilities, strict=True)
            if at >= begin and (end is None or at < end)
        ]
        silent = self.reason in _CUT and not text.strip()
        known = self.known and bool(used or not text)
        return Generation(
            text,
            sum(used) if known else None,
            len(used) if known else estimated_tokens(text) if written is None else written,
            end is not None or self.reason not in _CUT,
            self.thought or begin > 0 or silent,
        )

    def end(self, stops: Sequence[str]) -> int | None:
        """The position of the first stop; most servers omit it themselves."""
        begin = self.begin
        return min((at for stop in stops if (at := self.text.find(stop, begin)) >= 0), default=None)


@dataclass(slots=True)
class StreamReader:
    """Takes the events of one stream, of `count` texts.

    Texts end before the first of `stops`, whether the server minds it or not. Where the model may be
    `calling` tools, their calls stand behind the text as lines.
    """

    count: int = 1
    stops: Sequence[str] = ()
    request_id: str = ""
    calling: bool = False
    _texts: dict[int, _GrowingText] = field(default_factory=dict)
    _used: Used | None = None

    def add(self, event: CompletionResponse) -> None:
        """Take one event."""
        self.request_id = self.request_id or event.id or ""
        self._used = event.usage or self._used
        for choice in event.choices or ():
            self._texts.setdefault(choice.index, _GrowingText(self.calling)).add(choice)

    @property
    def enough(self) -> bool:
        """True if every text has reached a stop, so that the rest of the stream is not needed."""
        return len(self._texts) == self.count and all(
            text.end(self.stops) is not None for text in self._texts.values()
        )

    def reply(self, prompt: str) -> Reply:
        """The texts, once the stream has ended.

        Raises:
            ModelNonsense: there is none.
            ModelUnreachable: one has no end: the stream broke off.
        """
        if not self._texts:
            raise ModelNonsense(
                "the model server sent no text", hint=NOT_A_SERVER, request_id=self.request_id
            )
        if any(text.reason is None and text.end(self.stops) is None for text in self._texts.values()):
            raise ModelUnreachable(
                "the model server broke off in the middle of a text", request_id=self.request_id
            )
        for text in self._texts.values():
            text.thought |= self._used is not None and self._used.thought
        written = self._used.completion_tokens if self._used and len(self._texts) == 1 else None
        generations = tuple(text.generation(self.stops, written) for _, text in sorted(self._texts.items()))
        return Reply(generations, self._usage(prompt, generations), self.request_id)

    def _usage(self, prompt: str, generations: Sequence[Generation]) -> Usage:
        used = self._used or Used()
        read, written = used.prompt_tokens, used.completion_tokens
        return Usage(
            estimated_tokens(prompt) if read is None else read,
            sum(one.tokens for one in generations) if written is None else written,
        )
