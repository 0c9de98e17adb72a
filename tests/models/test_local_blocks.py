"""Rows that come, grow, are repeated and leave give the logits of plain passes over the same tokens."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from tiny_model import VOCABULARY, make_tiny_model

from nlq_gateway.models import Deadline, ModelRequest, Prompt, Sampling
from nlq_gateway.models.local import LocalModel

pytestmark = pytest.mark.models


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Any:
    import torch

    from nlq_gateway.models.local.loading import load

    torch.set_num_threads(1)
    return load(str(make_tiny_model(tmp_path_factory.mktemp("tiny"))), "cpu")


@pytest.fixture
def infer() -> Iterator[None]:
    import torch

    with torch.inference_mode():
        yield


def tokens_of(random: Random, many: int) -> list[int]:
    return [random.randrange(2, VOCABULARY) for _ in range(many)]


def assert_plain(loaded: Any, logits: Any, rows: list[list[int]]) -> None:
    import torch

    for found, row in zip(logits, rows, strict=True):
        wanted = loaded.model(torch.tensor([row])).logits[0, -1]
        torch.testing.assert_close(found, wanted, atol=2e-3, rtol=1e-3)


@pytest.mark.usefixtures("infer")
@pytest.mark.parametrize("seed", range(4))
def test_a_block_through_everything_that_happens_to_it(loaded: Any, seed: int) -> None:
    from nlq_gateway.models.local.network import TorchNetwork

    random = Random(seed)
    network = TorchNetwork(loaded.model, loaded.pad)
    block = network.block()
    prefixes = [tokens_of(random, length) for length in (0, 5, 90)]
    rows: list[list[int]] = []

    def join() -> None:
        new = [
            (random.choice(prefixes), tokens_of(random, random.randint(1, 40)))
            for _ in range(random.randint(1, 3))
        ]
        logits = network.read(block, [network.prompt(prefix, body) for prefix, body in new])
        rows.extend([*prefix, *body] for prefix, body in new)
        assert_plain(loaded, logits[:, 0], rows[-len(new) :])

    def step() -> None:
        for row in rows:
            row.append(random.randrange(2, VOCABULARY))
        assert_plain(loaded, network.step(block, [row[-1] for row in rows]), rows)

    def steps() -> None:
        for _ in range(random.randint(20, 90)):
            for row in rows:
                row.append(random.randrange(2, VOCABULARY))
            network.step(block, [row[-1] for row in rows])

    def repeat() -> None:
        row = random.randrange(len(rows))
        block.repeat(row)
        rows.append(list(rows[row]))

    def remove() -> None:
        row = random.randrange(len(rows))
        block.remove(row)
        last = rows.pop()
        if row < len(rows):
            rows[row] = last

    for _ in range(40):
        random.choice([join, step, step, steps, repeat, remove, remove] if rows else [join])()
        assert block.lengths == [len(row) for row in rows]


@pytest.mark.usefixtures("infer")
def test_a_state_is_what_a_row_went_on_from(loaded: Any) -> None:
    from nlq_gateway.models.local.network import Text, TorchNetwork

    network = TorchNetwork(loaded.model, loaded.pad)
    random = Random(3)
    tokens = tokens_of(random, 30)
    state = network.state(Text(tokens[:20]))
    for known in (0, 1, 12, 20):
        logits = network.read(network.block(), [Text(tokens, state, known)], 10)
        assert_plain(loaded, logits[0], [tokens[: 21 + at] for at in range(10)])


def test_a_kept_prefix_is_read_once_and_candidates_in_one_pass(loaded: Any) -> None:
    read: list[tuple[int, int]] = []
    hook = loaded.model.register_forward_pre_hook(
        lambda _module, _args, named: read.append(tuple(named["input_ids"].shape)), with_kwargs=True
    )
    model = LocalModel(loaded)
    prefix, body = "A program has one step on each line.\n" * 5, "Which films?\n"
    lengths = [model.count_tokens(text) for text in (prefix, body)]
    for wanted in ([(1, lengths[0]), (1, lengths[1])], [(1, lengths[1])]):
        read.clear()
        model.generate(ModelRequest(Prompt(prefix, body), Sampling(max_tokens=1)), Deadline.after(60))
        assert read == wanted
    read.clear()
    model.generate(
        ModelRequest(Prompt(prefix, body), Sampling(1.0, 0, max_tokens=2), samples=6),
        Deadline.after(60),
    )
    assert read == [(1, lengths[1]), (6, 1)]
    read.clear()
    candidates = [str(number) for number in range(10)]
    model.score(Prompt(prefix, body), candidates, Deadline.after(60))
    assert read == [(1, lengths[1]), (10, 2)]
    model.close()
    hook.remove()
