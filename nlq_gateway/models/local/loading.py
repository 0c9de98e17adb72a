"""Loads the weights and the tokenizer of a causal language model from a folder or the hub."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, DynamicCache
from transformers.cache_utils import DynamicLayer, DynamicSlidingWindowLayer

from nlq_gateway.models.errors import ModelMissing

_HINT = "give a folder with a model and its tokenizer, or a name on the hub that is cached or can be reached"


@dataclass(frozen=True, slots=True)
class Loaded:
    """A model with its tokenizer, on its device."""

    name: str
    model: Any
    tokenizer: Any

    @property
    def words(self) -> int:
        """The width of the logits, which may go beyond the tokenizer's vocabulary."""
        return int(self.model.get_output_embeddings().weight.shape[0])

    @property
    def ends(self) -> tuple[int, ...]:
        """The tokens that end a text, from the generation configuration (chat turns) and the tokenizer."""
        configured = self.model.generation_config.eos_token_id
        several = configured if isinstance(configured, list) else [configured]
        return tuple(sorted({*several, self.tokenizer.eos_token_id} - {None}))

    @property
    def pad(self) -> int:
        """Any existing token: its keys and values are masked."""
        found = self.tokenizer.pad_token_id
        return int(found) if found is not None else self.ends[0]


def load(name: str, device: str | None) -> Loaded:
    """The model by its name on the hub or its folder: bf16 on a GPU, 32 bits on a CPU.

    Raises:
        ModelMissing: It is not there, or cannot be run here.
    """
    folder = Path(name).expanduser()
    if name.startswith(("/", ".", "~")) and not folder.is_dir():
        raise ModelMissing(f"there is no model folder {name}", hint=_HINT)
    place = torch.device(device or ("cuda" if torch.cuda.is_available() else "cpu"))
    source = str(folder) if folder.is_dir() else name
    try:
        tokenizer = AutoTokenizer.from_pretrained(source)
        model = _model(source, place)
    except Exception as error:
        # transformers has no common error class: the type depends on the missing or invalid file.
        raise ModelMissing(f"the model {name} cannot be loaded: {error}", hint=_HINT) from error
    loaded = Loaded(folder.resolve().name if folder.is_dir() else name, model.eval(), tokenizer)
    _check(loaded)
    return loaded


def _model(source: str, place: torch.device) -> Any:
    if place.type == "cpu":
        return AutoModelForCausalLM.from_pretrained(source, dtype=torch.float32)
    return AutoModelForCausalLM.from_pretrained(source, dtype=torch.bfloat16, device_map={"": place})


def _check(loaded: Loaded) -> None:
    """Rows of a batch come and go by their keys and values, which other than attention layers do not have."""
    kinds = {type(layer) for layer in DynamicCache(config=loaded.model.config).layers}
    if not kinds or kinds - {DynamicLayer, DynamicSlidingWindowLayer}:
        raise ModelMissing(
            f"the model {loaded.name} has layers that are not attention",
            hint="run it behind an OpenAI-compatible server, and use the back end openai",
        )
    if not loaded.ends:
        raise ModelMissing(
            f"the model {loaded.name} has no token that ends a text",
            hint="name one as eos_token_id in its generation_config.json",
        )
