"""Texts written under a grammar follow it, however unlikely the model finds them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tiny_model import VOCABULARY, make_tiny_model

from nlq_gateway.models import Deadline, ModelRequest, Prompt, Reply, Sampling
from nlq_gateway.models.errors import ModelNonsense, ModelRefused
from nlq_gateway.models.local import LocalModel

pytestmark = pytest.mark.models

NAMES = ("Mike Nichols", "film", "São Paulo", 'the "Ring"', "日本")
GRAMMARS = {
    "names": (
        'root ::= step+\nstep ::= ("Find" | "Relate") "(" name ")" "\\n"\nname ::= '
        + " | ".join('"' + name.replace('"', '\\"') + '"' for name in NAMES),
        r"((Find|Relate)\((" + "|".join(map(re.escape, NAMES)) + r")\)\n)+",
    ),
    "number": ('root ::= "Step " [0-9]{1,3} ":"', r"Step [0-9]{1,3}:"),
    "choice": ('root ::= "1" | "2" | "10"', r"1|2|10"),
    "one word": ('root ::= "the one way"', r"the one way"),
    "recursive": ('root ::= "()" | "(" root root ")"', r"[()]+"),
    "any": ("root ::= [^\\n]*", r"[^\n]*"),
}
SAMPLINGS = (Sampling(max_tokens=300), Sampling(temperature=1.5, top_k=0, max_tokens=300, seed=2))
PROMPT = Prompt("Answer with a program.\n", "Which films?\n")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import torch

    torch.set_num_threads(1)
    return make_tiny_model(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="module")
def model(folder: Path) -> Iterator[LocalModel]:
    model = LocalModel.open(str(folder), "cpu")
    yield model
    model.close()


def written(model: LocalModel, grammar: str | None, sampling: Sampling, samples: int = 1) -> Reply:
    return model.generate(
        ModelRequest(PROMPT, sampling, samples=samples, grammar=grammar), Deadline.after(60)
    )


@pytest.mark.parametrize("name", GRAMMARS)
@pytest.mark.parametrize("sampling", SAMPLINGS, ids=["greedy", "warm"])
def test_every_finished_text_is_one_of_the_grammar(model: LocalModel, name: str, sampling: Sampling) -> None:
    grammar, pattern = GRAMMARS[name]
    for one in written(model, grammar, sampling, samples=6).generations:
        if one.finished:
            assert re.fullmatch(pattern, one.text)
        else:
            assert one.tokens == sampling.max_tokens


def test_texts_with_and_without_grammars_share_a_batch(model: LocalModel) -> None:
    asked = [*GRAMMARS.values(), (None, None)] * 2
    sampling = Sampling(temperature=1.0, max_tokens=40, seed=4)
    alone = [written(model, grammar, sampling, 2) for grammar, _ in asked]
    with ThreadPoolExecutor(len(asked)) as pool:
        found = [pool.submit(written, model, grammar, sampling, 2) for grammar, _ in asked]
    for reply, one in zip(alone, (f.result() for f in found), strict=True):
        assert [g.text for g in one.generations] == [g.text for g in reply.generations]


@pytest.mark.parametrize("most", [1, 3, 8])
def test_a_text_that_is_cut_is_the_beginning_of_one(model: LocalModel, most: int) -> None:
    import xgrammar

    grammar = GRAMMARS["names"][0]
    for one in written(model, grammar, Sampling(1.0, 0, most, seed=7), 6).generations:
        matcher = xgrammar.GrammarMatcher(model._grammars.compiled(grammar))
        assert matcher.accept_string(one.text)
        assert not one.finished


def test_a_stop_under_a_grammar(model: LocalModel) -> None:
    names, _ = GRAMMARS["names"]
    whole = written(model, names, Sampling(max_tokens=300, stop=("Find", "Relate"))).generations[0]
    assert (whole.text, whole.finished) == ("", False)
    step = written(model, names, Sampling(1.0, 0, 300, stop=("\n",), seed=3), 4).generations
    assert all(re.fullmatch(r"(Find|Relate)\([^\n]*\)", one.text) for one in step)
    assert not any(one.finished for one in step)
    ended = written(model, 'root ::= "a" [b;]*', Sampling(1.0, 0, 300, stop=(";",), seed=3), 8).generations
    assert all(one.finished for one in ended if one.tokens < 300)
    assert any(";" not in one.text and one.tokens > 1 for one in ended)


def test_probabilities_are_those_under_the_grammar(folder: Path, model: LocalModel) -> None:
    """The mask leaves only these two letters: their shares are what the model gives to each."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    network = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    tokens = tokenizer(PROMPT.prefix).input_ids + tokenizer(PROMPT.body).input_ids
    letters = tokenizer.convert_tokens_to_ids(["Q", "Z"])
    with torch.inference_mode():
        shares = network(torch.tensor([tokens])).logits[0, -1, letters].log_softmax(-1)
    found = written(model, 'root ::= "Q" | "Z"', Sampling(max_tokens=5)).generations[0]
    assert found.text == "QZ"[int(shares.argmax())]
    assert found.log_probability == pytest.approx(float(shares.max()), abs=1e-3)
    forced = written(model, 'root ::= "the one way"', Sampling(1.0, 0, 50), 4).generations
    assert {one.text for one in forced} == {"the one way"}
    assert all(math.exp(one.log_probability or 0.0) <= 1 for one in forced)


def test_special_tokens_are_not_written_as_what_they_are_called(model: LocalModel) -> None:
    grammar = 'root ::= "<pad>" | "<end>"'
    found = written(model, grammar, Sampling(1.0, 0, 50, seed=1), 8).generations
    assert all(one.finished and one.text in {"<pad>", "<end>"} for one in found)


@pytest.mark.parametrize(
    ("grammar", "message"),
    [
        ("root ::= (", "Expect element"),
        ('start ::= "a"', 'root rule with name "root" is not found'),
        ("root ::= missing", '"missing" is not defined'),
        ("root ::= [z-a]", "Invalid character class"),
    ],
)
def test_a_broken_grammar_is_refused_with_its_fault(model: LocalModel, grammar: str, message: str) -> None:
    with pytest.raises(ModelRefused, match=re.escape(message)) as raised:
        written(model, grammar, SAMPLINGS[0])
    assert "EBNF" in raised.value.message
    assert ".cc" not in raised.value.message


@pytest.mark.parametrize("samples", [1, 3])
@pytest.mark.parametrize("sampling", SAMPLINGS, ids=["greedy", "warm"])
def test_a_grammar_without_any_text_is_nonsense(model: LocalModel, samples: int, sampling: Sampling) -> None:
    with pytest.raises(ModelNonsense):
        written(model, "root ::= root", sampling, samples)
    assert written(model, GRAMMARS["choice"][0], SAMPLINGS[0]).generations[0].finished


def test_masks_leave_out_what_the_bits_leave_out() -> None:
    import torch

    from nlq_gateway.models.local.drawing import masked

    bits = torch.randint(-(2**31), 2**31, (3, 13), dtype=torch.int64).to(torch.int32)
    logits = torch.randn(3, VOCABULARY)
    found: Any = masked(logits, bits)
    for row in range(3):
        for token in range(VOCABULARY):
            allowed = int(bits[row, token // 32]) >> (token % 32) & 1
            assert found[row, token] == (logits[row, token] if allowed else -torch.inf)
