"""Speed of a language model in this process: an 8B model with random weights, on one GPU.

It measures questions per second and their latency for several concurrent ones, with prefixes cached or read
again and under a grammar, and the scoring of candidates in one batch or one by one. The weights do not
affect this, so they are random and nothing is downloaded. `--tiny` runs the same on the CPU with a
small model, as a smoke test; its numbers mean nothing.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import nlq_gateway.neural
from nlq_gateway.models import Deadline, ModelRequest, Prompt, Sampling
from nlq_gateway.models.local import LocalModel

SEED = 7
NAMES = 300
CANDIDATES = 10
STEPS = 60
_SECONDS = 600.0
_ROW = "{:<30} {:>8} {:>13} {:>9} {:>9} {:>10}"


@dataclass(frozen=True, slots=True)
class Size:
    """A model's shape, and its requests: tokens of the prefix, of the body, and of the answer."""

    hidden: int
    layers: int
    heads: int
    key_heads: int
    inner: int
    words: int
    prefix: int
    body: int
    answer: int
    at_once: tuple[int, ...]


LARGE = Size(4096, 32, 32, 8, 14336, 128_256, 3000, 400, 120, (1, 8, 32))
TINY = Size(64, 2, 4, 2, 128, 4_000, 60, 20, 12, (1, 4))


