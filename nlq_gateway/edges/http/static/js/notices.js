/** What stands in the answer's place after a failure. */

import { problemCard } from "./problem.js";
import { programEditor } from "./program_editor.js";
import { explanationView } from "./result.js";
import { element } from "./dom.js";
import { say } from "./strings.js";

/** A failure with what was made before it; a program that was entered stays there to be mended. */
export function problemView(fields, request, onRetry, actions) {
  const made = { ...fields, dataset: request.dataset, sparql: fields.sparql ?? { text: fields.query } };
  return [
    problemCard(fields, onRetry),
    request.program && element("section", { class: "card" }, element("h3", {}, say("problem.program")),
      programEditor(request.program, { dataset: request.dataset, onRun: actions.run })),
    explanationView(made, request.program ? { pin: actions.pin } : actions),
  ].filter(Boolean);
}
