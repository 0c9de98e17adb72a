"""An embedding model of sentence-transformers, small enough for tests, with words of two languages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

SEED = 5
WIDTH, POSITIONS = 256, 64
_SPECIAL = ("[PAD]", "[CLS]", "[SEP]", "[UNK]")


def make_tiny_embedder(folder: Path, words: Iterable[str], same: Mapping[str, str], seed: int = SEED) -> Path:
    """Save a model in the folder, always the same one, and return the folder.

    It has no layers: a text's vector is the mean of its words' random ones. The words of `same` have the
    vector of another word, as a multilingual model gives translations nearly the same one.
    """
    import torch
    from transformers import BertConfig, BertModel

    known = sorted({*(word for text in words for word in re.findall(r"\w+", text.lower())), *same})
    vocabulary = {word: number for number, word in enumerate((*_SPECIAL, *known))}
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=WIDTH,
        num_hidden_layers=0,
        num_attention_heads=4,
        intermediate_size=WIDTH,
        max_position_embeddings=POSITIONS,
    )
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        model = BertModel(config)
    with torch.no_grad():
        rows = model.embeddings.word_embeddings.weight
        rows[: len(_SPECIAL)] = 0
        model.embeddings.position_embeddings.weight[:] = 0
        model.embeddings.token_type_embeddings.weight[:] = 0
        for word, meaning in same.items():
            rows[vocabulary[word]] = rows[vocabulary[meaning]]
    model.save_pretrained(folder)
    _tokenizer(vocabulary).save_pretrained(folder)
    # The files of published models.
    parts = [("", "Transformer"), ("1_Pooling", "Pooling")]
    modules = [
        {"idx": number, "name": str(number), "path": path, "type": f"sentence_transformers.models.{name}"}
        for number, (path, name) in enumerate(parts)
    ]
    (folder / "modules.json").write_text(json.dumps(modules))
    (folder / "1_Pooling").mkdir()
    pooling = {"word_embedding_dimension": WIDTH, "pooling_mode_mean_tokens": True}
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(pooling))
    return folder


def _tokenizer(vocabulary: dict[str, int]) -> Any:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    core = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    core.normalizer = normalizers.Lowercase()
    core.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    core.post_processor = processors.BertProcessing(("[SEP]", 2), ("[CLS]", 1))
    return PreTrainedTokenizerFast(
        tokenizer_object=core,
        pad_token="[PAD]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        unk_token="[UNK]",
        model_max_length=POSITIONS,
    )
