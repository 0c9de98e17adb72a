/** The question as it was asked, with its words marked: understood, guessed, or left out of account. */

import { clipped, element, localName } from "./dom.js";
import { say } from "./strings.js";

const SURE = 0.8;
// A name's plural, such as "es", is marked with it.
const ENDING = /^(?:\p{L}{1,2}(?!\p{L}))?/u;
const COMPARING = /^Q?Filter(?:Str|Num|Year|Date)$/;
const NUMBERS = /\d[\d,]*(?:\.\d+)?/g;

/** Whether a name surely stands for what it was taken for. */
export function isSure({ score = 1 }) {
  return score >= SURE;
}

/** The marked question; null where nothing is known of its words. */
export function askedView({ question = "", bindings = [], ignored = [], program }) {
  const bound = bindings.filter(({ iri }) => iri);
  const marks = marksOf(question, [
    ...bound.map((binding) => ({ text: valueIn(question, binding, program?.steps ?? []), ...taken("sure", "value", binding) })),
    ...bound.map((binding) => ({ text: binding.mention, ...takenFor(binding) })),
    ...ignored.map((text) => ({ text, kind: "ignored", told: say("asked.ignored") })),
  ]);
  if (marks.length === 0) return null;
  const parts = [];
  let end = 0;
  for (const { from, to, kind, told } of marks) {
    parts.push(question.slice(end, from), markView(question.slice(from, to), kind, told));
    end = to;
  }
  const explained = ["guessed", "ignored"].filter((kind) => marks.some((mark) => mark.kind === kind));
  return element("p", { class: "asked", dir: "auto" }, parts, question.slice(end),
    explained.length > 0 && element("small", { class: "note" }, " ", explained.map((kind) => say(`asked.${kind}.sign`)).join(" ")));
}

function takenFor(binding) {
  const kind = isSure(binding) ? "sure" : "guessed";
  return taken(kind, kind, binding);
}

function taken(kind, key, binding) {
  const name = clipped(binding.label || localName(binding.iri), 120);
  return { kind, told: say(`asked.${key}`, { kind: say(`kind.${binding.kind}`), name }) };
}

/** The value that a program compares an attribute or qualifier with, as the question has it: "1,000" for 1000 metre. */
function valueIn(question, { step, argument }, steps) {
  const { function: name = "", inputs = [] } = steps[step - 1] ?? {};
  const verify = steps.find((one) => one.function.startsWith("Verify") && one.dependencies.includes(step - 1));
  const value = (COMPARING.test(name) ? inputs[argument + 1] : verify?.inputs[0]) ?? "";
  const number = Number.parseFloat(value);
  return question.toLowerCase().includes(value.toLowerCase()) ? value
    : question.match(NUMBERS)?.find((one) => Number(one.replaceAll(",", "")) === number);
}

function markView(text, kind, told) {
  return element("mark", { class: kind, title: told }, text,
    element("span", { class: "visually-hidden", dir: "auto" }, ` (${told})`));
}

/** Where words are in a text, rather at the start of a word of it; -1 where they are not. */
function placeOf(words, text) {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) if (!/[\p{L}\d]$/u.test(text.slice(0, at))) return at;
  return text.indexOf(words);
}

/** Where the words of marks are in the question, in order, none in another. */
function marksOf(question, marks) {
  const text = question.toLowerCase();
  const found = marks.flatMap((mark) => {
    const words = (mark.text ?? "").toLowerCase();
    const from = words ? placeOf(words, text) : -1;
    return from < 0 ? [] : [{ ...mark, from, to: from + words.length + ENDING.exec(text.slice(from + words.length))[0].length }];
  }).sort((one, other) => one.from - other.from || other.to - one.to);
  return found.filter(({ from }, index) => found.slice(0, index).every((one) => from >= one.to));
}
