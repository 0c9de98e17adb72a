/** What stands in the answer's place while there is none: the wait, and the failure. */

import { element, plural } from "./dom.js";
import { explanationView } from "./result.js";

/** The wait, with the seconds counted and a way out of it. */
export function workingView(onCancel) {
  const seconds = element("span", { class: "note", "aria-hidden": "true" });
  const node = element("div", { class: "card working" },
    element("span", { class: "spinner", "aria-hidden": "true" }), element("span", {}, "Working…"), seconds,
    element("button", { type: "button", class: "quiet", "data-focus": true, onclick: onCancel }, "Cancel"));
  const start = Date.now();
  const timer = setInterval(() => {
    if (!node.isConnected) clearInterval(timer);
    else seconds.textContent = `${Math.round((Date.now() - start) / 1000)} s`;
  }, 1000);
  return [node];
}

/** A failure: what, why, what to do, whether a retry helps, and what was made before it. */
export function problemView(fields, onRetry, onPin) {
  return [
    element("article", { class: "card problem" },
      element("p", { class: "status-line" }, element("span", { class: "status" }, statusText(fields))),
      element("h2", { class: "headline long", tabindex: "-1", "data-focus": true }, fields.title),
      fields.detail && element("p", {}, fields.detail),
      fields.hint && element("p", { class: "hint" }, fields.hint),
      issuesView(fields.issues ?? []),
      retryView(fields, onRetry),
      documentation(fields.type)),
    explanationView({ ...fields, sparql: fields.sparql ?? { text: fields.query } }, onPin, "How far it came"),
  ].filter(Boolean);
}

/** The failure in one sentence, for people who hear the page. */
export function spokenProblem({ title, detail, hint }) {
  return ["Error", title, detail, hint].filter(Boolean).join(". ");
}

function statusText({ status }) {
  return status ? `Error ${status}` : "Error";
}

function retryView({ retryable, retryAfter }, onRetry) {
  if (!retryable) return element("p", { class: "note" }, "Trying again as it is will not help.");
  const when = retryAfter ? `Trying again in ${plural(retryAfter, "second")} may help.` : "Trying again may help.";
  return element("p", { class: "retry" },
    element("button", { type: "button", onclick: onRetry }, "Try again"), element("span", { class: "note" }, when));
}

function issuesView(issues) {
  return issues.length > 0 && element("ul", { class: "issues" }, issues.map(({ code, step, message, hint }) =>
    element("li", {}, step != null && `Step ${step}: `, message, " ", code && element("code", {}, code),
      hint && element("span", { class: "note" }, ` ${hint}`))));
}

/** Only the gateway's own explanations are linked, with the path prefix of this page. */
function documentation(type) {
  if (!/^\/problems\/[\w-]+$/.test(type ?? "")) return null;
  return element("p", {}, element("a", { href: type.slice(1) }, "About this error"));
}
