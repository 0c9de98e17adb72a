"""Lets a model choose among the chains found for a sub-question (Keqing, section 3.2)."""

from __future__ import annotations

from collections.abc import Sequence

from nlq_gateway.drafts.generation.card import described
from nlq_gateway.drafts.generation.decompose.chains import Chain
from nlq_gateway.drafts.generation.decompose.lines import SubQuestionLine
from nlq_gateway.drafts.generation.decompose.prompt import choosing
from nlq_gateway.drafts.generation.decompose.result import ChainCandidate, Solved
from nlq_gateway.index import Index
from nlq_gateway.models import Deadline, Model, choose
from nlq_gateway.models.choice import ABOUT, NONE_OF_THESE


def chosen(
    model: Model,
    question: str,
    one: SubQuestionLine,
    chains: Sequence[Chain],
    earlier: Sequence[Solved],
    deadline: Deadline,
    index: Index,
) -> Solved:
    """The sub-question with the chain that the model chooses, or with none if it finds that none fits.

    The prompt describes the schema items of each chain. A chain in the sub-question's own words needs no
    choice. If the model names none of the options, the most similar is taken, with equal probability. Raises
    ModelError.
    """
    said = [at for at, chain in enumerate(chains) if _is_said(one, chain)]
    if len(said) == 1:
        return _solved(one, chains, [float(at == said[0]) for at in range(len(chains))], said[0])
    options = (*_options(chains, index), NONE_OF_THESE)
    prompt = choosing(question, one.text, earlier)
    choice = choose(model, prompt, options, deadline)
    if choice is None:
        return _solved(one, chains, [1 / len(options)] * len(chains), 0)
    return _solved(one, chains, choice.probabilities, choice.best if choice.best < len(chains) else None)


def _solved(
    one: SubQuestionLine, chains: Sequence[Chain], probabilities: Sequence[float], best: int | None
) -> Solved:
    candidates = tuple(
        ChainCandidate(chain.first.words, chain.first.text, chain.similarity, probability)
        for chain, probability in zip(chains, probabilities, strict=False)
    )
    return Solved(one.number, one.text, candidates, best)


def _options(chains: Sequence[Chain], index: Index) -> tuple[str, ...]:
    """The chains in words, with their steps if others have the same words, and with their schema items."""
    words = [chain.first.words for chain in chains]
    said = (
        f"{text} ({chain.first.text})" if words.count(text) > 1 else text
        for text, chain in zip(words, chains, strict=True)
    )
    return tuple(f"{text}{_about(chain, index)}" for text, chain in zip(said, chains, strict=True))


def _about(chain: Chain, index: Index) -> str:
    items = (chain.template.item, chain.template.qualifier)
    about = "; ".join(described(index, item) for item in items if item is not None)
    return f"{ABOUT}{about}" if about else ""


def _is_said(one: SubQuestionLine, chain: Chain) -> bool:
    plain = one.text.replace("[", "").replace("]", "")
    return " ".join(plain.casefold().split()) in (chain.first.words.casefold(), chain.first.asked.casefold())
