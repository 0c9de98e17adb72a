/** The switch of developers: the program of every answer is open, or folded up. This browser keeps the choice. */

import { element } from "./dom.js";
import { browserStorage, keep, kept } from "./kept.js";

const STORED = "nlq-developer";

let on = kept(browserStorage, STORED, false) === true;

/** What stands behind a title: open for developers, folded up for others. */
export function behind(title, ...content) {
  return element("details", { class: "how", open: on }, element("summary", {}, title), content);
}

/** Make the switch work: it opens and folds what is shown already, too. */
export function startDeveloper() {
  const button = document.getElementById("developer");
  const tell = () => {
    button.setAttribute("aria-pressed", String(on));
    document.documentElement.classList.toggle("developer", on);
  };
  button.addEventListener("click", () => {
    on = !on;
    keep(browserStorage, STORED, on || null);
    tell();
    for (const part of document.querySelectorAll(".how")) part.open = on;
  });
  tell();
}
