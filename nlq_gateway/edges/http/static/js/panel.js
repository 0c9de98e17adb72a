/** Panels at the side: one of the page's tools, out of the way until it is wanted. Escape closes them. */

import { button, element } from "./dom.js";
import { say } from "./strings.js";

/** `{open, close}` of a panel with a title; `content` makes what is in it each time it opens. */
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
  return {
    open() {
      body.replaceChildren(...content());
      dialog.showModal();
      (body.querySelector("[autofocus]") ?? dialog.querySelector("button")).focus();
    },
    close: () => dialog.close(),
  };
}
