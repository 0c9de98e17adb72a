/** Panels at the side: one of the page's tools, out of the way until it is wanted. Escape closes them. */

import { Problem } from "./api.js";
import { button, element } from "./dom.js";
import { problemCard } from "./problem.js";
import { say } from "./strings.js";

/** `{open, close}` of a panel with a title; `content` makes, at once or later, what is in it each time it opens. */
export function panel(title, content, width = "narrow") {
  const body = element("div", { class: "panel-body" });
  const heading = element("h2", { id: `panel-${document.querySelectorAll(".panel").length}` }, title);
  const dialog = element("dialog", { class: `panel ${width}`, "aria-labelledby": heading.id },
    element("div", { class: "panel-head" }, heading, button(say("close"), () => dialog.close(), { class: "quiet" })), body);
  // A press outside of the panel falls on the dialog itself.
  dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());
  // A link to a view of the page shows it, so that what lies over the page goes.
  dialog.addEventListener("click", ({ target }) => target.closest("a[data-view]") && dialog.close());
  document.body.append(dialog);
  const open = async () => {
    body.replaceChildren(...await shown(content, open));
    dialog.showModal();
    (body.querySelector("[autofocus]") ?? dialog.querySelector("button")).focus();
  };
  return { open, close: () => dialog.close() };
}

/** The content; in its place the card of what kept it from being made. */
async function shown(content, again) {
  try {
    return await content();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return [problemCard(error.fields, again)];
  }
}
