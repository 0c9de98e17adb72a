/** A SPARQL query as lines of coloured text that know which steps they come from. */

import { element } from "./dom.js";
import { listed, say } from "./strings.js";

const KEYWORDS = `ADD ALL AS ASC ASK AVG BASE BIND BOUND BY COALESCE CONCAT CONSTRUCT CONTAINS COUNT DATATYPE DAY DESC
  DESCRIBE DISTINCT EXISTS FILTER FROM GRAPH GROUP GROUP_CONCAT HAVING IF IN IRI ISIRI ISLITERAL ISNUMERIC LANG
  LANGMATCHES LCASE LIMIT MAX MIN MINUS MONTH NAMED NOT OFFSET OPTIONAL ORDER PREFIX REDUCED REGEX REPLACE SAMETERM
  SAMPLE SELECT SEPARATOR STR STRDT STRENDS STRLANG STRSTARTS SUBSTR SUM UCASE UNDEF UNION VALUES WHERE YEAR
  A TRUE FALSE`.split(/\s+/);
const KEYWORD = new Set(KEYWORDS);

// Terminals of https://www.w3.org/TR/sparql11-query/#sparqlGrammar, as far as colouring needs them. Strings and IRIs
// come before comments because both may hold a "#".
const TOKENS = {
  string: /"""[^]*?"""|'''[^]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/,
  iri: /<[^<>"{}|^`\\\s]*>/,
  comment: /#[^\n]*/,
  variable: /[?$][\p{L}\p{N}_]+/,
  name: /(?:[\p{L}][\p{L}\p{N}_.-]*)?:(?:\\.|[\p{L}\p{N}_.%:-])*/,
  tag: /@[A-Za-z]+(?:-[A-Za-z0-9]+)*/,
  number: /\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/,
  word: /\p{L}[\p{L}\p{N}_]*/,
};
const TOKEN = new RegExp(Object.entries(TOKENS).map(([kind, { source }]) => `(?<${kind}>${source})`).join("|"), "gu");

/**
 * The query's lines: `[{node, steps}]`, each with the numbers of the steps it comes from.
 * The source map counts code points, as Python does, where JavaScript strings count UTF-16 units.
 */
export function sparqlLines(text, sourceMap = []) {
  const nodes = colouredLines(text);
  let start = 0;
  return text.split("\n").map((line, index) => {
    const end = start + [...line].length;
    const steps = stepsOf(sourceMap, start, end);
    start = end + 1;
    return { node: lineNode(nodes[index], steps), steps };
  });
}

/** The numbers of the steps with a span that overlaps the code points from start to end. */
function stepsOf(sourceMap, start, end) {
  const overlaps = ([from, to]) => from < end && to > start;
  const steps = sourceMap.filter(({ spans }) => spans.some(overlaps)).map(({ step }) => step);
  return new Set(steps);
}

/** One line. Lines of steps can be focused: the first by Tab, the others from it by the arrow keys. */
function lineNode(content, steps) {
  const numbers = [...steps].sort((a, b) => a - b);
  const from = numbers.length > 0 && {
    tabindex: "-1", "data-steps": numbers.join(" "), "aria-description": say("query.line", { steps: listed(numbers.map(String)) }),
  };
  return element("span", { class: "line", role: "listitem", ...from },
    element("span", { class: "gutter", "aria-hidden": "true", "data-label": gutterLabel(numbers) }),
    element("span", { class: "code" }, content, "\n"));
}

/** Let the arrow keys move between the lines that come from steps. */
export function walkLines(box) {
  const lines = [...box.querySelectorAll(".line[data-steps]")];
  if (lines.length > 0) lines[0].tabIndex = 0;
  box.addEventListener("keydown", (event) => {
    const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const next = lines[lines.indexOf(document.activeElement) + way];
    if (!way || !lines.includes(document.activeElement) || !next) return;
    event.preventDefault();
    for (const line of lines) line.tabIndex = line === next ? 0 : -1;
    next.focus();
  });
}

function gutterLabel(numbers) {
  return numbers.length > 2 ? `${numbers[0]}…${numbers.at(-1)}` : numbers.join(" ");
}

function colouredLines(text) {
  const lines = [[]];
  const add = (part, kind) => part.split("\n").forEach((piece, index) => {
    if (index > 0) lines.push([]);
    if (piece) lines.at(-1).push(kind ? element("span", { class: `token-${kind}` }, piece) : piece);
  });
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    add(text.slice(end, match.index));
    add(match[0], kindOf(match.groups));
    end = match.index + match[0].length;
  }
  add(text.slice(end));
  return lines;
}

function kindOf(groups) {
  const kind = Object.keys(groups).find((name) => groups[name] !== undefined);
  if (kind !== "word") return kind;
  return KEYWORD.has(groups.word.toUpperCase()) ? "keyword" : null;
}
