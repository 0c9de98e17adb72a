"""The model in this process writes what a plain forward pass over the whole text would have it write."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tiny_model import POSITIONS, VOCABULARY, make_tiny_model

from nlq_gateway.models import Deadline, Generation, ModelRequest, Prompt, Sampling
from nlq_gateway.models.errors import ModelRefused
from nlq_gateway.models.local import LocalModel

pytestmark = pytest.mark.models

PREFIX = "Answer the question with a program. A program has one step on each line.\n" * 3
QUESTIONS = (
    "Which films did Mike Nichols direct?\n",
    "How many?\n",
    "Which film is longer than two hours, and who directed it after 1990?\n",
    "Who?\n",
    "Is the duration of the film longer than two hours?\n",
    "When was the film directed by Mike Nichols first shown, and in which place was that?\n",
    "x",
    "How many of the films that Mike Nichols directed are longer than the longest?\n",
)
WARM = Sampling(temperature=0.8, top_k=30, max_tokens=12, seed=5)


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


def other_kinds() -> dict[str, Callable[[], Any]]:
    """Models whose attention differs from Llama's: within a window, in every other layer, learned places."""
    from transformers import Gemma2Config, GPT2Config, MistralConfig

    shape: dict[str, Any] = {
        "vocab_size": VOCABULARY,
        "hidden_size": 64,
        "intermediate_size": 128,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "initializer_range": 0.2,
        "max_position_embeddings": 1024,
        "bos_token_id": None,
        "eos_token_id": 0,
        "pad_token_id": 1,
    }
    return {
        "mistral": lambda: MistralConfig(**shape, sliding_window=12),
        "gemma2": lambda: Gemma2Config(**shape, sliding_window=12, head_dim=16),
        "gpt2": lambda: GPT2Config(
            vocab_size=VOCABULARY,
            n_embd=64,
            n_layer=2,
            n_head=4,
            initializer_range=0.2,
            bos_token_id=None,
            eos_token_id=0,
        ),
    }


def generation(model: LocalModel, prompt: Prompt, sampling: Sampling) -> Generation:
    return model.generate(ModelRequest(prompt, sampling), Deadline.after(60)).generations[0]


def plainly(network: Any, tokenizer: Any, prompt: Prompt, most: int) -> tuple[str, float]:
    """The greedy text and its log-probability, each token by a forward pass over all before it."""
    import torch

    tokens = [one for part in (prompt.prefix, prompt.body) for one in tokenizer(part).input_ids]
    begin, total = len(tokens), 0.0
    with torch.inference_mode():
        for _ in range(most):
            likely = network(torch.tensor([tokens])).logits[0, -1].float().log_softmax(-1)
            tokens.append(int(likely.argmax()))
            total += float(likely.max())
            if tokens[-1] == tokenizer.eos_token_id:
                break
    return tokenizer.decode(tokens[begin:], skip_special_tokens=True), total


def together(asked: Sequence[Callable[[], Any]]) -> list[Any]:
    with ThreadPoolExecutor(len(asked)) as pool:
        return [found.result() for found in [pool.submit(ask) for ask in asked]]


@pytest.mark.parametrize("kind", ["llama", "mistral", "gemma2", "gpt2"])
@pytest.mark.parametrize("prefix", ["", PREFIX], ids=["alone", "prefix"])
def test_a_batch_of_threads_writes_what_plain_passes_do(
    folder: Path, tmp_path: Path, kind: str, prefix: str
) -> None:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    source = folder
    tokenizer = AutoTokenizer.from_pretrained(folder)
    if kind != "llama":
        source = tmp_path
        with torch.random.fork_rng():
            torch.manual_seed(3)
            made = AutoModelForCausalLM.from_config(other_kinds()[kind]())
        # Eager attention alone knows the soft caps of Gemma 2.
        made.save_pretrained(source)
        tokenizer.save_pretrained(source)
    network = AutoModelForCausalLM.from_pretrained(source, dtype=torch.float32).eval()
    prompts = [Prompt(prefix, question) for question in QUESTIONS]
    lengths = [3 + 4 * at for at in range(len(prompts))]
    model = LocalModel.open(str(source), "cpu", rows=5)
    found = together(
        [
            lambda prompt=prompt, most=most: generation(model, prompt, Sampling(max_tokens=most))
            for prompt, most in zip(prompts, lengths, strict=True)
        ]
    )
    model.close()
    for one, prompt, most in zip(found, prompts, lengths, strict=True):
        text, log_probability = plainly(network, tokenizer, prompt, most)
        assert one.text.rstrip("\ufffd") == text.rstrip("\ufffd")
        assert one.log_probability == pytest.approx(log_probability, abs=1e-3)


def test_prefixes_that_are_not_kept_change_nothing(folder: Path, model: LocalModel) -> None:
    without = LocalModel.open(str(folder), "cpu", keep_prefixes=False)
    for question in QUESTIONS:
        kept = generation(model, Prompt(PREFIX, question), Sampling(max_tokens=20))
        read = generation(without, Prompt(PREFIX, question), Sampling(max_tokens=20))
        assert (kept.text, kept.tokens) == (read.text, read.tokens)
        assert kept.log_probability == pytest.approx(read.log_probability, abs=1e-3)
    without.close()


def test_more_prefixes_than_are_kept(model: LocalModel) -> None:
    prompts = [Prompt(f"{number}. {PREFIX}", QUESTIONS[0]) for number in range(6)]
    first = [generation(model, prompt, Sampling(max_tokens=6)) for prompt in prompts]
    again = [generation(model, prompt, Sampling(max_tokens=6)) for prompt in prompts]
    assert [one.text for one in first] == [one.text for one in again]
    assert len({one.text for one in first}) > 1


