/** The dataset picker and the chosen dataset's example questions. */

import { Problem, datasets } from "./api.js";
import { element } from "./dom.js";

const SHOWN_EXAMPLES = 6;
const POLL_MS = 3000;

const picker = document.getElementById("picker");
const select = document.getElementById("dataset");
const note = document.getElementById("dataset-note");
const examples = document.getElementById("examples");

let known = [];
let wanted;
let onExample = () => {};

/** Fill the picker, and keep it up to date while a dataset is loading. `ask` is called with an example question. */
export function startDatasets(ask) {
  onExample = ask;
  select.addEventListener("change", () => chooseDataset(select.value));
  return refresh();
}

/** The id of the dataset to ask, undefined while none is known (the gateway then takes its default). */
export function chosenDataset() {
  return select.value || undefined;
}

/** Choose a dataset by its id or an alias; an unknown name changes nothing here, and the gateway refuses it. */
export function chooseDataset(name) {
  wanted = name ?? wanted;
  const dataset = known.find(({ id, aliases = [] }) => id === wanted || aliases.includes(wanted));
  if (dataset) select.value = dataset.id;
  showChosen();
}

async function refresh() {
  try {
    known = await datasets();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    note.textContent = `The datasets cannot be listed. ${error.fields.detail ?? error.fields.title}`;
    return;
  }
  select.replaceChildren(...known.map(optionView));
  picker.hidden = known.length < 2;
  chooseDataset(wanted);
  if (known.some(({ status }) => status === "loading")) setTimeout(refresh, POLL_MS);
}

function optionView({ id, status }) {
  return element("option", { value: id }, status === "ready" ? id : `${id} (${status})`);
}

function showChosen() {
  const chosen = known.find(({ id }) => id === select.value);
  const problem = chosen && chosen.status !== "ready";
  note.textContent = problem ? [`${chosen.id} is ${chosen.status}.`, chosen.detail].filter(Boolean).join(" ") : "";
  const questions = (chosen?.examples ?? []).slice(0, SHOWN_EXAMPLES);
  examples.replaceChildren(...questions.map((question) =>
    element("button", { type: "button", class: "example", onclick: () => onExample(question) }, question)));
}
