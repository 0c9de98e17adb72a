/** The program: its steps with counts and examples, and what each name in them was taken for. */

import { button, clipped, element, plural } from "./dom.js";
import { bindingView, termView } from "./terms.js";

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

function stepView(number, step, measure, bindings, onPin) {
  const follows = number > 1 && step.dependencies?.length > 0;
  const none = measure?.count === 0;
  return element("li", { class: `step ${follows ? "follows" : "starts"} ${none ? "none" : ""}`, "data-step": number },
    element("div", { class: "step-line" },
      button([element("span", { class: "visually-hidden" }, "Step "),
        element("span", { class: "step-number" }, String(number)), element("b", {}, step.function)],
      () => {}, { class: "step-head", title: "Show its lines in the SPARQL" }),
      element("span", { class: "call" }, inputsView(step, bindings, onPin), sourcesView(number, step)),
      countView(measure?.count)),
    measure?.examples?.length > 0 && examplesView(measure),
    bindings.map((binding) => bindingView(binding)));
}

function inputsView({ inputs = [] }, bindings, onPin) {
  return inputs.map((input, argument) =>
    termView(input, bindings.find((binding) => binding.argument === argument), onPin));
}

function countView(count) {
  return typeof count === "number" && element("span", { class: "count", title: plural(count, "result") },
    count.toLocaleString("en"), element("span", { class: "visually-hidden" }, count === 1 ? " result" : " results"));
}

/** Where a step takes its input from, said only when it is not simply the step before. */
function sourcesView(number, { dependencies = [] }) {
  const plain = dependencies.length === 0 || (dependencies.length === 1 && dependencies[0] === number - 2);
  const numbers = SOURCES.format(dependencies.map((index) => String(index + 1)));
  return !plain && element("span", { class: "sources" }, `of ${numbers}`);
}

function examplesView({ count, examples }) {
  const shown = examples.slice(0, 5);
  const items = shown.map((example) => element("li", { dir: "auto" }, clipped(String(example), 120)));
  const rest = count > shown.length && element("li", {}, "…");
  return element("ul", { class: "step-examples", "aria-label": "Examples" }, items, rest);
}
