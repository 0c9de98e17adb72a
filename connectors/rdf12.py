"""RDF 1.2 syntax in a query, replaced by SPARQL 1.1 of the same shape for a SPARQL 1.1 parser.

The result is for checking only: it mentions every function, graph and service of the query, but has another
meaning. Source: https://www.w3.org/TR/sparql12-query/ (triple terms, reified triples, annotations).
"""

from __future__ import annotations

from collections.abc import Sequence

from connectors.sparql_text import SparqlToken, UnclearText, significant

_OPENING = {"<<(": ")>>", "<<": ">>"}
_CLOSING = frozenset({")>>", ">>"})
# Any IRI may stand where a triple term stands: subject, object, expression and data block.
_PLACEHOLDER = SparqlToken("iri", "<urn:triple-term>")
_TERM_KINDS = frozenset({"string", "iri", "variable", "language", "name", "number", "space", "comment"})
_TERM_WORDS = frozenset({"a", "true", "false"})
_TERM_SIGNS = frozenset({"^", "~", "[", "]", "+", "-"})
_MAX_TERMS = 64
_SIGNS = {"{|": " , [ ", "|}": " ] "}
_REIFIERS = frozenset({"iri", "variable", "name"})
# SPARQL 1.1 functions with the same number of arguments.
_FUNCTIONS = {
    "TRIPLE": "COALESCE",
    "SUBJECT": "STR",
    "PREDICATE": "STR",
    "OBJECT": "STR",
    "ISTRIPLE": "ISIRI",
    "LANGDIR": "LANG",
    "HASLANG": "ISLITERAL",
    "HASLANGDIR": "ISLITERAL",
    "STRLANGDIR": "COALESCE",
}


def without_rdf12(tokens: Sequence[SparqlToken]) -> tuple[SparqlToken, ...]:
    """The tokens of a query, spaces included, in SPARQL 1.1.

    Raises:
        UnclearText: a triple term that is not closed, or holds anything but terms.
    """
    return _without_annotations(_without_triple_terms(_without_version(tokens)))


def _without_version(tokens: Sequence[SparqlToken]) -> tuple[SparqlToken, ...]:
    """`VERSION "1.2"` stands before the query, and in no other place."""
    named = [i for i, token in enumerate(tokens) if token.kind == "word" and token.text.upper() == "VERSION"]
    if not named or _following(tokens, named[0]).kind != "string":
        return tuple(tokens)
    string = next(i for i in range(named[0], len(tokens)) if tokens[i].kind == "string")
    return (*tokens[: named[0]], *tokens[string + 1 :])


def _without_triple_terms(tokens: Sequence[SparqlToken]) -> list[SparqlToken]:
    """The tokens with each triple term replaced by one IRI, innermost first."""
    output: list[SparqlToken] = []
    openings: list[int] = []
    for token in tokens:
        if token.text in _OPENING and token.kind == "sign":
            openings.append(len(output))
        if token.text not in _CLOSING or token.kind != "sign":
            output.append(token)
            continue
        if not openings or _OPENING[output[openings[-1]].text] != token.text:
            raise UnclearText(f"{token.text} closes nothing")
        start = openings.pop()
        _require_terms(output[start + 1 :])
        output[start:] = [_PLACEHOLDER]
    if openings:
        raise UnclearText(f"{output[openings[-1]].text} is not closed")
    return output


def _require_terms(tokens: Sequence[SparqlToken]) -> None:
    for token in tokens:
        if not (
            token.kind in _TERM_KINDS
            or (token.kind == "word" and token.text in _TERM_WORDS)
            or (token.kind == "sign" and token.text in _TERM_SIGNS)
        ):
            raise UnclearText(f"{token.text!r:.40} is no part of a triple term")
    if not 3 <= len(significant(tokens)) <= _MAX_TERMS:
        raise UnclearText("a triple term has a subject, a predicate and an object")


def _without_annotations(tokens: Sequence[SparqlToken]) -> tuple[SparqlToken, ...]:
    """The tokens with `~ r {| p o |}` replaced by one more object each: `, r , [ p o ]`."""
    output: list[SparqlToken] = []
    for position, token in enumerate(tokens):
        key = token.text.upper() if token.kind in ("word", "sign") else ""
        if key in _SIGNS:
            output.append(SparqlToken("sign", _SIGNS[key]))
        elif key == "~":
            output.append(
                SparqlToken("sign", " , " if _following(tokens, position).kind in _REIFIERS else " ")
            )
        elif key in _FUNCTIONS and _following(tokens, position).text == "(":
            output.append(SparqlToken("word", _FUNCTIONS[key]))
        else:
            output.append(token)
    return tuple(output)


def _following(tokens: Sequence[SparqlToken], position: int) -> SparqlToken:
    """The next token that is neither space nor comment, or an empty one at the end."""
    return next(iter(significant(tokens[position + 1 : position + 4])), SparqlToken("space", ""))
