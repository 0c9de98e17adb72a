"""The drafter in numpy is the network that training has in torch."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.models

QUESTION = [101, 2040, 2856, 1996, 3185, 102]
LABELS = ["film", "directed by", "duration", "point in time"]
TOKENS = [[2143, 102], [2856, 2011, 102], [9367, 102], [2391, 1999, 2051, 102]]


def test_every_decision_has_the_same_probability(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    for module in ("nlq_gateway.neural.stack", "nlq_gateway.drafts.drafter.network"):
        monkeypatch.setattr(f"{module}.runtime", lambda: None)
    from safetensors.numpy import load_file
    from safetensors.torch import save_file

    from nlq_gateway.drafts.drafter.network import DrafterNetwork, log_softmax
    from nlq_gateway.drafts.drafter.vocabulary import WORD_ID, Mode
    from nlq_gateway.index import MiniLM
    from nlq_gateway.neural import Weights, shared_weights
    from training.drafter.network import SHARED, Batch, Drafter

    torch.manual_seed(5)
    model = Drafter().eval()
    for layer in (model.joint, model.joint_key, model.ends, model.ends_key):
        torch.nn.init.normal_(layer.weight, std=0.05)
    shared = shared_weights()
    own = {name: t.clone() for name, t in model.state_dict().items()}
    for name in own:
        if name.startswith(("encoder.0.", "encoder.1.")):
            own[name] = torch.from_numpy(np.array(shared[name]))
    own["words.weight"] = torch.from_numpy(shared.rows("words").all())
    own["places.weight"] = torch.from_numpy(np.array(shared["places"]))
    own["embedding_norm.weight"], own["embedding_norm.bias"] = (
        torch.from_numpy(np.array(shared[f"norm.{part}"])) for part in ("weight", "bias")
    )
    model.load_state_dict(own)
    kept = {n: t for n, t in own.items() if not n.startswith(("words", "places", "embedding_norm"))}
    for number in range(SHARED):
        kept = {n: t for n, t in kept.items() if not n.startswith(f"encoder.{number}.")}
    save_file(kept, str(tmp_path / "drafter.safetensors"))
    network = DrafterNetwork.of(Weights(load_file(tmp_path / "drafter.safetensors")), shared_weights())

    vectors, kinds = MiniLM().encode(LABELS), np.arange(4)
    ends = np.concatenate([vectors[::-1], vectors[[1, 0, 3, 2]]], 1)
    decisions = [
        (Mode.WORD, WORD_ID["Find"], -2),
        (Mode.FIRST, 2, -2),
        (Mode.LAST, 4, -2),
        (Mode.WORD, WORD_ID["Relate"], -2),
        (Mode.ITEM, 1, 1),
        (Mode.WORD, WORD_ID["backward"], -2),
        (Mode.WORD, WORD_ID["<end>"], -2),
    ]
    modes, values, wanted = (torch.tensor([list(column)]) for column in zip(*decisions, strict=True))
    batch = Batch(
        torch.tensor([[*QUESTION, *chain.from_iterable(TOKENS[:3])]]),
        torch.ones(1, len(QUESTION) + sum(map(len, TOKENS[:3])), dtype=torch.bool),
        torch.tensor([[number for number, label in enumerate(TOKENS[:3]) for _ in label]]),
        modes,
        values,
        torch.ones(1, len(decisions), dtype=torch.bool),
        torch.arange(4)[None],
        torch.from_numpy(kinds)[None],
        torch.from_numpy(ends)[None],
        wanted,
        offered=3,
    )
    with torch.no_grad():
        expected = model(batch, torch.from_numpy(vectors))[0].numpy()

    shelf = network.shelve(vectors, kinds, ends, TOKENS)
    memory, past = network.read(QUESTION, shelf, [0, 1, 2]), network.past()
    row, found = network.word_input(1), []
    for mode, value, kind in decisions:
        scores, past = network.step(row[None], past, memory)
        if mode == Mode.WORD:
            found.append(scores.words[0, value])
            row = network.word_input(value)
        elif mode == Mode.ITEM:
            suits = np.where(kinds == kind, scores.items[0], np.float32(-1e4))
            found.append(log_softmax(suits)[value])
            row = network.item_input(memory, value)
        else:
            ends = scores.firsts if mode == Mode.FIRST else scores.lasts
            found.append(ends[0, value])
            row = network.pointed_input(memory, value, last=mode == Mode.LAST)
    assert np.array(found) == pytest.approx(expected, abs=2e-4)
