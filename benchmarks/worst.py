"""Processor time of costly questions: one of each kind, of the maximum length.

Each is asked once over the built-in graph, answers included, in a warmed-up process; the bound holds for
each one of them. The time is that of all threads of the process.
"""

from __future__ import annotations

import argparse
import time
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType

from benchmarks.overhead import questions
from nlq_gateway.answering import Pipeline
from nlq_gateway.answering.attempt import Ask
from nlq_gateway.core.errors import InvalidRequest
from nlq_gateway.settings import SAMPLE, Settings

BOUND_S = 1.0
_ROW = "{:<24} {:>8} {:>10}  {}"
_NAMES = ("Christopher Nolan", "Inception", "Steven Spielberg", "Heat", "The Matrix", "Germany", "Brad Pitt")
_MISSPELT = ("Cristofer Nolen", "Incepshion", "Stefen Spilberg", "Heet", "The Matrics", "Jermany", "Bred Pit")


_PLAIN = (
    "city film actor born capital river long high country person award president founder company author book "
    "mountain lake year date name member spouse child population area length height depth currency language"
)
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def _mixed(words: Sequence[str]) -> str:
    """The words in an order that seldom repeats a run."""
    return " ".join(words[number * number * 7 % 1009 % len(words)] for number in range(1_000))


def _word(number: int) -> str:
    """A word of its own for each number, that no language has."""
    return "zw" + "".join("aeioukmlrt"[int(digit)] for digit in str(number + 1_000))


# The text that is repeated, of each kind of question.
KINDS: Mapping[str, str] = MappingProxyType(
    {
        "digits": "1 2 3 4 5 6 7 8 9 0 ",
        "one number": "1234567890",
        "decimals": "1.5 -2,000.25 3e10 ",
        "one letter": "a",
        "single letters": "q w e r t z ",
        "capitals": "A B C D ",
        "words in capitals": "FOO BAR BAZ ",
        "capitalised words": "Foo Bar Quux Zork ",
        "quotes": '"a" ',
        "open quotes": "\" ' “ « ",
        "apostrophes": "it's o'clock's ",
        "brackets": "((([[[{{{",
        "dates": "1999-12-31 on 4 May 2001, ",
        "years": "1999 2001 1815 ",
        "ranges": "between 1 and 9 from 1990 to 2000 ",
        "units": "12 km 5 kg 7 USD 3 minutes ",
        "misspelt names": " ".join(_MISSPELT) + " ",
        "names": " ".join(_NAMES) + " ",
        "names with and": " and ".join(_NAMES) + " and ",
        "names in lower case": " ".join(_NAMES).lower() + " ",
        "initials": "C. Nolan J. R. R. Tolkien ",
        "classes": "films directors countries people cities ",
        "relations": "directed by starring published in ",
        "attributes": "duration population publication date ",
        "stop words": "the of and is in what who to ",
        "of the": "director of the film of the ",
        "and-chain": "films and directors and ",
        "or-chain": "directed by Christopher Nolan or ",
        "comparatives": "longer than Heat shorter than Inception ",
        "superlatives": "longest of the shortest of the oldest ",
        "number words": "one hundred twenty three thousand and four ",
        "ordinals": "first second third 4th twenty-first ",
        "negations": "not without never no except ",
        "a question": "Who directed Heat? When was Inception published? ",
        "different questions": " ".join(questions(40)),
        "a question of numbers": "Which films are longer than 90 minutes and shorter than 3 hours or ",
        "a table": "the number of films and the average duration for each director and ",
        "addresses": "https://example.org/a/b?c=d&e=f#g www.example.org ",
        "prefixed names": "ex:thing rdf:type <http://example.org/ns#> ",
        "JSON": '{"a": [1, null, {"b": "c"}]}, ',
        "SPARQL": "SELECT * WHERE { ?a ?b ?c . FILTER(?c > 1) OPTIONAL { ?a <http://a.example/p> ?d } } ",
        "code": "for (int i = 0; i < n; i++) { a[i] = f(a[i - 1], b) && c != d ? 1 : 0; } ",
        "HTML": "<a href=\"x\" onclick='y'>&lt;b&gt;</a> ",
        "emoji": "🎬👩‍👩‍👧🇩🇪 ",
        "mixed scripts": "фильм ταινία film سینما ",
        "zero width": "a\u200bb\u200dc\ufeff ",
        "combining marks": "Z\u0310\u0335\u0301\u0327\u034f",
        "right to left": "\u202eمن أخرج الفيلم ",
        "no blanks": "谁导演了盗梦空间电影",
        "whitespace": "a \t  \u3000 \u00a0 ",
        "hyphens": "a-b-c-",
        "dots": "a.b.c...",
        "percent": "50% 3 percent $4 5€ ",
        "base64": "".join(b64encode(f"{number * 7919} secret".encode()).decode() for number in range(200)),
        "different letters": _mixed(_LETTERS),
        "different pairs": _mixed([one + other for one in _LETTERS for other in _LETTERS]),
        "different plain words": _mixed(_PLAIN.split()),
        "different years": " in ".join(str(year) for year in range(1000, 2020)),
        "numbers asked": "average duration maximum population minimum area sum of length ",
        "whose": "whose director whose spouse whose child whose capital ",
        "decades": "the 1990s the 20th century from 1990 to 1999 ",
        "tops": "top 3 bottom 5 top ten most least ",
        "different numbers": " ".join(str(number) for number in range(1, 2_000)),
        "different words": " ".join(_word(number) for number in range(2_000)),
        "different names": " ".join(_word(number).capitalize() for number in range(2_000)),
    }
)


def question_of(kind: str, length: int) -> str:
    """The question of a kind, of so many characters."""
    text = KINDS[kind]
    return (text * (length // len(text) + 1))[:length]


@contextmanager
def asked() -> Iterator[Pipeline]:
    """A gateway over the built-in graph that has answered before, so that all is loaded."""
    gateway = Pipeline(Settings.for_data([SAMPLE]))
    gateway.endpoint(None).prepare()
    gateway.ask(Ask("Which films directed by Christopher Nolan are longer than 2 hours?"))
    try:
        yield gateway
    finally:
        gateway.close()


def measured(gateway: Pipeline, question: str) -> tuple[float, str]:
    """The seconds of processor time that a question takes, and its status."""
    begun = time.process_time()
    try:
        status = gateway.ask(Ask(question)).status
    except InvalidRequest as error:
        status = error.code
    return time.process_time() - begun, status


def main(arguments: Sequence[str]) -> None:
    """Print the table, the dearest first; exit with 1 where a question takes longer than the bound."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks worst", description=__doc__)
    parser.add_argument("kinds", nargs="*", default=list(KINDS), metavar="KIND", help="of questions; all")
    options = parser.parse_args(arguments)
    with asked() as gateway:
        length = gateway.settings.server.max_question
        found = {kind: measured(gateway, question_of(kind, length)) for kind in options.kinds}
    print(f"Processor time of the worst questions, of {length} characters\n")
    print(_ROW.format("kind", "CPU s", "status", "begins"))
    for kind, (seconds, status) in sorted(found.items(), key=lambda one: -one[1][0]):
        print(_ROW.format(kind, f"{seconds:.2f}", status, ascii(KINDS[kind][:30])))
    missed = sum(seconds > BOUND_S for seconds, _ in found.values())
    print(f"\n{len(found) - missed} of {len(found)} within {BOUND_S:g} s\n")
    if missed:
        raise SystemExit(1)
