/** A program as text that can be changed and run, without a model. */

import { button, element } from "./dom.js";
import { say } from "./strings.js";

/** The editor; `onRun` is called with the text, `onClose` (where there is one) when it is left. */
export function programEditor(text, { onRun, onClose, run = say("program.run") }) {
  const field = programField(text);
  const form = element("form", { class: "program-editor" },
    field,
    element("p", { class: "note" }, say("program.notation")),
    element("div", { class: "buttons" },
      element("button", { type: "submit", class: "primary" }, run), onClose && button(say("close"), onClose)));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (field.value.trim()) onRun(field.value.trim());
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
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