@dataclass(frozen=True, slots=True)
class Run:
    """The times of concurrent questions: seconds of each, and of all."""

    at_once: int
    latencies: tuple[float, ...]
    seconds: float

    @property
    def median(self) -> float:
        """The median latency in seconds."""
        return statistics.median(self.latencies)

    @property
    def slow(self) -> float:
        """The latency that 95 of 100 questions stay below, in seconds."""
        return sorted(self.latencies)[max(0, -(-95 * len(self.latencies) // 100) - 1)]


def words_of(size: Size) -> list[str]:
    """Words of the package's own tokenizer, small and capitalized, as many as the vocabulary has room for."""
    path = Path(nlq_gateway.neural.__file__).with_name("tokenizer.json")
    known = json.loads(path.read_text())["model"]["vocab"]
    small = [word for word in known if len(word) > 1 and word.isalpha() and word.isascii()]
    return [*small, *(word.capitalize() for word in small)][: (size.words - 300) // 2]


def tokenizer_of(size: Size, words: Sequence[str]) -> Any:
    """A tokenizer by bytes that knows the words, with and without a space before them, and fillers."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    letters = ["<end>", *sorted(pre_tokenizers.ByteLevel.alphabet())]
    spelt = dict.fromkeys([*letters, *(form for word in words for form in (word, f"Ġ{word}"))])
    fillers = [f"<filler {number}>" for number in range(size.words - len(spelt))]
    vocabulary = {token: at for at, token in enumerate([*spelt, *fillers])}
    core = Tokenizer(models.BPE(vocab=vocabulary, merges=[], ignore_merges=True))
    core.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    core.decoder = decoders.ByteLevel()
    return PreTrainedTokenizerFast(tokenizer_object=core, eos_token="<end>", pad_token="<end>")


def network_of(size: Size, device: str, tokenizer: Any) -> Any:
    """The model with random weights, made on its device."""
    import torch
    from transformers import AutoModelForCausalLM, LlamaConfig

    config = LlamaConfig(
        vocab_size=size.words,
        hidden_size=size.hidden,
        intermediate_size=size.inner,
        num_hidden_layers=size.layers,
        num_attention_heads=size.heads,
        num_key_value_heads=size.key_heads,
        max_position_embeddings=8192,
        bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    torch.manual_seed(SEED)
    with torch.device(device):
        kind = torch.bfloat16 if device == "cuda" else torch.float32
        network = AutoModelForCausalLM.from_config(config, dtype=kind).eval()
    # Never the likeliest, so that no answer ends before its time.
    network.lm_head.weight.data[tokenizer.eos_token_id] = 0
    return network


def grammar_of(names: Sequence[str]) -> str:
    """A grammar of programs of numbered steps over the names, all longer than the answer's limit."""
    steps = [f's{number} ::= "Step {number}: " call "\\n" s{number + 1}' for number in range(1, STEPS)]
    listed = " | ".join(f'"{name}"' for name in names)
    return "\n".join(
        (
            "root ::= s1",
            *steps,
            f's{STEPS} ::= "Step {STEPS}: " call',
            'call ::= "Find(" name ")" | "FilterConcept(" name ")" | "Relate(" name ", " direction ")"'
            ' | "FilterYear(" name ", " year ", " operator ")" | "And()" | "Count()"',
            'direction ::= "forward" | "backward"',
            'operator ::= "=" | "<" | ">" | "!="',
            "year ::= [0-9]{4}",
            f"name ::= {listed}",
        )
    )


class Asker:
    """Makes questions of the wanted size, and asks them of a model."""

    def __init__(self, size: Size, words: Sequence[str]) -> None:
        self.size = size
        self._words = words
        self._random = random.Random(SEED)
        self._prefix = self.text(size.prefix)
        self.names = sorted({self.text(self._random.randint(1, 3)).strip() for _ in range(NAMES)})

    def text(self, tokens: int) -> str:
        """A text of `tokens` words, each of which is one token."""
        return "".join(f" {word}" for word in self._random.choices(self._words, k=tokens))

    def prompt(self) -> Prompt:
        """The one prefix, and a body that was not asked before."""
        return Prompt(self._prefix, self.text(self.size.body))

    def seconds(self, model: LocalModel, prompt: Prompt, grammar: str | None) -> float:
        """The seconds of one answer; all answers have the same number of tokens."""
        began = time.perf_counter()
        request = ModelRequest(prompt, Sampling(max_tokens=self.size.answer), grammar=grammar)
        reply = model.generate(request, Deadline.after(_SECONDS))
        assert reply.generations[0].tokens == self.size.answer, "the answer ended before its time"
        return time.perf_counter() - began

    def run(self, model: LocalModel, at_once: int, grammar: str | None = None) -> Run:
        """Ask by so many threads, each one question after the other, once all is warm."""
        prompts = [self.prompt() for _ in range(max(6, 2 * at_once))]
        self._all(model, [self.prompt() for _ in range(at_once)], at_once, grammar)
        began = time.perf_counter()
        latencies = self._all(model, prompts, at_once, grammar)
        return Run(at_once, tuple(latencies), time.perf_counter() - began)

    def _all(
        self, model: LocalModel, prompts: Sequence[Prompt], at_once: int, grammar: str | None
    ) -> list[float]:
        with ThreadPoolExecutor(at_once) as pool:
            return list(pool.map(lambda prompt: self.seconds(model, prompt, grammar), prompts))

    def scoring(self, model: LocalModel) -> tuple[float, float]:
        """Seconds for ten candidates in one batch, and one by one: medians."""
        candidates = [f" {name}" for name in self.names[:CANDIDATES]]
        together = [self._scored(model, [candidates]) for _ in range(7)]
        apart = [self._scored(model, [[one] for one in candidates]) for _ in range(7)]
        return statistics.median(together[1:]), statistics.median(apart[1:])

    def _scored(self, model: LocalModel, groups: Sequence[Sequence[str]]) -> float:
        prompt = self.prompt()
        began = time.perf_counter()
        for group in groups:
            model.score(prompt, group, Deadline.after(_SECONDS))
        return time.perf_counter() - began


def runs(asker: Asker, model: LocalModel, what: str, grammar: str | None = None) -> Iterator[Run]:
    """Print a row for each number of questions at once."""
    for at_once in asker.size.at_once:
        run = asker.run(model, at_once, grammar)
        many = len(run.latencies)
        print(
            _ROW.format(
                what,
                at_once,
                f"{many / run.seconds:.2f}",
                f"{run.median:.2f} s",
                f"{run.slow:.2f} s",
                f"{many * asker.size.answer / run.seconds:.0f}",
            ),
            flush=True,
        )
        yield run


def measure(size: Size, device: str) -> None:
    """Print all tables for a model of this size."""
    from nlq_gateway.models.local.loading import Loaded

    words = words_of(size)
    tokenizer = tokenizer_of(size, words)
    network = network_of(size, device, tokenizer)
    asker = Asker(size, words)
    print(f"\n{told(device)}; {network.num_parameters() / 1e9:.2f} billion weights, {network.dtype}")
    print(f"prefix {size.prefix} tokens, body {size.body}, answer {size.answer}\n")
    print(_ROW.format("", "at once", "questions/s", "p50", "p95", "tokens/s"))
    loaded = Loaded("random", network, tokenizer)
    without = LocalModel(loaded, keep_prefixes=False)
    list(runs(asker, without, "prefix read anew"))
    without.close()
    model = LocalModel(loaded)
    free = list(runs(asker, model, "prefix kept"))
    grammar = grammar_of(asker.names)
    compiling = timed(lambda: asker.seconds(model, asker.prompt(), grammar)) - free[0].median
    bound = list(runs(asker, model, "prefix kept, grammar", grammar))
    print(f"\ngrammar of {len(asker.names)} names; the first answer takes {max(0.0, compiling):.2f} s longer")
    for one, other in zip(free, bound, strict=True):
        step = (other.median - one.median) / size.answer * 1000
        print(f"  {one.at_once} at once: {other.median / one.median - 1:+.1%}, {step:+.2f} ms a token")
    together, apart = asker.scoring(model)
    print(f"\n{CANDIDATES} candidates scored: {together * 1000:.0f} ms in one batch,", end=" ")
    print(f"{apart * 1000:.0f} ms one by one ({apart / together:.1f} times)")
    model.close()


def timed(work: Callable[[], object]) -> float:
    """Seconds that it takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def told(device: str) -> str:
    """The device's name, and what runs on it."""
    import torch
    import transformers

    name = torch.cuda.get_device_name() if device == "cuda" else "CPU"
    return f"{name}, torch {torch.__version__}, transformers {transformers.__version__}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables, or the reason why there are none."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks gpu", description=__doc__)
    parser.add_argument("--tiny", action="store_true", help="a small model on the CPU: shows that it runs")
    chosen = parser.parse_args(arguments)
    if any(find_spec(name) is None for name in ("torch", "transformers", "xgrammar")):
        print("gpu: needs the extra `models` (pip install '.[models]'); nothing is measured")
        return
    import torch

    if chosen.tiny:
        measure(TINY, "cpu")
    elif torch.cuda.is_available():
        measure(LARGE, "cuda")
    else:
        print("gpu: there is no CUDA device; nothing is measured (--tiny runs the same on the CPU)")


if __name__ == "__main__":
    main()
