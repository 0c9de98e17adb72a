/** A program as text that can be changed and run, without a model. */

import { codeEditor } from "./code_editor.js";
import { chosenDataset } from "./datasets.js";
import { button, element } from "./dom.js";
import { functionTable, programIssues } from "./program_check.js";
import { say } from "./strings.js";
import { vocabularyOf } from "./vocabulary.js";

/** The editor; `onRun` is called with the text, `onClose` (where there is one) when it is left. */
export function programEditor(text, { dataset = chosenDataset(), onRun, onClose, run = say("program.run") }) {
  let written = text;
  const runIt = () => written.trim() && onRun(written.trim());
  const { host, issues, ready } = codeEditor({
    text, label: say("program"), language: "program", vocabulary: vocabularyOf(dataset), functions: () => functionTable(dataset),
    check: (now) => programIssues(now, dataset), onRun: runIt, onChange: (now) => { written = now; },
  });
  if (onClose) ready.then((editor) => editor.focus());
  const form = element("form", { class: "program-editor" },
    host, issues,
    element("p", { class: "note" }, say("program.notation"), " ", say("editor.keys")),
    element("div", { class: "buttons" },
      element("button", { type: "submit", class: "primary" }, run), onClose && button(say("close"), onClose)));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    runIt();
  });
  return form;
}

/** The program's text in a field as high as it is long. */
export function programField(text, label = say("program")) {
  const field = element("textarea", {
    class: "program-text", "aria-label": label, spellcheck: "false", autocomplete: "off",
    rows: Math.min(16, Math.max(3, text.split("\n").length + 1)),
  });
  field.value = text;
  return field;
}
