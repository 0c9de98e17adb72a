/**
 * The page's address: `?q=…` asks a question, `?program=…` carries out a program (`of` is the trace whose program it
 * corrects), `?trace=…` shows an earlier response, `?thing=…` what the graph has of an IRI, `?from=…&to=…` how two
 * things are connected. `dataset`, `strategy` and `pins` go with the first two.
 */

import { Problem } from "./api.js";
import { say } from "./strings.js";

const TEXTS = ["trace", "thing", "from", "to", "dataset", "strategy", "program", "of"];

/** What an address asks for; every field but `pins` may be undefined. */
export function readAddress(search) {
  const query = new URLSearchParams(search);
  const texts = TEXTS.map((name) => [name, query.get(name)?.trim() || undefined]);
  return {
    ...Object.fromEntries(texts),
    question: tidy(query.get("q") ?? "") || undefined,
    pins: readPins(query.get("pins")),
  };
}

/** The address of a view, such that `readAddress` gives it back. */
export function writeAddress({ question, pins = [], ...texts }) {
  const query = new URLSearchParams();
  if (question) query.set("q", question);
  for (const name of TEXTS) if (texts[name]) query.set(name, texts[name]);
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
    title: say("problem.link"),
    detail: say("problem.link.detail"),
    hint: say("problem.link.hint"),
    retryable: false,
  });
}
