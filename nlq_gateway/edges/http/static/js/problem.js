/** A failure: what, why, what to do, and whether a retry helps. */

import { forgetKey, hasKey, useKey } from "./access.js";
import { button, clipped, element } from "./dom.js";
import { say } from "./strings.js";

/** The card of a problem; `onRetry` tries again, also with a key that was entered. */
export function problemCard(fields, onRetry) {
  return element("article", { class: "card problem" },
    element("p", { class: "status-line" }, element("span", { class: "status" }, fields.status ? say("problem.status", { status: String(fields.status) }) : say("problem"))),
    element("h2", { class: "headline long", tabindex: "-1", "data-focus": true }, fields.title),
    fields.detail && element("p", { dir: "auto" }, clipped(fields.detail, 1000)),
    fields.hint && element("p", { class: "hint", dir: "auto" }, clipped(fields.hint, 1000)),
    issuesView(fields),
    fields.challenge ? keyForm(fields.challenge, onRetry) : retryView(fields, onRetry),
    documentation(fields.type));
}

/** The failure in one sentence, for people who hear the page. */
export function spokenProblem({ title, detail, hint }) {
  return [say("problem"), title, detail, hint].filter(Boolean).map((text) => clipped(text)).join(". ");
}

/** A field for the key that the gateway asks for. */
function keyForm(challenge, onDone) {
  const field = element("input", {
    id: "access-key", type: "password", required: true, autocomplete: "off", spellcheck: "false", autocapitalize: "off",
  });
  const form = element("form", { class: "key-form" },
    hasKey() && element("p", {}, say("key.refused")),
    element("label", { for: "access-key" }, say("key.label")),
    element("div", { class: "buttons" }, field, element("button", { type: "submit", class: "primary" }, say("key.use"))),
    element("p", { class: "note" }, say("key.kept")));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    forgetKey();
    useKey(challenge, field.value.trim());
    document.dispatchEvent(new CustomEvent("access"));
    onDone();
  });
  return form;
}

function retryView({ retryable, retryAfter }, onRetry) {
  if (!retryable) return element("p", { class: "note" }, say("retry.useless"));
  const when = retryAfter ? say("retry.after", { count: retryAfter }) : say("retry.soon");
  return element("p", { class: "retry" }, button(say("retry"), onRetry), element("span", { class: "note" }, when));
}

/** The issues, unless there is but one and the detail has said it. */
function issuesView({ issues = [], detail }) {
  if (issues.length === 1 && detail?.includes(issues[0].message)) return null;
  return issues.length > 0 && element("ul", { class: "issues" }, issues.map(({ code, step, message, hint }) =>
    element("li", {}, step != null && `${say("step", { step })}: `, clipped(message), " ", code && element("code", {}, code),
      hint && element("span", { class: "note" }, ` ${clipped(hint)}`))));
}

/** Only the gateway's own explanations are linked, with the path prefix of this page. */
function documentation(type) {
  if (!/^\/problems\/[\w-]+$/.test(type ?? "")) return null;
  return element("p", {}, element("a", { href: type.slice(1) }, say("problem.about")));
}
