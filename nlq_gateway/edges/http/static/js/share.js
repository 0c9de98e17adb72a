/** Links to what is shown: the answer as it was given, and the question, asked anew. */

import { writeAddress } from "./address.js";
import { button, element } from "./dom.js";
import { say } from "./strings.js";
import { popping } from "./terms.js";

/** A button that offers the links; null where there is nothing that could be shown again. */
export function shareView({ id, question, dataset }) {
  if (!id && !question) return null;
  return popping(say("share"), { class: "quiet" }, () => [
    id && linkRow(say("share.answer"), writeAddress({ trace: id })),
    question && linkRow(say("share.question"), writeAddress({ question, dataset })),
  ]);
}

function linkRow(title, search) {
  const address = new URL(search, location.href).href;
  const field = element("input", { type: "text", readonly: true, value: address, "aria-label": title });
  field.addEventListener("focus", () => field.select());
  const copy = button(say("copy"), async () => {
    try {
      await navigator.clipboard.writeText(address);
      copy.textContent = say("copied");
    } catch {
      field.focus();
      copy.textContent = say("copy.selected");
    }
  });
  return element("div", { class: "share-row" }, element("span", { class: "note" }, title), element("div", { class: "buttons" }, field, copy));
}
