/** What may be written next in a program: functions that take what the steps before give, their words, names of the graph. */

import { holds, matching, starts } from "../matching.js";
import { openSteps, takes } from "./steps.js";

const LIMIT = 60;
const FUNCTION = /^(?<head>\s*(?:step\s+\d+\s*[:.]\s*)?)(?<word>\w*)$/i;
const ARGUMENTS = /(?<name>\w+)\s*\((?<before>(?:"(?:\\.|[^"\\])*"|[^"()])*?)(?<word>(?:"[^"]*|[^",()]*))$/;
const SOURCES = /<-\s*(?:\d+\s*,\s*)*(?<word>\d*)$/;
const SCHEMA = ["concept", "relation", "attribute", "qualifier"];

/** A completion source of CodeMirror; `functions()` gives the table of functions, `vocabulary` the names of the graph. */
export function completingProgram({ vocabulary, functions }) {
  return async (context) => {
    const { doc } = context.state;
    const line = doc.lineAt(context.pos);
    const before = line.text.slice(0, context.pos - line.from);
    const table = new Map((await functions()).map((one) => [one.name, one]));
    const earlier = doc.sliceString(0, line.from).split("\n");
    const call = FUNCTION.exec(before)?.groups;
    const given = ARGUMENTS.exec(before)?.groups;
    const sources = SOURCES.exec(before)?.groups;
    const word = (call ?? sources ?? given)?.word.trimStart() ?? "";
    if (!word && !context.explicit && !(given && !sources)) return null;
    const after = line.text.slice(context.pos - line.from);
    const options = call ? calls(call, openSteps(earlier, table), table)
      : sources ? steps(openSteps(earlier, table), word)
      : given ? await words(given, word, table, vocabulary, after) : [];
    return context.aborted || options.length === 0 ? null : { from: context.pos - word.length, options: options.slice(0, LIMIT), filter: false };
  };
}

/** Functions that the open steps can feed; those that take them come first. */
function calls({ head, word }, { open, count }, table) {
  const number = /\d/.test(head) ? "" : `Step ${count + 1}: `;
  const fitting = [...table.values()].filter((known) => (starts(known.name, word) || holds(known.name, word)) && takes(known, open));
  return fitting.sort((one, other) => (other.inputs.length > 0) - (one.inputs.length > 0) || (starts(other.name, word) - starts(one.name, word)))
    .map((known) => ({
      label: known.name, type: "function", detail: signature(known), info: known.meaning,
      apply: `${number}${known.name}(${known.parameters.length > 0 ? "" : ")"}`,
    }));
}

function signature({ inputs, parameters, output }) {
  const taken = inputs.map(([type]) => type).join(", ");
  return `${parameters.length > 0 ? `(${parameters.map(({ name }) => name).join(", ")}) ` : ""}${taken ? `${taken} ` : ""}→ ${output}`;
}

function steps({ open }, word) {
  return open.filter(({ number }) => String(number).startsWith(word))
    .map(({ number, name, output }) => ({ label: String(number), type: "constant", detail: [name, output].filter(Boolean).join(" → ") }));
}

/** What an argument may be: one of the function's words, a name of its kind, a value that the attribute has. */
async function words({ name, before }, word, table, vocabulary, after) {
  const parameters = table.get(name)?.parameters ?? [];
  const at = before.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/).length - 1;
  const parameter = parameters[at];
  if (!parameter) return [];
  const text = word.replace(/^"/, "");
  const ending = at < parameters.length - 1 ? ", " : after.startsWith(")") ? "" : ")";
  const found = await namesFor(parameter, text, before.split(",")[0].trim(), vocabulary);
  return found.map(({ label, detail }) => ({ label, detail, type: "constant", apply: quoted(label) + ending }));
}

async function namesFor({ kind, choices }, text, first, vocabulary) {
  if (choices.length > 0) return choices.filter((label) => label.startsWith(text)).map((label) => ({ label }));
  if (SCHEMA.includes(kind)) {
    const items = await matching(vocabulary, [kind], text, ({ label, aliases = [] }) => [label, ...aliases]);
    return items.filter(({ label }) => label).map(({ label, count }) => ({ label, detail: count ? `${count.toLocaleString("en")} uses` : "" }));
  }
  if (kind === "entity" && text.length > 1) {
    return (await vocabulary.names(text)).filter((one) => one.kind === "entity").map((one) => ({ label: one.text, detail: one.label ?? "" }));
  }
  if (kind !== "value") return [];
  const attribute = (await vocabulary.schema()).items.find(({ label }) => label === first);
  return (attribute?.examples ?? []).map((one) => ({ label: String(one), detail: "for example" })).filter(({ label }) => starts(label, text));
}

/** An argument as a program has it. */
function quoted(text) {
  return /[,()"\\]|->|<-/.test(text) ? JSON.stringify(text) : text;
}
