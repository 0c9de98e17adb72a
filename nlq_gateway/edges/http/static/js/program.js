/** The program: its steps with counts and examples, and what each name in them was taken for. */

import { button, clipped, element } from "./dom.js";
import { listed, number as written, say } from "./strings.js";
import { bindingView, termView } from "./terms.js";

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
      button([element("span", { class: "visually-hidden" }, say("step", { step: number }), " "),
        element("span", { class: "step-number", "aria-hidden": "true" }, String(number)), element("b", {}, step.function)],
      () => {}, { class: "step-head", title: say("step.lines") }),
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
  return typeof count === "number" && element("span", { class: "count", title: say("step.count", { count }) },
    element("span", { "aria-hidden": "true" }, written(count)), element("span", { class: "visually-hidden" }, say("step.count", { count })));
}

/** Where a step takes its input from, said only when it is not simply the step before. */
function sourcesView(number, { dependencies = [] }) {
  const plain = dependencies.length === 0 || (dependencies.length === 1 && dependencies[0] === number - 2);
  const steps = listed(dependencies.map((index) => String(index + 1)));
  return !plain && element("span", { class: "sources" }, say("step.sources", { steps }));
}

function examplesView({ count, examples }) {
  const shown = examples.slice(0, 5);
  const items = shown.map((example) => element("li", { dir: "auto" }, clipped(String(example), 120)));
  const rest = count > shown.length && element("li", {}, "…");
  return element("ul", { class: "step-examples", "aria-label": say("step.examples") }, items, rest);
}
