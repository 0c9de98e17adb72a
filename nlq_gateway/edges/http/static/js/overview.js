/** What a graph is about: its largest classes, each a way to questions; and the help that is made of that. */

import { writeAddress } from "./address.js";
import { Problem, datasets, schema } from "./api.js";
import { chosenDataset } from "./datasets.js";
import { clipped, element, localName, viewLink } from "./dom.js";
import { number, say } from "./strings.js";
import { thingLink } from "./values.js";

const CLASSES = 12;
const region = document.getElementById("overview");
let shown = "";

/** Show the classes of the chosen dataset under the examples, once for each version of its index. */
export async function showOverview({ id, status, index_version: version }) {
  if (status !== "ready" || shown === `${id} ${version}`) return;
  shown = `${id} ${version}`;
  const nodes = await classesOf(id);
  if (shown === `${id} ${version}`) region.replaceChildren(...nodes);
}

/** The card that says what can be asked. */
export async function helpView(wanted, signal) {
  const known = (await datasets()).datasets;
  const id = wanted ?? chosenDataset();
  const dataset = known.find((one) => one.id === id) ?? known[0] ?? { id: "" };
  const questions = dataset.examples ?? [];
  return [element("article", { class: "card help" },
    element("h2", { class: "headline long", tabindex: "-1", "data-focus": true }, say("help.title")),
    element("p", {}, say("help.how")),
    questions.length > 0 && [element("h3", {}, say("help.questions")),
      questionsView(questions.map((question) => ({ question })), dataset.id)],
    await classesOf(dataset.id, signal))];
}

/** Questions as links, `[{question, program?, pins?}]`: where the program is known, it is what answers. */
export function questionsView(questions, dataset) {
  return element("ul", { class: "asking" }, questions.map((asked) => element("li", {}, questionLink(asked, dataset, asked.question))));
}

/** A link that asks a question. */
export function questionLink({ question, program, pins }, dataset, text, properties = {}) {
  return viewLink(writeAddress({ question, program, pins, dataset }), clipped(text), properties);
}

/** The largest classes with how many members they have; nothing where they cannot be told. */
async function classesOf(dataset, signal) {
  try {
    const { items = [] } = await schema(dataset, { kind: "concept", limit: CLASSES }, signal);
    return items.length > 0 ? [element("h2", { class: "overview-title" }, say("help.classes")), element("ul", { class: "classes" },
      items.map(({ iri, label, count }) => element("li", {}, thingLink(iri, label || localName(iri), { class: "chip" }),
        count > 0 && element("span", { class: "note" }, ` ${number(count)}`))))] : [];
  } catch (error) {
    if (error instanceof Problem || signal?.aborted) return [];
    throw error;
  }
}
