/** The page's address: `?q=…&dataset=…&pins=…` asks a question, `?trace=…` shows an earlier response. */

import { Problem } from "./api.js";

/** What an address asks for; every field but `pins` may be undefined. */
export function readAddress(search) {
  const query = new URLSearchParams(search);
  return {
    trace: query.get("trace") || undefined,
    question: tidy(query.get("q") ?? "") || undefined,
    dataset: query.get("dataset") || undefined,
    pins: readPins(query.get("pins")),
  };
}

/** The address of a question, such that `readAddress` gives it back. */
export function writeAddress({ question, dataset, pins = [] }) {
  const query = new URLSearchParams({ q: question });
  if (dataset) query.set("dataset", dataset);
  if (pins.length) query.set("pins", JSON.stringify(pins));
  return `?${query}`;
}

/** A question on one line, as it is sent. */
export function tidy(question) {
  return question.replace(/\s+/g, " ").trim();
}

/** The pins with one more; an earlier choice for the same argument gives way. */
export function withPin(pins, pin) {
  const others = pins.filter(({ step, argument }) => step !== pin.step || argument !== pin.argument);
  return [...others, pin];
}

function readPins(text) {
  if (!text) return [];
  try {
    const pins = JSON.parse(text);
    if (Array.isArray(pins)) return pins;
  } catch {
    // Reported below, with what to do about it.
  }
  throw new Problem({
    title: "This link is damaged",
    detail: "Its choice of names (the part after “pins=”) cannot be read.",
    hint: "Ask for the link again, or ask the question anew.",
    retryable: false,
  });
}
