/** Where people write queries and programs: an editor that completes and checks, or a plain field. */

import { button, element } from "./dom.js";
import { say } from "./strings.js";

const MOST_ISSUES = 5;

/**
 * `{host, issues, ready}`: the editor's place, the list of what is wrong, and a promise of the editor.
 * The editor is large, so it is loaded when it is wanted; where it cannot be, a field takes its place. Options are those
 * of `openEditor` in page/editor.js.
 */
export function codeEditor({ text, label, onChange, ...options }) {
  const host = element("div", { class: "editor" });
  const issues = element("ul", { class: "issues", "aria-label": say("editor.issues"), "aria-live": "polite" });
  let now = text;
  const changed = (written) => {
    now = written;
    onChange(written);
  };
  const ready = opened(host, { ...options, text, label, onChange: changed,
    onIssues: (found) => issues.replaceChildren(...issuesView(found, now, async (place) => (await ready).goTo(place))) });
  return { host, issues, ready };
}

async function opened(host, options) {
  try {
    const { openEditor } = await import("../vendor/editor.js");
    return openEditor(host.attachShadow({ mode: "open" }), options);
  } catch {
    return plainField(host, options);
  }
}

function plainField(host, { text, label, onChange, onRun }) {
  const field = element("textarea", {
    class: "program-text", "aria-label": label, spellcheck: "false", autocomplete: "off", rows: Math.min(16, Math.max(3, text.split("\n").length + 1)),
  });
  field.value = text;
  field.addEventListener("input", () => onChange(field.value));
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) onRun();
  });
  host.append(field);
  return {
    text: () => field.value,
    setText(changed) {
      field.value = changed;
      onChange(changed);
    },
    goTo(offset) {
      field.setSelectionRange(offset, offset);
      field.focus();
    },
    focus: () => field.focus(),
    destroy: () => field.remove(),
  };
}

/** Each with a button that leads to its place. */
function issuesView(issues, text, onChoose) {
  return issues.slice(0, MOST_ISSUES).map(({ from, message }) => element("li", {},
    button(placeOf(text, from), () => onChoose(from), { class: "quiet" }), " ", element("span", { dir: "auto" }, message)));
}

function placeOf(text, offset) {
  const before = text.slice(0, offset).split("\n");
  return say("editor.place", { line: before.length, column: before.at(-1).length + 1 });
}
