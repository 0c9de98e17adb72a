/** The question as it was asked, with the words marked that were taken for something of the graph. */

import { clipped, element, localName } from "./dom.js";

const SURE = 0.8;

/** The marked question; null where none of its words is known to stand for anything. */
export function askedView({ question = "", bindings = [] }) {
  const marks = marksOf(question, bindings);
  if (marks.length === 0) return null;
  const parts = [];
  let end = 0;
  for (const { from, to, binding } of marks) {
    parts.push(question.slice(end, from), markView(question.slice(from, to), binding));
    end = to;
  }
  const guessed = marks.some(({ binding }) => !isSure(binding));
  return element("p", { class: "asked", dir: "auto" }, parts, question.slice(end),
    guessed && element("small", { class: "note" }, " Dotted: a guess."));
}

function markView(text, binding) {
  const { kind, label, iri } = binding;
  const taken = `${isSure(binding) ? "taken" : "guessed"} for ${[kind, label || localName(iri)].filter(Boolean).join(" ")}`;
  return element("mark", { class: isSure(binding) ? "sure" : "guessed", title: clipped(taken) }, text,
    element("span", { class: "visually-hidden", dir: "auto" }, ` (${clipped(taken, 120)})`));
}

function isSure({ score = 1 }) {
  return score >= SURE;
}

/** Where the words of bindings are in the question, in order, none in another. */
function marksOf(question, bindings) {
  const text = question.toLowerCase();
  const found = bindings.flatMap((binding) => {
    const words = (binding.mention ?? "").toLowerCase();
    const from = words && binding.iri ? text.indexOf(words) : -1;
    return from < 0 ? [] : [{ from, to: from + words.length, binding }];
  }).sort((one, other) => one.from - other.from || other.to - one.to);
  return found.filter(({ from }, index) => found.slice(0, index).every((one) => from >= one.to));
}