def test_samples_depend_on_the_seed_and_not_on_the_batch(model: LocalModel) -> None:
    def texts(question: str, seed: int) -> list[str]:
        sampling = Sampling(temperature=0.8, top_k=30, max_tokens=12, seed=seed)
        reply = model.generate(
            ModelRequest(Prompt(PREFIX, question), sampling, samples=3), Deadline.after(60)
        )
        return [one.text for one in reply.generations]

    alone = [texts(question, 5) for question in QUESTIONS]
    batched = together([lambda question=question: texts(question, 5) for question in QUESTIONS])
    assert batched == alone
    assert all(len(set(three)) == 3 for three in alone)
    assert texts(QUESTIONS[0], 6) != alone[0]


def test_greedy_samples_are_one_text(model: LocalModel) -> None:
    reply = model.generate(
        ModelRequest(Prompt("", QUESTIONS[0]), Sampling(max_tokens=5), samples=3), Deadline.after(60)
    )
    assert len(reply.generations) == 3
    assert len(set(reply.generations)) == 1
    assert reply.usage.completion_tokens == 5
    assert reply.usage.prompt_tokens == model.count_tokens(QUESTIONS[0])


def test_top_1_is_greedy(model: LocalModel) -> None:
    prompt = Prompt(PREFIX, QUESTIONS[0])
    greedy = generation(model, prompt, Sampling(max_tokens=12))
    drawn = generation(model, prompt, Sampling(temperature=2.0, top_k=1, max_tokens=12))
    assert drawn.text == greedy.text
    assert drawn.log_probability == pytest.approx(greedy.log_probability, abs=1e-4)


@pytest.mark.parametrize("letters", [1, 2, 7])
def test_a_text_ends_before_the_first_stop(model: LocalModel, letters: int) -> None:
    prompt = Prompt(PREFIX, QUESTIONS[2])
    whole = generation(model, prompt, Sampling(max_tokens=40)).text
    stop = whole[9 : 9 + letters]
    stopped = generation(model, prompt, Sampling(max_tokens=40, stop=("never said", stop)))
    assert stopped.text == whole[: whole.index(stop)]
    assert stopped.finished
    assert stopped.tokens < 40


def test_the_token_that_ends_a_text_is_its_last(model: LocalModel) -> None:
    sampling = Sampling(temperature=1.0, max_tokens=1500, seed=1)
    found = model.generate(ModelRequest(Prompt("", "x"), sampling, samples=4), Deadline.after(60)).generations
    assert any(one.finished for one in found)
    for one in found:
        assert one.finished == (one.tokens < 1500)
        assert "<end>" not in one.text


def test_a_text_is_cut_after_so_many_tokens(model: LocalModel) -> None:
    found = generation(model, Prompt("", QUESTIONS[0]), Sampling(max_tokens=4))
    assert (found.tokens, found.finished) == (4, False)


def test_a_prompt_that_is_too_long_or_empty_is_refused(model: LocalModel) -> None:
    with pytest.raises(ModelRefused, match=f"{POSITIONS} at most|at most {POSITIONS}"):
        generation(model, Prompt("", "x1" * POSITIONS), WARM)
    with pytest.raises(ModelRefused, match="empty"):
        generation(model, Prompt("", ""), WARM)


SYSTEM_AND_USER = (
    "{% for m in messages %}<|{{ m.role }}|>{{ m.content | trim }}\n{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
USER_ALONE = (
    "{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('no system') }}{% endif %}"
    "<|{{ m.role }}|>{{ m.content }}\n{% endfor %}<|assistant|>"
)
NO_SYSTEM = "{% for m in messages %}{% if m.role == 'user' %}[{{ m.content }}]{% endif %}{% endfor %}"


@pytest.mark.parametrize(
    ("template", "prefix", "body"),
    [
        (SYSTEM_AND_USER, "<|system|>Be short.\n<|user|>", "Who? \n<|assistant|>"),
        (USER_ALONE, "<|user|>Be short.\n", "Who? \n<|assistant|>"),
        (NO_SYSTEM, "[Be short.\n", "Who? ]"),
    ],
    ids=["system", "refused", "ignored"],
)
def test_a_chat_model_reads_its_template(tmp_path: Path, template: str, prefix: str, body: str) -> None:
    from transformers import AutoTokenizer

    from nlq_gateway.models.local.texts import ModelTokenizer

    tokenizer = AutoTokenizer.from_pretrained(make_tiny_model(tmp_path, template))
    texts = ModelTokenizer(tokenizer, [0])
    wanted = body if template != SYSTEM_AND_USER else body.replace(" \n", "\n")
    assert tuple(map(texts.text, texts.prompt(Prompt("Be short.\n", "Who? ")))) == (prefix, wanted)


def test_a_chat_model_writes(tmp_path: Path) -> None:
    model = LocalModel.open(str(make_tiny_model(tmp_path / "chat", SYSTEM_AND_USER)), "cpu")
    found = model.generate(ModelRequest(Prompt("Be short.", "Who?"), WARM), Deadline.after(60))
    rendered = "<|system|>Be short.\n<|user|>Who?\n<|assistant|>"
    assert model.name == "chat"
    assert found.generations[0].text
    assert abs(found.usage.prompt_tokens - model.count_tokens(rendered)) <= 2
    model.close()
