"""Names that a question misspells or writes in part: only for words that nothing else explains.

A word with a capital inside the question is a name in English. One without is taken for a misspelt name
when it is no word of the language, of the schema or of a name; for a part of a name only in a question
that writes no capitals, and then only as another reading.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from compilers.kopl.functions import Kind
from nlq_gateway.core.checkpoint import interruptible
from nlq_gateway.core.types import Hit, Mention, TextHit, TextMention
from nlq_gateway.core.words import STOP_WORDS, Token
from nlq_gateway.index import Index
from nlq_gateway.index.text import ENGLISH, fold, stem
from nlq_gateway.question.linking.forms import without_genitive

# As the index scores spelling: 0.8 for equal letters, so this is a similarity of 0.82.
_FUZZY_FLOOR = 0.66
_SHORTEST = 4
_SHORTEST_ALONE = 6
_REACH = 5
# The commonest words are no names; further down the list some are.
_WORDS = 20_000
_LOOK_UPS = 4
_RUNS = 12
_HITS = 5
_BEARERS = 10
_INITIALS = 3
_LONGEST = 30

_Run = Sequence[Token]


@dataclass(frozen=True)
class Guesses:
    """Guesses for one question; `taken` are the places of the letters that are explained.

    `words` are function words of its language, where that is another than English: of such a language the
    common words are not known, so that only a word with a capital may be misspelt.
    """

    index: Index
    text: str
    tokens: _Run
    taken: Set[int]
    words: Set[str] = frozenset()
    language: str = ENGLISH

    def sure(self) -> tuple[Mention, ...]:
        """Misspelt names, and names in part that are written with a capital.

        A misspelt name may take the words of shorter ones that stand beside the misspelt word.
        """
        return (*self._misspelt, *self._capitalised)

    def unsure(self) -> tuple[Mention, ...]:
        """Parts of names in a question without capitals, none of whose words is a common one."""
        if any(token.capitalised for token in self.tokens[1:]):
            return ()
        runs = list(_runs(self.tokens, self._is_strange))[:_LOOK_UPS]
        guesses = (self._mention(run, self.index.bearing(self._words(run), _BEARERS)) for run in runs)
        return tuple(guess for guess in guesses if guess is not None)

    def texts(self) -> tuple[TextMention, ...]:
        """Strings of the graph in part or misspelt, where the words are no name."""
        found: list[Mention | TextMention] = [*self.sure()]
        for at in interruptible(self._unknown):
            runs = {self._words(run): run for run in self._around(at) if not _overlaps(run, found)}
            near = self.index.texts.misspelt(self._beside(at), runs) if runs else {}
            if (best := _most_like(near)) is not None:
                found.append(self._text(runs[best], near[best]))
        for run in (*self._capitalised_runs(), *((token,) for token in self.tokens if _is_address(token))):
            words = self._words(run)
            long = len(words) >= _SHORTEST and not _is_common(run) and not _overlaps(run, found)
            if long and (hits := self.index.texts.with_words(words)):
                found.append(self._text(run, hits))
        return tuple(one for one in found if isinstance(one, TextMention))

    def _text(self, run: _Run, hits: tuple[TextHit, ...]) -> TextMention:
        return TextMention(run[0].start, run[-1].end, self._words(run), hits[:_HITS])

    @cached_property
    def _capitalised(self) -> tuple[Mention, ...]:
        found: list[Mention] = list(self._misspelt)
        for run in self._capitalised_runs():
            if not _overlaps(run, found) and (mention := self._mention(run, self._bearers(run))):
                found.append(mention)
        return tuple(found[len(self._misspelt) :])

    def _bearers(self, run: _Run) -> tuple[Hit, ...]:
        """Those with the words in their name, else with a name spelled like them, else like a part of it."""
        words = self._words(run)
        if _is_common(run):
            return self.index.look_up([words], (Kind.ENTITY,)).get(words, ())
        if _has_initials(run) and (found := self.index.initialled([token.text for token in run], _BEARERS)):
            return found
        for form in filter(None, (words, without_genitive(words))):
            if found := self.index.bearing(form, _BEARERS):
                return found
        near = self.index.search(words, (Kind.ENTITY,), _HITS)
        close = tuple(hit for hit in near if hit.score >= _FUZZY_FLOOR)
        return close or self.index.misspelt(words, [words], _HITS).get(words, ())

    def _capitalised_runs(self) -> Iterator[_Run]:
        """Runs of capitalised words, not all of them ordinary ones.

        First those around a shorter name ("Golden Globe Awards"), then what is left without it; one that
        begins the question comes with and without its first word.
        """
        whole = (run for run in _runs(self.tokens, lambda token: token.capitalised) if self._is_mixed(run))
        free = list(_runs(self.tokens, self._is_capitalised))
        opening = (run for run in free if run[0] is self.tokens[0] and len(run) > 1)
        inner = _runs(self.tokens[1:], self._is_capitalised)
        first = (
            token for token in self.tokens[:1] if self._is_capitalised(token) and self._is_strange(token)
        )
        # German writes every noun with a capital, so that a name in the genitive stands before another one.
        owners = ((token,) for run in free for token in run[:-1] if without_genitive(token.text))
        runs = (*whole, *opening, *inner, *((token,) for token in first), *owners)
        yield from interruptible(islice((run for run in runs if self._may_name(run)), _RUNS))

    def _may_name(self, run: _Run) -> bool:
        """True if some word is no ordinary one, or all are common ones with a capital ("What If...")."""
        return _is_common(run) or not all(map(self._is_ordinary, run))

    def _is_mixed(self, run: _Run) -> bool:
        """True if some of the words are explained, and some are not."""
        free = [self._is_free(token) for token in run]
        return any(free) and not all(free)

    @cached_property
    def _unknown(self) -> tuple[int, ...]:
        """The places of words that no language, schema or name has."""
        strange = [
            at
            for at, token in enumerate(self.tokens)
            if self._is_strange(token)
            and (token.capitalised or not (self.words or self.index.is_common(token.lower, _WORDS)))
        ]
        known = self.index.words_in_use(fold(self.tokens[at].text) for at in strange)
        return tuple(at for at in strange if fold(self.tokens[at].text) not in known)[:_LOOK_UPS]

    @cached_property
    def _misspelt(self) -> tuple[Mention, ...]:
        found: list[Mention] = []
        for at in interruptible(self._unknown):
            if not _overlaps(self.tokens[at : at + 1], found) and (mention := self._like(at, found)):
                found.append(mention)
        return tuple(found)

    def _like(self, at: int, found: Sequence[Mention]) -> Mention | None:
        """The name that the words around a word are spelled most like."""
        runs = {self._words(run): run for run in self._around(at) if not _overlaps(run, found)}
        near = self.index.misspelt(self._beside(at), runs, _HITS)
        best = _most_like(near)
        return self._mention(runs[best], near[best]) if best is not None else None

    def _beside(self, at: int) -> str:
        """A word with those beside it that may be of its name.

        Two letters swapped leave few stretches of three: what it is with them put right stands beside it too.
        """
        beside = [
            token.text for token in self.tokens[max(0, at - 2) : at + 3] if not self._is_ordinary(token)
        ]
        word = fold(self.tokens[at].text)
        places = range(len(word) - 1) if len(word) <= _LONGEST else ()
        swapped = (word[:n] + word[n + 1] + word[n] + word[n + 2 :] for n in places)
        return " ".join((*beside, *sorted(self.index.words_in_use(swapped) - {word})))

    def _around(self, at: int) -> Iterator[_Run]:
        """The runs of words with a word that could be a name; of a name in capitals not a part."""
        for first in range(max(0, at - _REACH), at + 1):
            for last in range(at, min(len(self.tokens), at + _REACH + 1)):
                if not self._cuts(first - 1, first) and not self._cuts(last + 1, last):
                    yield self.tokens[first : last + 1]

    def _cuts(self, beyond: int, end: int) -> bool:
        """True if the word beyond the end of a run belongs to one name with it: "Mark" of "Mark Fauser"."""
        if not 0 < beyond < len(self.tokens) or not self.tokens[end].capitalised:
            return False
        word = self.tokens[beyond]
        return self._is_capitalised(word) and not self._is_ordinary(word)

    def _is_free(self, token: Token) -> bool:
        return self.taken.isdisjoint(range(token.start, token.end))

    def _is_capitalised(self, token: Token) -> bool:
        return token.capitalised and self._is_free(token)

    def _is_ordinary(self, token: Token) -> bool:
        """True if a word is of the closed lists or of the schema."""
        if token.lower in STOP_WORDS or token.lower in self.words:
            return True
        return stem(fold(token.text), self.language) in self.index.schema_words(self.language)

    def _is_strange(self, token: Token) -> bool:
        """True if nothing explains a word: it may be a name, or be misspelt."""
        lower = token.lower
        letters = lower.rstrip("-0123456789")
        is_word = len(letters) >= _SHORTEST and letters.isalpha() and self._is_free(token)
        return is_word and not self._is_ordinary(token) and not self.index.is_common(lower)

    def _words(self, run: _Run) -> str:
        return self.text[run[0].start : run[-1].end]

    def _mention(self, run: _Run, hits: tuple[Hit, ...]) -> Mention | None:
        return Mention(run[0].start, run[-1].end, self._words(run), hits) if hits else None


def _runs(tokens: _Run, wanted: Callable[[Token], bool]) -> Iterator[list[Token]]:
    """The longest runs of wanted words with no more than two characters between them."""
    run: list[Token] = []
    for token in tokens:
        if run and (not wanted(token) or token.start - run[-1].end > 2):
            yield run
            run = []
        if wanted(token):
            run.append(token)
    if run:
        yield run


def _is_common(run: _Run) -> bool:
    return all(token.lower in STOP_WORDS for token in run)


def _has_initials(run: _Run) -> bool:
    """True if the words before the last are initials: `C. Nolan`, `J. R. R. Tolkien`, `JRR Tolkien`."""
    return len(run) > 1 and all(
        token.text.isupper() and len(token.text.replace(".", "")) <= _INITIALS for token in run[:-1]
    )


def _is_address(token: Token) -> bool:
    """True if a word is written like an address on the web."""
    return token.text.strip(".").count(".") > 1


def _most_like(near: Mapping[str, Sequence[Hit | TextHit]]) -> str | None:
    """The words that are spelled most like a name; a short word is rather one that is not known."""
    long = [words for words in near if " " in words or len(words) >= _SHORTEST_ALONE - words[0].isupper()]
    return max(long, key=lambda words: (near[words][0].score, len(words)), default=None)


def _overlaps(run: _Run, mentions: Sequence[Mention | TextMention]) -> bool:
    return any(run[0].start < one.end and one.start < run[-1].end for one in mentions)
