/** Why there is no answer: the step that leaves nothing, what there was before it, and what could be tried. */

import { button, clipped, element, localName } from "./dom.js";
import { say, sayNodes } from "./strings.js";
import { alternativesOf } from "./terms.js";

/** The explanation of an empty or missing answer; null where there is nothing to explain. */
export function explainView(result, actions) {
  const { diagnosis, status, steps = [] } = result;
  if (!diagnosis) return null;
  const step = steps.find(({ count }) => count === 0)?.step;
  return element("div", { class: "diagnosis" },
    element("p", { dir: "auto" }, clipped(diagnosis)),
    status === "empty" && step && triesView(result, step, actions));
}

function triesView({ program, steps = [], bindings = [] }, step, { pin, run }) {
  const shorter = withoutStep(program.steps, step);
  const turned = withTurned(program.steps, step);
  const before = steps.find((one) => one.step === program.steps[step - 1]?.dependencies.at(-1) + 1);
  const doubtful = bindings.filter((one) => one.step <= step && one.alternatives?.length);
  return [
    before?.count > 0 && element("p", { class: "note" }, say("explain.before", { count: before.count }),
      before.examples?.length > 0 && [": ", examplesText(before)], "."),
    (shorter || turned || doubtful.length > 0) && element("h3", {}, say("explain.try")),
    shorter && element("p", {}, button(say("explain.without", { step, filter: filterText(program.steps[step - 1]) }), () => run(shorter))),
    turned && element("p", {}, button(say("explain.turned", { step }), () => run(turned))),
    doubtful.map((binding) => element("div", { class: "reading" },
      element("p", {}, sayNodes("explain.instead", { name: element("strong", { title: binding.iri, dir: "auto" },
        clipped(binding.label || localName(binding.iri))) })),
      alternativesOf(binding, pin))),
  ];
}

/** What a filter keeps: "publication date < 1950". */
function filterText({ inputs }) {
  const [name, value, sign] = inputs;
  return clipped((/^[<>=!]+$/.test(sign) ? [name, sign, value] : inputs).join(" "), 80);
}

function examplesText({ count, examples }) {
  return element("span", { dir: "auto" }, clipped(examples.slice(0, 5).join(", ")), count > 5 && ", …");
}

/** The program without a filter, as JSON steps; null for steps that others cannot do without. */
function withoutStep(steps, number) {
  const index = number - 1;
  if (!/^Q?Filter/.test(steps[index]?.function ?? "") || steps[index].dependencies.length !== 1) return null;
  const [source] = steps[index].dependencies;
  const moved = (dependency) => (dependency === index ? source : dependency - Number(dependency > index));
  const rest = steps.filter((_, position) => position !== index);
  return rest.map((step) => ({ ...step, dependencies: step.dependencies.map(moved) }));
}

/** The program with a relation followed in the other direction; null for steps that follow none. */
function withTurned(steps, number) {
  const { function: name, inputs } = steps[number - 1] ?? {};
  const direction = { forward: "backward", backward: "forward" }[inputs?.[1]];
  if (name !== "Relate" || !direction) return null;
  return steps.with(number - 1, { ...steps[number - 1], inputs: [inputs[0], direction] });
}
