"""A language model small enough for tests: Llama's shape, random weights, a tokenizer made on the spot."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

SEED = 11
VOCABULARY = 400
POSITIONS = 16384
# What the merges of the tokenizer are learned from; it can write any other text byte by byte.
TEXT = (
    "Step 1: Find(Mike Nichols)\nStep 2: Relate(directed by, backward)\nStep 3: FilterConcept(film)",
    "Step 4: FilterYear(publication date, 1990, >)\nStep 5: SelectAmong(duration, largest)\nStep 6: Count()",
    "Which films did Mike Nichols direct, and how many of them are longer than two hours?",
    "Answer the question with a program. A program has one step on each line.",
)


def make_tiny_model(
    folder: Path,
    chat_template: str | None = None,
    *,
    texts: Sequence[str] = TEXT,
    vocabulary: int = VOCABULARY,
) -> Path:
    """Save a model and its tokenizer in the folder, always the same ones, and return the folder.

    The tokenizer has so many tokens, learned from the texts: enough of both makes real prompts short.
    """
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    tokenizer = _tokenizer(chat_template, texts, vocabulary)
    with torch.random.fork_rng():
        torch.manual_seed(SEED)
        model = LlamaForCausalLM(
            LlamaConfig(
                vocab_size=len(tokenizer),
                hidden_size=64,
                intermediate_size=128,
                num_hidden_layers=2,
                num_attention_heads=4,
                num_key_value_heads=2,
                max_position_embeddings=POSITIONS,
                # Wide enough that the likeliest token is ahead of the next by more than rounding.
                initializer_range=0.2,
                bos_token_id=None,
                eos_token_id=tokenizer.eos_token_id,
                pad_token_id=tokenizer.pad_token_id,
            )
        )
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def _tokenizer(chat_template: str | None, texts: Sequence[str], vocabulary: int) -> Any:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    core = Tokenizer(models.BPE())
    core.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    core.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=["<end>", "<pad>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    core.train_from_iterator(texts, trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=core,
        eos_token="<end>",
        pad_token="<pad>",
        model_max_length=POSITIONS,
        chat_template=chat_template,
    )
