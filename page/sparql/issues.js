/** What is wrong with a query, at its place, and what was expected there. */

import { endOf, faultOf, nextAfter, tokensOf } from "./grammar.js";
import { prefixOf, prefixesOf } from "./names.js";

const MOST_NAMED = 6;
const CLOSING = { LCurly: "RCurly", LParen: "RParen", LSquare: "RSquare" };
/** Kinds of token by what people call them; the first that fits. */
const KINDS = [
  [/^(IriRef|PNameLn|PNameNs)$/, (rules) => (rules.has("prefixDecl") ? "a prefix" : PLACES.find(([rule]) => rules.has(rule))?.[1] ?? "a name")],
  [/^Var[12]$/, () => "a variable"],
  [/^BuiltIn/, () => "a function"],
  [/^StringLiteral/, () => "a text"],
  [/^(Integer|Decimal|Double)/, () => "a number"],
  [/^(BlankNodeLabel|Anon|Nil)$/, () => null],
];
const PLACES = [["verbPath", "a predicate"], ["verb", "a predicate"], ["objectListPath", "an object"], ["objectList", "an object"]];

/** `[{from, to, message, prefix?}]`; `prefix` is one that is used and not declared. */
export function issuesOf(text) {
  if (!text.trim()) return [];
  const { tokens, errors } = tokensOf(text);
  const broken = errors.length > 0 ? brokenText(text, tokens, errors[0]) : grammarFault(text, tokens);
  return [...undeclared(tokens), broken].filter(Boolean).sort((one, other) => one.from - other.from);
}

/** Where the text cannot be cut into tokens. */
function brokenText(text, tokens, { offset }) {
  const before = tokens.filter((token) => endOf(token) <= offset);
  // What comes before may be wrong already.
  const fault = grammarFault(text, before);
  if (fault && before.length > 0 && fault.from < endOf(before.at(-1)) && fault.token) return fault;
  const found = /^(?:[\p{L}\p{N}_:-]+|.)/u.exec(text.slice(offset))?.[0] ?? "";
  const to = offset + found.length;
  if (/^["']/.test(found)) return { from: offset, to, message: `The text that begins here has no closing ${found}` };
  if (found === "<") return { from: offset, to, message: "“<” begins no IRI: one has no blanks, and ends in “>”" };
  return { from: offset, to, message: expectation(before, found) };
}

function grammarFault(text, tokens) {
  const fault = faultOf(tokens, { skipValidation: true });
  if (!fault) return notedFault(tokens);
  const from = fault.token?.startOffset;
  if (from === undefined || Number.isNaN(from)) return endFault(text, tokens);
  const before = tokens.filter(({ startOffset }) => startOffset < from);
  return { from, to: endOf(fault.token), token: fault.token, message: expectation(before, fault.token.image) };
}

/** The text ends too early: at the bracket that is open, else at the end. */
function endFault(text, tokens) {
  const to = text.trimEnd().length;
  const wanted = new Set(nextAfter(tokens).map(({ name }) => name));
  const open = lastOpen(tokens);
  if (open && wanted.has(CLOSING[open.tokenType.name])) {
    return { from: open.startOffset, to: open.startOffset + 1, message: `“${open.image}” is not closed` };
  }
  return { from: Math.max(0, to - 1), to, message: expectation(tokens, "") };
}

function lastOpen(tokens) {
  const open = [];
  for (const token of tokens) {
    const { name } = token.tokenType;
    if (CLOSING[name]) open.push(token);
    else if (name === CLOSING[open.at(-1)?.tokenType.name]) open.pop();
  }
  return open.at(-1);
}

/** What the grammar allows and a note of the specification does not. */
function notedFault(tokens) {
  const fault = faultOf(tokens, { skipValidation: false });
  if (!fault || /^Unknown prefix/.test(fault.message)) return null;
  const name = /(?:variable|target)?\s*\(?[?$]?([\p{L}\p{N}_]+)\)?/iu.exec(fault.message.replace(/^Variable (used to bind is already bound )?/, ""))?.[1];
  const token = tokens.findLast(({ image }) => image === `?${name}` || image === `$${name}`) ?? tokens.at(-1);
  return { from: token.startOffset, to: endOf(token), message: fault.message };
}

function undeclared(tokens) {
  const declared = prefixesOf(tokens);
  return tokens.filter(({ tokenType }, index) => /^PName/.test(tokenType.name) && tokens[index - 1]?.tokenType.name !== "PrefixDecl")
    .filter(({ image }) => !declared.has(prefixOf(image)))
    .map((token) => [token, prefixOf(token.image)])
    .map(([token, prefix]) => ({ from: token.startOffset, to: endOf(token), prefix, message: `The prefix “${prefix}:” is not declared` }));
}

/** “Expected a predicate or “(”; found “}””. */
function expectation(before, found) {
  const wanted = namesOf(nextAfter(before), found);
  const shown = wanted.length > MOST_NAMED ? [...wanted.slice(0, MOST_NAMED), "…"] : wanted;
  const list = shown.length > 1 && shown.at(-1) !== "…" ? `${shown.slice(0, -1).join(", ")} or ${shown.at(-1)}` : shown.join(", ");
  return `${list ? `Expected ${list}` : "Nothing more is expected"}; found ${found ? `“${found}”` : "the end of the query"}`;
}

/** What may follow in words. First what begins as the text does that is there, then what people write most: kinds, words, signs. */
function namesOf(following, found) {
  const words = following.filter(({ name }) => name !== "Version").map(({ name, text, rules }) => {
    const kind = KINDS.find(([pattern]) => pattern.test(name));
    return kind ? kind[1](new Set(rules)) : text && `“${text}”`;
  }).filter(Boolean);
  const alike = (word) => found !== "" && word[1] === found[0].toUpperCase();
  const rank = (word) => (alike(word) ? -1 : /^an? /.test(word) ? 0 : /[A-Za-z}]/.test(word) ? 1 : 2);
  return [...new Set(words)].sort((one, other) => rank(one) - rank(other));
}
