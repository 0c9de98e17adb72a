/** The program: its steps with counts and examples, and what each name in them was taken for. */

import { element, iriLink, localName, plural } from "./dom.js";

const SOURCES = new Intl.ListFormat("en-GB", { style: "long", type: "conjunction" });

/**
 * The steps as a list, `{node, steps}`: `steps` maps a step's number to its list item.
 * `onPin` is called with the pin of an alternative that was chosen.
 */
export function programView({ program, steps: measured = [], bindings = [] }, onPin) {
  const measures = new Map(measured.map((measure) => [measure.step, measure]));
  const items = program.steps.map((step, index) => {
    const number = index + 1;
    const own = bindings.filter((binding) => binding.step === number);
    return stepView(number, step, measures.get(number), own, onPin);
  });
  const nodes = new Map(items.map((item, index) => [index + 1, item]));
  return { node: element("ol", { class: "steps" }, items), steps: nodes };
}

/** The other things a name could be, as buttons. */
export function alternativesOf({ step, argument, mention, alternatives }, onPin) {
  return element("ul", { class: "alternatives", "aria-label": `Other meanings of ${mention}` },
    alternatives.map(({ iri, label, score }) => element("li", {},
      element("button", { type: "button", class: "chip", title: iri, onclick: () => onPin({ step, argument, iri }) },
        element("span", { dir: "auto" }, label || localName(iri)),
        label && label !== localName(iri) && element("small", {}, localName(iri)),
        scoreView(score)))));
}

function stepView(number, { function: name, inputs = [], dependencies = [] }, measure, bindings, onPin) {
  const count = measure?.count;
  const known = typeof count === "number";
  const follows = number > 1 && dependencies.length > 0;
  return element("li", { class: `step ${follows ? "follows" : "starts"} ${count === 0 ? "none" : ""}`, "data-step": number },
    element("button", { type: "button", class: "step-head", title: "Show its lines in the SPARQL" },
      element("span", { class: "visually-hidden" }, "Step "),
      element("span", { class: "step-number" }, String(number)),
      element("span", { class: "call" }, element("b", {}, name), inputs.map(inputView), sourcesView(number, dependencies)),
      known && element("span", { class: "count", title: plural(count, "result") }, count.toLocaleString("en"),
        element("span", { class: "visually-hidden" }, count === 1 ? " result" : " results"))),
    measure?.examples?.length > 0 && examplesView(measure),
    bindings.map((binding) => bindingView(binding, onPin)));
}

function inputView(input) {
  return element("span", { class: "input", dir: "auto" }, String(input));
}

/** Where a step takes its input from, said only when it is not simply the step before. */
function sourcesView(number, dependencies) {
  const plain = dependencies.length === 0 || (dependencies.length === 1 && dependencies[0] === number - 2);
  const numbers = SOURCES.format(dependencies.map((index) => String(index + 1)));
  return !plain && element("span", { class: "sources" }, `of ${numbers}`);
}

function examplesView({ count, examples }) {
  const shown = examples.slice(0, 5);
  const items = shown.map((example) => element("li", { dir: "auto" }, example));
  const rest = count > shown.length && element("li", {}, "…");
  return element("ul", { class: "step-examples", "aria-label": "Examples" }, items, rest);
}

function bindingView(binding, onPin) {
  const { mention, kind, iri, label, how, alternatives = [] } = binding;
  return element("div", { class: "binding" },
    element("p", {},
      element("q", { dir: "auto" }, mention), " is ", kind && `the ${kind} `,
      iriLink(iri, label || localName(iri)), scoreView(binding.score),
      how && element("span", { class: "note" }, ` ${how}`)),
    element("p", { class: "iri" }, iri),
    alternatives.length > 0 && alternativesOf(binding, onPin));
}

function scoreView(score) {
  return typeof score === "number" && element("span", { class: "score", title: "Score of the match" }, score.toFixed(2));
}
