/**
 * SPARQL 1.2 as Traqula reads it: the tokens of a text, its first fault, and the tokens that may come next.
 * Updates are left out, which the gateway refuses.
 */

import { LexerBuilder } from "@traqula/core";
import { sparql12ParserBuilder } from "@traqula/parser-sparql-1-2";
import { completeParseContext, copyParseContext, lex } from "@traqula/rules-sparql-1-2";

const tokenVocabulary = lex.sparql12LexerBuilder.tokenVocabulary;
const LEXING = { positionTracking: "onlyOffset", recoveryEnabled: false, ensureOptimizations: true, safeMode: false, skipValidations: true };
const SPELLINGS = {
  a: "a", True: "true", False: "false", NotIn: "NOT IN", BuiltInNotexists: "NOT EXISTS", GroupByGroup: "GROUP BY", Order: "ORDER BY",
};

/** Made when it is first needed: that takes a few tenths of a second. */
const lexer = once(() => LexerBuilder.create().add(...tokenVocabulary).build(LEXING));
const parser = once(() => sparql12ParserBuilder.consume({ tokenVocabulary }));

/** `{tokens, errors}`: what the text is made of, without blanks and comments, and where it is cut short. */
export function tokensOf(text) {
  return lexer().tokenize(text);
}

/**
 * The first fault of a whole query, `{token, message}`; undefined where there is none. `token` is undefined for what
 * the grammar allows and the specification's notes do not, such as a variable that is bound twice.
 */
export function faultOf(tokens, { skipValidation }) {
  const reading = parser();
  const context = completeParseContext({ skipValidation });
  reading.input = tokens;
  reading.setContext(copyParseContext(context));
  try {
    reading.queryUnit(copyParseContext(context));
  } catch (error) {
    return { message: error.message };
  }
  const [first] = reading.errors;
  return first && { token: first.token, message: first.message };
}

/** The kinds of token that may come after these, `[{name, text, rules}]`; `rules` are the grammar's, outermost first. */
export function nextAfter(tokens) {
  return parser().computeContentAssist("query", tokens)
    .map(({ nextTokenType, ruleStack }) => ({ name: nextTokenType.name, text: spellingOf(nextTokenType), rules: ruleStack }));
}

/** Where a token ends. */
export function endOf({ startOffset, image }) {
  return startOffset + image.length;
}

/** How a kind of token is written; undefined for those that are written in many ways, as names are. */
export function spellingOf({ name, PATTERN }) {
  if (SPELLINGS[name]) return SPELLINGS[name];
  const written = PATTERN instanceof RegExp ? PATTERN.source : PATTERN;
  if (/^[a-z][a-z_\d]*$/.test(written)) return written.toUpperCase();
  return /^[^A-Za-z\\]{1,3}$/.test(written) ? written : undefined;
}

function once(make) {
  let made;
  return () => (made ??= make());
}
