/** The triples of a query as far as completion needs them: what is said of a subject, and what is being written. */

import { iriOf } from "./names.js";

export const TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type";
const TERMS = /^(Var[12]|IriRef|PName|BlankNodeLabel|Anon|a$|StringLiteral|Integer|Decimal|Double|True|False)/;
const ENDS = new Set(["Dot", "LCurly", "RCurly"]);

/**
 * `{triples, subject, verb}`: the simple triples of the tokens, and subject and verb of the one at their end. Paths,
 * collections and what is inside of brackets are passed over.
 */
export function triplesOf(tokens) {
  const triples = [];
  let now = [];
  let depth = 0;
  for (const token of tokens) {
    const { name } = token.tokenType;
    if (name === "LParen" || name === "LSquare") depth += 1;
    else if (name === "RParen" || name === "RSquare") depth -= 1;
    else if (ENDS.has(name)) [now, depth] = [[], 0];
    else if (depth > 0) continue;
    else if (name === "Semi") now = now.slice(0, 1);
    else if (name === "Comma") now = now.slice(0, 2);
    else if (TERMS.test(name) && now.length < 3) now = [...now, token];
    else if (!TERMS.test(name) && /^[A-Za-z]/.test(token.image)) now = [];
    if (now.length === 3 && now[2] === token) triples.push(now);
  }
  return { triples, subject: now[0], verb: now[1] };
}

/** Whether a token says of what class something is; `predicate` is the graph's own for that. */
export function isType(token, prefixes, predicate) {
  return token?.tokenType.name === "a" || (token !== undefined && [TYPE, predicate].includes(iriOf(token, prefixes)));
}

/**
 * The classes of what a token stands for, as IRIs: those that are stated, else those that relations lead to.
 * `predicate` is the graph's own for classes, `rangesOf(iri)` gives the classes that a relation leads to, `domainsOf(iri)` those it leads from.
 */
export function classesOf(token, triples, prefixes, { predicate, rangesOf, domainsOf }) {
  if (!token) return [];
  const iris = (tokens) => tokens.map((one) => iriOf(one, prefixes)).filter(Boolean);
  const own = triples.filter(([subject]) => subject.image === token.image);
  const stated = iris(own.filter(([, verb]) => isType(verb, prefixes, predicate)).map(([, , object]) => object));
  if (stated.length > 0) return stated;
  const led = iris(triples.filter(([, , object]) => object.image === token.image).map(([, verb]) => verb)).flatMap(rangesOf);
  if (led.length > 0) return led;
  return iris(own.map(([, verb]) => verb)).flatMap(domainsOf);
}
