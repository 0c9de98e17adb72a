"""A grammar (GBNF) of decompositions that can be read."""

from __future__ import annotations

_LONGEST = 120
_LONGEST_NAME = 80


def grammar(most: int = 6) -> str:
    """The grammar of up to `most` numbered sub-questions; each refers only to those before it."""
    rules = [f'root ::= "#1: " line1{_next(1, most)}']
    for number in range(1, most + 1):
        if number > 1:
            rules.append(f'more{number} ::= "\\n#{number}: " line{number}{_next(number, most)}')
        earlier = "".join(f' | "#{before}"' for before in range(1, number))
        rules.append(f'line{number} ::= (letter | name{earlier}){{4,{_LONGEST}}} "?"')
    rules.append(f'name ::= "[" [^\\[\\]#\\n]{{1,{_LONGEST_NAME}}} "]"')
    rules.append("letter ::= [^\\[\\]#?\\n]")
    return "\n".join(rules)


def _next(number: int, most: int) -> str:
    return f" more{number + 1}?" if number < most else ""
