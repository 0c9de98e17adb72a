/** What may be written next in a query: by the grammar what fits, by the graph what there is. */

import { syntaxTree } from "@codemirror/language";
import { holds, matching, starts } from "../matching.js";
import { nextAfter, tokensOf } from "./grammar.js";
import { TYPE, classesOf, isType, triplesOf } from "./patterns.js";
import { prefixesOf, written } from "./names.js";

const LIMIT = 60;
const BEING_WRITTEN = /(?:[?$][\p{L}\p{N}_]*|<[^<>"{}|^`\\\s]*|[\p{L}\p{N}_](?:[\p{L}\p{N}_.:%-]*)|:[\p{L}\p{N}_.%-]*)$/u;
const NAMES = new Set(["IriRef", "PNameLn", "PNameNs"]);
/** Functions of SPARQL 1.2, which most stores lack. */
const NEWER = new Set(["LANGDIR", "STRLANGDIR", "HASLANGDIR", "HASLANG", "ISTRIPLE", "TRIPLE", "SUBJECT", "PREDICATE", "OBJECT"]);
const XSD = "http://www.w3.org/2001/XMLSchema#";
const DATATYPES = ["string", "integer", "decimal", "double", "boolean", "date", "dateTime", "gYear"].map((name) => XSD + name);
const KINDS = { concept: "class", relation: "relation", attribute: "attribute", qualifier: "qualifier", entity: "entity" };

/** A completion source of CodeMirror; `vocabulary` is `{schema(), search(text, kind), names(text)}` of one dataset. */
export function completing(vocabulary) {
  return async (context) => {
    const before = context.state.sliceDoc(0, context.pos);
    if (/^(comment|string)$/.test(syntaxTree(context.state).resolveInner(context.pos, -1).name)) return null;
    const word = BEING_WRITTEN.exec(before)?.[0] ?? "";
    if (!word && !context.explicit) return null;
    const from = context.pos - word.length;
    const { tokens, errors } = tokensOf(before.slice(0, from));
    if (errors.length > 0) return null;
    const options = await optionsFor({ word, tokens, whole: context.state.doc.toString(), vocabulary });
    return context.aborted ? null : { from, options: options.slice(0, LIMIT), filter: false };
  };
}

async function optionsFor({ word, tokens, whole, vocabulary }) {
  const next = nextAfter(tokens);
  const found = next.filter(({ name }) => NAMES.has(name)).map(({ rules }) => placeOf(rules));
  const place = found.find((one) => one !== "subject") ?? found[0];
  const writing = { word, tokens, all: tokensOf(whole).tokens, vocabulary, explicit: word === "" };
  return [
    ...(next.some(({ name }) => name === "Var1") ? variables(writing) : []),
    // The language's own functions come before casts and extensions.
    ...(place === "function" ? words(writing, next) : []),
    ...(place ? await (PLACES[place] ?? (() => []))(await prepared(writing)) : []),
    ...(place === "function" ? [] : words(writing, next)),
  ];
}

const PLACES = {
  prefix: ({ schema, prefixes, word }) => Object.entries(schema.prefixes)
    .filter(([prefix]) => !prefixes.has(prefix) && starts(prefix, word.replace(":", "")))
    .map(([prefix, namespace]) => ({ label: `${prefix}: <${namespace}>`, type: "namespace" })),
  predicate: predicates,
  object: objects,
  subject: (writing) => entities(writing),
  value: (writing) => entities(writing),
  function: ({ schema, ...writing }) => [
    ...schema.functions.map((iri) => ({ iri, kind: "function" })), ...DATATYPES.map((iri) => ({ iri, kind: "cast" })),
  ].map((item) => option(item, writing)).filter((one) => fits(one, writing.word)),
  datatype: (writing) => DATATYPES.map((iri) => option({ iri, kind: "datatype" }, writing)).filter((one) => fits(one, writing.word)),
};

/** The kind of name that the grammar's rules take, innermost first. */
function placeOf(rules) {
  const innermost = rules.toReversed();
  const places = {
    prefixDecl: "prefix", rdfLiteral: "datatype", iriOrFunction: "function", functionCall: "function", sourceSelector: "graph",
    graphGraphPattern: "graph", verbPath: "predicate", verb: "predicate", path: "predicate", objectListPath: "object", objectList: "object",
    dataBlockValue: "value", triplesSameSubjectPath: "subject", triplesSameSubject: "subject", describeQuery: "value",
  };
  return places[innermost.find((rule) => places[rule])];
}

async function prepared(writing) {
  const schema = await writing.vocabulary.schema();
  const declared = prefixesOf(writing.all);
  const known = new Map([...Object.entries(schema.prefixes), ...declared]);
  return { ...writing, schema, prefixes: declared, known };
}

/** Relations and attributes: first those of the subject's class, then the others, the commonest first. */
async function predicates({ tokens, all, schema, known, word, ...writing }) {
  const { subject } = triplesOf(tokens);
  const items = await itemsOf({ known, word, ...writing }, ["relation", "attribute"]);
  const by = (member) => (iri) => (schema.items.find((item) => item.iri === iri || item.predicate === iri)?.[member] ?? []).map((one) => one.iri);
  const classes = new Set(classesOf(subject, triplesOf(all).triples, known, { predicate: schema.class_predicate, rangesOf: by("range"), domainsOf: by("domain") })
    .flatMap((iri) => [iri, ...by("parents")(iri)]));
  const own = ({ domain = [] }) => domain.some(({ iri }) => classes.has(iri));
  const type = typeOption(schema.class_predicate, { known, all });
  return [
    ...(starts(type.label, word) || holds(type.label, bare(word)) ? [type] : []),
    ...[...items.filter(own), ...items.filter((item) => !own(item))].map((item) => option(item, { known, ...writing, all })),
  ];
}

/** What leads to a class: `a`, unless the graph has a predicate of its own for that. */
function typeOption(predicate = TYPE, writing) {
  const shown = predicate === TYPE ? { label: "a", type: "keyword" } : option({ iri: predicate }, writing);
  return { ...shown, detail: "is of the class" };
}

async function objects(writing) {
  const { verb } = triplesOf(writing.tokens);
  if (!isType(verb, writing.known, writing.schema.class_predicate)) return entities(writing);
  return (await itemsOf(writing, ["concept"])).map((item) => option(item, writing));
}

async function entities(writing) {
  const text = bare(writing.word);
  if (text.length < 2) return [];
  const found = await writing.vocabulary.names(text);
  return found.filter(({ kind }) => kind === "entity").map((one) => option({ ...one, label: one.text }, writing));
}

/** The items of these kinds with such a name. */
function itemsOf({ word, vocabulary, known }, kinds) {
  return matching(vocabulary, kinds, bare(word), ({ iri, label, aliases = [] }) => [label, ...aliases, written(iri, known).text]);
}

/** A name as it is inserted; a prefix that the query lacks is declared with it. */
function option({ iri, predicate, label, kind, count }, { known, all }) {
  const { text, prefix } = written(predicate ?? iri, known);
  const needed = prefix !== undefined && !prefixesOf(all).has(prefix);
  const told = [label && label !== text.split(":")[1] && label, KINDS[kind] ?? kind, count && `${count.toLocaleString("en")} uses`];
  return {
    label: text, detail: told.filter(Boolean).join(" · "), type: kind === "concept" ? "class" : kind === "entity" ? "constant" : "property",
    apply: needed ? declaring(text, prefix, known.get(prefix)) : text,
  };
}

/** Inserts a text and declares its prefix at the top. */
function declaring(text, prefix, namespace) {
  return (view, completion, from, to) => {
    const declaration = `PREFIX ${prefix}: <${namespace}>\n`;
    view.dispatch({
      changes: [{ from: 0, insert: declaration }, { from, to, insert: text }],
      selection: { anchor: declaration.length + from + text.length }, userEvent: "input.complete",
    });
  };
}

function variables({ word, all, tokens }) {
  const last = tokens.length;
  const names = all.filter((token, index) => /^Var/.test(token.tokenType.name) && index !== last).map(({ image }) => `?${image.slice(1)}`);
  return [...new Set(names)].filter((name) => !word || (/^[?$]/.test(word) && starts(name.slice(1), word.slice(1)) && name !== word))
    .map((label) => ({ label, type: "variable" }));
}

/** Keywords and functions that the grammar takes here. */
function words({ word, explicit }, next) {
  if (word && !/^\p{L}/u.test(word)) return [];
  const fitting = next.filter(({ text }) => /^[A-Z]/.test(text ?? "") && !NEWER.has(text) && (explicit || starts(text, word)));
  return [...new Map(fitting.map(({ name, text }) => [text, name]))].map(([label, name]) => {
    const called = name.startsWith("BuiltIn") && !label.endsWith("EXISTS");
    return { label, type: called ? "function" : "keyword", apply: called ? `${label}(` : `${label} ` };
  });
}

function fits({ label }, word) {
  return holds(label, bare(word)) || starts(label, word);
}

/** What is written of a name, without its prefix. */
function bare(word) {
  return word.replace(/^[<?$]/, "").replace(/^[^:]*:/, "").replaceAll("_", " ").trim();
}
