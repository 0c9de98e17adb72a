/** Parts that are folded up until a reader opens them; this browser remembers which of them are open. */

import { browserStorage, keep, kept } from "./kept.js";
import { element } from "./dom.js";

const STORED = "nlq-open";

/** The part under a title that opens it; parts with one name open and close alike from then on. */
export function folding(name, title, ...content) {
  const node = element("details", { class: `folding ${name}`, open: open()[name] === true }, element("summary", {}, title), content);
  node.addEventListener("toggle", () => keep(browserStorage, STORED, { ...open(), [name]: node.open }));
  return node;
}

function open() {
  return kept(browserStorage, STORED, {});
}
