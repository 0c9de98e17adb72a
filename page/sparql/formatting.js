/** A query laid out: a clause a line, groups indented, keywords in capitals. Names, values and comments stay as they are. */

import { endOf, spellingOf, tokensOf } from "./grammar.js";

const INDENT = "  ";
const PROLOGUE = new Set(["BaseDecl", "PrefixDecl", "Version"]);
const CLAUSES = new Set([...PROLOGUE, "Select", "Construct", "Describe", "Ask", "From", "GroupByGroup", "Having", "Order", "Limit", "Offset", "Values"]);
const PATTERNS = new Set(["Select", "Filter", "Optional", "Bind", "Minus", "Graph", "Service", "Values"]);
/** What goes on behind a group's bracket. */
const FOLLOWING = new Set(["Union", "Dot"]);
const CALLED = /^(BuiltIn(?!(Not)?exists)|Filter$|Bind$|Having$|OrderAsc$|OrderDesc$)/i;
/** Signs that stick to their neighbours in paths, and stand apart in calculations: they stay as they were. */
const EITHER = new Set(["Slash", "Pipe", "Hat", "Exclamation", "Star", "Question", "OpPlus", "OpMinus", "IntegerNegative", "IntegerPositive"]);
const LOGICAL = new Set(["LogicAnd", "LogicOr"]);
/** Groups inside of others stay on one line up to this many characters. */
const SHORT = 60;
/** What is over where its bracket closes. */
const ENDED = new Set(["Filter", "Bind"]);
const FRAMES = { LParen: "brackets", LSquare: "brackets", LCurly: "group" };
const ENDS = new Set(["RParen", "RSquare", "RCurly"]);

/** The query as it should look; unchanged where it cannot be cut into tokens. */
export function formatted(text) {
  const { tokens, errors } = tokensOf(text);
  if (errors.length > 0 || tokens.length === 0) return text;
  const lines = [];
  const frames = [];
  let clause;
  let end = 0;
  // Whether the next token begins a line, whatever it is.
  let broken = true;
  const open = (depth) => lines.push(INDENT.repeat(Math.max(0, depth)));
  const comment = ({ text: said, own }) => {
    if (own || lines.length === 0) open(depthOf(frames));
    lines[lines.length - 1] += lines.at(-1).trim() ? ` ${said}` : said;
    broken = true;
  };
  tokens.forEach((token, index) => {
    const previous = tokens[index - 1];
    const { name } = token.tokenType;
    for (const one of commentsIn(text.slice(end, token.startOffset))) comment(one);
    end = endOf(token);
    const closes = ENDS.has(name) ? frames.pop() : undefined;
    if (broken || breaks(name, previous?.tokenType.name, frames.at(-1), closes)) {
      if (PROLOGUE.has(clause) && CLAUSES.has(name) && !PROLOGUE.has(name)) lines.push("");
      open(depthOf(frames) + (goesOn(name, previous?.tokenType.name, frames.at(-1)) ? 1 : 0));
    } else if (spaced(token, previous)) lines[lines.length - 1] += " ";
    lines[lines.length - 1] += wordOf(token);
    broken = closes === "brackets" && ENDED.has(clause) && frames.at(-1) === "group" && !FOLLOWING.has(tokens[index + 1]?.tokenType.name);
    if (broken) clause = undefined;
    if (FRAMES[name]) frames.push(name === "LCurly" && (clause === "Values" || staysShort(text, tokens, index, frames)) ? "inline" : FRAMES[name]);
    if (CLAUSES.has(name) || PATTERNS.has(name) || name === "LCurly") clause = name;
  });
  for (const one of commentsIn(text.slice(end))) comment(one);
  return `${lines.map((line) => line.trimEnd()).join("\n")}\n`;
}

/** Whether the group that begins here was written on one line and may stay so. */
function staysShort(text, tokens, index, frames) {
  const end = tokens.findIndex(({ tokenType: { name } }, at) => at > index && /^[LR]Curly$/.test(name));
  if (end < 0 || tokens[end].tokenType.name === "LCurly" || depthOf(frames) === 0) return false;
  const written = text.slice(tokens[index].startOffset, endOf(tokens[end]));
  return written.length <= SHORT && !/[\n#]/.test(written);
}

function depthOf(frames) {
  return frames.filter((frame) => frame === "group").length;
}

/** Whether a token begins a line; `frame` is what it stands in, `closes` what it ends. */
function breaks(name, before, frame, closes) {
  if (closes === "group") return before !== "LCurly";
  if (closes) return false;
  if (frame === undefined) return CLAUSES.has(name);
  if (frame !== "group") return false;
  if (before === "LCurly" || before === "Dot" || before === "Semi") return true;
  if (before === "RCurly") return !FOLLOWING.has(name);
  return PATTERNS.has(name) || CLAUSES.has(name);
}

/** Whether a line goes on with what the line before it began. */
function goesOn(name, before, frame) {
  if (name === "RCurly" || frame === undefined) return false;
  return frame !== "group" || !(["LCurly", "Dot", "RCurly", "RParen"].includes(before) || PATTERNS.has(name));
}

/** Whether a blank stands before a token. */
function spaced(token, previous) {
  const name = token.tokenType.name;
  const before = previous.tokenType.name;
  if (before === "LParen" || ["RParen", "Comma", "Hathat", "LANG_DIR"].includes(name) || before === "Hathat") return false;
  if (before === "LCurly" && name === "RCurly") return false;
  if (LOGICAL.has(name) || LOGICAL.has(before)) return true;
  if (name === "LParen" && CALLED.test(before)) return false;
  const apart = endOf(previous) < token.startOffset;
  if (EITHER.has(name) || EITHER.has(before) || name === "LParen" || name === "LSquare") return apart;
  return true;
}

function wordOf({ image, tokenType }) {
  const { name } = tokenType;
  if (name === "GroupByGroup" || name === "Order") return image.toUpperCase();
  // The specification writes isIRI.
  return /^is[A-Z]/.test(image) ? image : spellingOf(tokenType) ?? image;
}

/** The comments in what lies between two tokens; `own` ones have a line of their own. */
function commentsIn(gap) {
  return [...gap.matchAll(/#[^\n]*/g)].map(({ 0: text, index }) => ({ text: text.trimEnd(), own: gap.slice(0, index).includes("\n") }));
}
