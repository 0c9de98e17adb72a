/** The names in a program: what each was taken for, and what else it could be, one press away. */

import { Problem, describe } from "./api.js";
import { isSure } from "./asked.js";
import { chosenDataset } from "./datasets.js";
import { button, clipped, element, iriLink, localName } from "./dom.js";
import { say, sayNodes } from "./strings.js";
import { shownText } from "./values.js";

/** An argument of a step. One that could be something else is a button that shows what; choosing pins it. */
export function termView(input, binding, onPin) {
  const text = element("span", { dir: "auto" }, clipped(String(input), 120));
  if (!binding?.alternatives?.length) return element("span", { class: "input", title: binding?.iri }, text);
  return popping(text, { class: "input open-term", title: say("term.others", { count: binding.alternatives.length }) }, () => [
    bindingView(binding),
    element("h4", {}, say("term.instead")),
    alternativesOf(binding, onPin),
  ]);
}

/** A button with a popover under it, whose content is made when it opens. */
export function popping(label, properties, content) {
  const panel = element("div", { popover: "auto", class: "popover" });
  const opener = button(label, () => {}, { ...properties, "aria-haspopup": "true" });
  opener.popoverTargetElement = panel;
  panel.addEventListener("beforetoggle", ({ newState }) => {
    if (newState === "open") panel.replaceChildren(...content().flat().filter(Boolean));
  });
  panel.addEventListener("toggle", ({ newState }) => newState === "open" && place(panel, opener));
  return element("span", { class: "popping" }, opener, panel);
}

/** Put a panel under its opener, within the window's width, and scroll to all of it; it moves with the page. */
function place(panel, opener) {
  const { left, bottom } = opener.getBoundingClientRect();
  const room = document.documentElement.clientWidth - panel.offsetWidth - 8;
  panel.style.left = `${Math.max(8, Math.min(left, room)) + scrollX}px`;
  panel.style.top = `${bottom + 6 + scrollY}px`;
  panel.scrollIntoView({ block: "nearest" });
}

/** What a name was taken for. */
export function bindingView({ mention, kind, iri, label, score, how }) {
  return element("div", { class: "binding" },
    element("p", {},
      sayNodes("term.taken", {
        mention: element("q", { dir: "auto" }, clipped(mention)), kind: say(`kind.${kind}`), name: iriLink(iri, label || localName(iri)),
      }),
      element("span", { class: "note", dir: "auto" }, [!isSure({ score }) && say("term.guess"), how && clipped(how)]
        .filter(Boolean).map((text) => ` · ${text}`))),
    element("p", { class: "iri", title: iri.slice(0, 2000), dir: "ltr" }, clipped(iri)));
}

/** The other things a name could be, as buttons, with what tells each from the others of its name. */
export function alternativesOf({ step, argument, kind, mention, label: taken, alternatives }, onPin) {
  const labels = [taken, ...alternatives.map(({ label }) => label)];
  const isShared = (label) => labels.filter((other) => other === label).length > 1;
  return element("ul", { class: "alternatives", "aria-label": say("term.meanings", { mention: clipped(mention, 80) }) },
    alternatives.map(({ iri, label, about }) => element("li", {},
      button([
        element("span", { dir: "auto" }, clipped(label || localName(iri))), " ",
        about ? aboutView({ kind, iri, about }) : label && isShared(label)
          && element("small", { dir: "ltr" }, clipped(localName(iri), 80)),
      ], () => onPin({ step, argument, iri }), { class: "chip", title: iri.slice(0, 2000) }))));
}

/** What a thing is, in a few words; a fact that tells it from others is added once the gateway has said it. */
export function aboutView({ kind, iri, about }) {
  const node = element("small", { dir: "auto" }, clipped(about, 120));
  if (kind === "entity") addFact(node, iri);
  return node;
}

async function addFact(node, iri) {
  try {
    const { groups: [fact] = [] } = await describe(chosenDataset() ?? "", { iri, facts: 1 });
    if (fact) node.append(` · ${clipped(fact.label, 60)}: ${clipped(shownText(fact.values[0]), 80)}`);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
}
