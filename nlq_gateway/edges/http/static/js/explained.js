/** What a query of one's own does: the steps of its program beside its lines, which light each other. */

import { writeAddress } from "./address.js";
import { Problem, explain } from "./api.js";
import { clipped, element, viewLink } from "./dom.js";
import { joinLights } from "./lighting.js";
import { programView } from "./program.js";
import { sparqlLines, walkLines } from "./sparql.js";
import { say } from "./strings.js";

/** The explanation in a few words and the nodes that show it; of a query without a program the reason alone. */
export async function explainedViews(dataset, text, signal) {
  try {
    const found = await explain(dataset, text, signal);
    return [say("query.steps", { count: found.program.steps.length }), ...stepsViews(text, found)];
  } catch (error) {
    if (!(error instanceof Problem) || error.fields.status !== 422) throw error;
    return [say("query.unexplained", { reason: clipped(error.fields.detail ?? "") })];
  }
}

function stepsViews(text, { dataset, program, pins, source_map: sourceMap }) {
  const list = programView({ program });
  const lines = sparqlLines(text, sourceMap);
  joinLights(list.steps, lines);
  const code = element("pre", { class: "sparql", role: "region", "aria-label": say("query.label") },
    element("code", { role: "list", "aria-label": say("query.lines") }, lines.map(({ node }) => node)));
  walkLines(code);
  return [
    element("div", { class: "explanation" }, list.node, code),
    element("p", {}, viewLink(writeAddress({ program: program.text, pins, dataset }), say("query.as_program"))),
  ];
}
