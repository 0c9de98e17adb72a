/** A program as it is written: what it is made of, and what the gateway finds wrong with it, at its place. */

import { Problem, compile, functions } from "./api.js";
import { clipped } from "./dom.js";

let known;

/** The table of functions, the same for every dataset; empty where it cannot be had. */
export async function functionTable(dataset) {
  try {
    return (known ??= await functions(dataset));
  } catch (error) {
    if (error instanceof Problem) return [];
    throw error;
  }
}

/** `[{from, to, message}]`; nothing where the gateway cannot say, or the fault is not the program's. */
export async function programIssues(text, dataset) {
  if (!text.trim()) return [];
  try {
    await compile({ program: text, dataset });
    return [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return faults(error.fields, text);
  }
}

function faults({ status, issues, position, title, detail, hint }, text) {
  if (issues?.length > 0) return issues.map(({ step, message, hint: more }) => ({ ...lineOf(text, step), message: sentence(message, more) }));
  if (![400, 404, 422].includes(status)) return [];
  // The gateway counts code points, JavaScript strings UTF-16 units.
  const from = Math.min([...text].slice(0, position ?? 0).join("").length, text.length);
  return [{ from, to: Math.min(from + 1, text.length), message: sentence(detail ?? title, hint) }];
}

/** Where a step is written; the whole text where it is not written as a line. */
function lineOf(text, step) {
  const line = new RegExp(`^[ \\t]*step\\s+${step}\\s*[:.].*$`, "im").exec(text);
  return line ? { from: line.index, to: line.index + line[0].length } : { from: 0, to: text.length };
}

function sentence(...parts) {
  return clipped(parts.filter(Boolean).join(": "), 240);
}
