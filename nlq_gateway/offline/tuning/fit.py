"""Weights of the judge from lists of candidates: listwise softmax regression.

It maximises the probability that a list's first candidate is one with the right answer, with an L2 penalty on
the distance of weights from a prior (after ListMLE, Xia et al. 2008, with several right ones). The weight of
the network's reading stays fixed, so that scores keep their unit. Uninformative candidates are left out: the
gateway skips them, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlq_gateway.judging import BEFORE, JudgeWeights, shipped

Array = NDArray[np.float64]

READING = "reading"
_ROUNDS = 40
_ENOUGH = 1e-6
_SHARPNESS = tuple(float(one) for one in np.geomspace(0.25, 16, 25))


@dataclass(frozen=True, slots=True)
class LabelledCandidates:
    """A question's informative candidates: features of each, and True for each right answer.

    `weight` multiplies its loss.
    """

    features: tuple[Mapping[str, float], ...]
    right: tuple[bool, ...]
    weight: float = 1.0

    @property
    def teaches(self) -> bool:
        """True if some are right and others are not."""
        return any(self.right) and not all(self.right)

    def is_right(self, weights: JudgeWeights) -> bool:
        """True if the first by these weights is right."""
        scores = [weights.score(one) for one in self.features]
        return bool(scores) and self.right[scores.index(max(scores))]


def fitted(
    choices: Sequence[LabelledCandidates], prior: JudgeWeights | None = None, penalty: float = 1.0
) -> JudgeWeights:
    """The weights that put right candidates first, as near to the prior as `penalty` asks."""
    prior = prior or shipped()
    teaching = [one for one in choices if one.teaches]
    names = [name for name in BEFORE if name != READING]
    if not teaching:
        return prior
    lists = _Lists.of(teaching, names, prior[READING])
    begun = np.array([prior[name] for name in names])
    sharpness = max(_SHARPNESS, key=lambda one: lists.likelihood(begun, one))
    found = lists.best(begun, sharpness, penalty)
    return JudgeWeights(
        dict(zip(names, (round(float(one), 4) for one in found), strict=True)) | {READING: prior[READING]}
    )


@dataclass(frozen=True, slots=True)
class _Lists:
    """Lists padded to one length: (lists, candidates, features), and the fixed part of each score."""

    features: Array
    fixed: Array
    there: NDArray[np.bool_]
    right: NDArray[np.bool_]
    weight: Array

    @classmethod
    def of(cls, choices: Sequence[LabelledCandidates], names: Sequence[str], reading: float) -> _Lists:
        shape = len(choices), max(len(one.right) for one in choices)
        features, fixed = np.zeros((*shape, len(names))), np.zeros(shape)
        there, right = np.zeros(shape, bool), np.zeros(shape, bool)
        for row, one in enumerate(choices):
            for column, known in enumerate(one.features):
                features[row, column] = [known.get(name, 0.0) for name in names]
                fixed[row, column] = reading * known.get(READING, 0.0)
            there[row, : len(one.right)] = True
            right[row, : len(one.right)] = one.right
        return cls(features, fixed, there, right, np.array([one.weight for one in choices]))

    def likelihood(self, weights: Array, sharpness: float) -> float:
        """The log-likelihood that right candidates come first."""
        chances = self._chances(weights, sharpness, self.there)
        return float(self.weight @ np.log((chances * self.right).sum(axis=1) + 1e-300))

    def best(self, prior: Array, sharpness: float, penalty: float) -> Array:
        """Newton's method, with the curvature of the convex part; steps that lose are halved."""
        weights, worth = prior.copy(), self._worth(prior, prior, sharpness, penalty)
        for _ in range(_ROUNDS):
            step = self._step(weights, prior, sharpness, penalty)
            while (now := self._worth(weights - step, prior, sharpness, penalty)) < worth:
                step = step / 2
                if np.abs(step).max() < _ENOUGH:
                    return weights
            weights, worth = weights - step, now
            if np.abs(step).max() < _ENOUGH:
                break
        return weights

    def _worth(self, weights: Array, prior: Array, sharpness: float, penalty: float) -> float:
        """The objective."""
        away = weights - prior
        return self.likelihood(weights, sharpness) - penalty / 2 * float(away @ away)

    def _step(self, weights: Array, prior: Array, sharpness: float, penalty: float) -> Array:
        chances = self._chances(weights, sharpness, self.there)
        wanted = self._chances(weights, sharpness, self.right)
        slope = sharpness * np.einsum("l,lc,lcf->f", self.weight, chances - wanted, self.features)
        mean = np.einsum("lc,lcf->lf", chances, self.features)
        apart = self.features - mean[:, None, :]
        weighted = apart * (self.weight[:, None] * chances)[..., None]
        bend = sharpness**2 * np.tensordot(weighted, apart, axes=([0, 1], [0, 1]))
        bend += penalty * np.eye(len(weights))
        step: Array = np.linalg.solve(bend, slope + penalty * (weights - prior))
        return step

    def _chances(self, weights: Array, sharpness: float, among: NDArray[np.bool_]) -> Array:
        """The softmax of each list's scores among some of its candidates."""
        scores = np.where(among, sharpness * (self.fixed + self.features @ weights), -np.inf)
        exponents = np.exp(scores - scores.max(axis=1, keepdims=True))
        chances: Array = exponents / exponents.sum(axis=1, keepdims=True)
        return chances
