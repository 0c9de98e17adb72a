/** A question on its way: what is known so far, as it arrives. */

import { button, clipped, element, localName } from "./dom.js";
import { howView } from "./result.js";
import { say } from "./strings.js";

const ARRIVALS = {
  links: (known, links) => ({ ...known, links }),
  program: (known, { program }) => ({ ...known, program, bindings: [], steps: [], sparql: undefined }),
  grounding: (known, { bindings }) => ({ ...known, bindings }),
  sparql: (known, sparql) => ({ ...known, sparql }),
  step: (known, step) => ({ ...known, steps: [...(known.steps ?? []).filter((one) => one.step !== step.step), step] }),
};

/** The parts of the response of `/nlq` known after an event; unknown events change nothing. */
export function arrived(known, event, data) {
  return Object.hasOwn(ARRIVALS, event) ? ARRIVALS[event](known, data) : known;
}

const STAGES = [
  ["names", ({ links }) => links && [links.mentions, links.literals].flatMap((found) => found ?? []).length],
  ["program", ({ program }) => program?.steps.length],
  ["sparql", ({ sparql }) => sparql?.text?.trim().split("\n").length],
  ["counts", ({ steps = [] }) => steps.length || undefined],
];

/** `{nodes, update}`: the view of a question under way; `update` shows what is known by now. */
export function liveView({ question }, onCancel) {
  const seconds = element("span", { class: "note", "aria-hidden": "true" });
  const stages = element("ol", { class: "stages" });
  const heard = element("p", { class: "heard", dir: "auto" }, question ?? "");
  const card = element("div", { class: "card working" },
    element("div", { class: "working-head" },
      element("span", { class: "spinner", "aria-hidden": "true" }), element("span", {}, say("live.working")), seconds,
      button(say("live.cancel"), onCancel, { class: "quiet", "data-focus": true })),
    heard, stages);
  const rest = element("div", { class: "arriving" });
  count(card, seconds);
  const update = onNextFrame((known) => {
    stages.replaceChildren(...STAGES.map((stage) => stageView(stage, known)));
    if (known.links) heard.replaceChildren(...heardView(question ?? "", known.links));
    rest.replaceChildren(...[howView(known, {})].filter(Boolean));
  });
  stages.replaceChildren(...STAGES.map((stage) => stageView(stage, {})));
  return { nodes: [card, rest], update };
}

/** Call with the newest value only, once a frame, however fast the values come. */
function onNextFrame(show) {
  let newest;
  let waiting = false;
  return (value) => {
    newest = value;
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      show(newest);
    });
  };
}

function count(card, seconds) {
  const start = Date.now();
  const timer = setInterval(() => {
    if (!card.isConnected) clearInterval(timer);
    else seconds.textContent = `${Math.round((Date.now() - start) / 1000)} s`;
  }, 1000);
}

function stageView([name, countOf], known) {
  const count = countOf(known);
  const told = count === undefined ? " " : say(`stage.${name}.count`, { count });
  return element("li", { class: count === undefined ? "stage" : "stage done" },
    element("span", {}, say(`stage.${name}`)), element("small", {}, told));
}

/** The question with what its words were taken for. Places count code points, as Python does. */
function heardView(entered, { question = entered, mentions = [], literals = [] }) {
  const letters = [...question];
  const parts = [];
  let end = 0;
  for (const mention of [...mentions, ...literals].sort((one, other) => one.start - other.start)) {
    if (!(mention.start >= end)) continue;
    parts.push(letters.slice(end, mention.start).join(""), markView(letters.slice(mention.start, mention.end).join(""), mention));
    end = mention.end;
  }
  return [...parts, letters.slice(end).join("")];
}

function markView(text, { alternatives: [likeliest] = [], value }) {
  const taken = likeliest ? `${say(`kind.${likeliest.kind}`)} ${likeliest.label || localName(likeliest.iri)}` : value;
  return element("mark", { title: taken && clipped(String(taken)) }, text);
}
