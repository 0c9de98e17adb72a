"""Weights adapted to one endpoint (`nlq explore --tune`), in a file beside its corpus."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from nlq_gateway.core.errors import ConfigurationError
from nlq_gateway.judging.weights import JudgeWeights, shipped
from nlq_gateway.settings import cache_folder, private_folder

_HINT = "tune again: nlq explore SOURCE --tune; or take it back: nlq explore SOURCE --untune"


@dataclass(frozen=True, slots=True)
class Tuned:
    """The adapted weights, the number of questions, and the right answers before and after.

    `held_out` questions were judged with weights learned from the others. `changed` has each number whose
    weight changed, with both weights; `base` is the digest of the shipped ones.
    """

    when: str
    questions: int
    confirmed: int
    held_out: Mapping[str, int]
    sample: Mapping[str, int]
    changed: Mapping[str, Mapping[str, float]]
    base: str

    @property
    def weights(self) -> JudgeWeights:
        """The shipped weights with what changed."""
        return JudgeWeights.of(
            {**shipped().numbers, **{name: both["tuned"] for name, both in self.changed.items()}}
        )


def digest(weights: JudgeWeights) -> str:
    """The identity of these weights."""
    text = json.dumps(sorted(weights.numbers.items()))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def tuned_file(endpoint: str) -> Path:
    """The file with the weights of the endpoint with this id."""
    return cache_folder() / "endpoints" / endpoint / "judge.json"


def read_tuned(endpoint: str) -> Tuned | None:
    """The weights adapted to the endpoint with this id; None if there are none.

    Raises:
        ConfigurationError: the file cannot be read, or was made for other shipped weights.
    """
    file = tuned_file(endpoint)
    try:
        found = Tuned(**json.loads(file.read_text(encoding="utf-8")))
        known = found.base == digest(shipped()) and bool(found.weights)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise ConfigurationError(
            f"{file} has no tuned weights: {error}", file=str(file), hint=_HINT
        ) from None
    if not known:
        message = f"{file} changes other weights than this version has"
        raise ConfigurationError(message, file=str(file), hint=_HINT)
    return found


def write_tuned(endpoint: str, tuned: Tuned) -> Path:
    """Keep what was adapted; raises OSError."""
    file = tuned_file(endpoint)
    private_folder(file.parent)
    part = file.with_name(f".{file.name}-{os.getpid()}")
    part.write_text(json.dumps(asdict(tuned), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    os.replace(part, file)
    return file


def forget_tuned(endpoint: str) -> bool:
    """Take back what was adapted; whether there was anything. Raises OSError."""
    file = tuned_file(endpoint)
    there = file.is_file()
    file.unlink(missing_ok=True)
    return there
