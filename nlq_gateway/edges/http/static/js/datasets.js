/** The pickers of dataset and strategy, and the chosen dataset's example questions. */

import { Problem, datasets } from "./api.js";
import { button, element } from "./dom.js";
import { say } from "./strings.js";

const SHOWN_EXAMPLES = 6;
const POLL_MS = 1000;
// A graph that comes without examples is given some shortly after it is ready.
const MOST_POLLS = 20;

const picker = document.getElementById("picker");
const select = document.getElementById("dataset");
const note = document.getElementById("dataset-note");
const examples = document.getElementById("examples");
const options = document.getElementById("strategy-picker");
const strategies = document.getElementById("strategy");

let known = [];
let wanted;
let wantedStrategy;
let feedback = true;
let yasgui;
let onExample = () => {};
let onProblem = () => {};
let onChosen = () => {};
let polls = 0;
let shownQuestions = "";

/**
 * Fill the pickers, and keep them up to date while a dataset is loading. `ask` is called with an example question,
 * `failed` with the problem when the datasets cannot be listed, `chosen` with the dataset that is shown.
 */
export function startDatasets(ask, failed, chosen) {
  onExample = ask;
  onProblem = failed;
  onChosen = chosen;
  select.addEventListener("change", () => chooseDataset(select.value));
  document.addEventListener("access", refresh);
  return refresh();
}

/** The id of the dataset to ask; undefined where none is known or named yet (the gateway then takes its default). */
export function chosenDataset() {
  return select.value || wanted;
}

/** The strategy that was chosen, also before the gateway has told which it has; undefined for its own choice. */
export function chosenStrategy() {
  return (strategies.options.length > 0 ? strategies.value : wantedStrategy) || undefined;
}

/** Choose a dataset by its id or an alias; an unknown name changes nothing here, and the gateway refuses it. */
export function chooseDataset(name) {
  wanted = name ?? wanted;
  const dataset = find(wanted);
  if (dataset) select.value = dataset.id;
  showChosen();
}

/** Choose a strategy by its name, or the gateway's own choice. */
export function chooseStrategy(name) {
  wantedStrategy = name;
  const option = [...strategies.options].find(({ value }) => value === (name ?? ""));
  if (option) strategies.value = option.value;
}

/** Addresses at which other pages show a query, `[title, address]`: the store's own page, and YASGUI. */
export function otherPages(dataset, text) {
  const chosen = find(dataset) ?? known[0];
  const endpoint = new URL(chosen ? `${encodeURIComponent(chosen.id)}/sparql` : "sparql", document.baseURI).href;
  return [[say("query.store"), chosen?.store_ui], [say("query.yasgui"), yasgui]]
    .map(([title, template]) => [title, filledIn(template, { query: text, endpoint })]).filter(([, address]) => address);
}

/** The address of a template; undefined where it is none of the web. */
function filledIn(template, { query, endpoint }) {
  if (!template?.includes("{query}")) return undefined;
  const address = template.replaceAll("{endpoint}", encodeURIComponent(endpoint)).replaceAll("{query}", () => encodeURIComponent(query));
  return /^https?:/.test(new URL(address, location.href).protocol) ? address : undefined;
}

/** Whether the gateway takes feedback; true while that is not known. */
export function takesFeedback() {
  return feedback;
}

function find(name) {
  return known.find(({ id, aliases = [] }) => id === name || aliases.includes(name));
}

async function refresh() {
  try {
    const listed = await datasets();
    known = listed.datasets;
    feedback = listed.feedback !== "off";
    yasgui = listed.yasgui;
    fillStrategies(listed.strategies ?? []);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { challenge, detail, title } = error.fields;
    note.textContent = challenge ? "" : `${say("dataset.unlisted")} ${detail ?? title}`;
    onProblem(error.fields);
    return;
  }
  select.replaceChildren(...known.map(optionView));
  picker.hidden = known.length < 2;
  chooseDataset(wanted);
  if (known.some(({ status }) => status === "loading") || (isBare(find(select.value)) && polls++ < MOST_POLLS)) {
    setTimeout(refresh, POLL_MS);
  }
}

function isBare(dataset) {
  return dataset?.status === "ready" && !dataset.examples?.length;
}

function fillStrategies(names) {
  options.hidden = names.length < 2;
  if (names.join() === [...strategies.options].slice(1).map(({ value }) => value).join()) return;
  strategies.replaceChildren(...["", ...names].map((name) => element("option", { value: name }, name || say("strategy.default"))));
  chooseStrategy(wantedStrategy);
}

function optionView({ id, status }) {
  return element("option", { value: id }, status === "ready" ? id : `${id} (${say(`dataset.is.${status}`)})`);
}

function showChosen() {
  const chosen = known.find(({ id }) => id === select.value);
  const problem = chosen && chosen.status !== "ready";
  note.textContent = problem ? [`${chosen.id}: ${say(`dataset.is.${chosen.status}`)}.`, chosen.detail].filter(Boolean).join(" ") : "";
  const questions = (chosen?.examples ?? []).slice(0, SHOWN_EXAMPLES);
  if (questions.join("\n") !== shownQuestions) examples.replaceChildren(...questions.map((question) =>
    button(question, () => onExample(question), { class: "example", dir: "auto" })));
  shownQuestions = questions.join("\n");
  if (chosen) onChosen(chosen);
}
