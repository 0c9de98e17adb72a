/** The page: reads its address, asks, shows. An address stands for a view, so every view can be shared. */

import { readAddress, tidy, withPin, writeAddress } from "./address.js";
import { Problem, ask, run, trace } from "./api.js";
import { startCompletion } from "./completion.js";
import { chooseDataset, chooseStrategy, chosenDataset, chosenStrategy, startDatasets } from "./datasets.js";
import { noteAnswer } from "./history.js";
import { views } from "./later.js";
import { showOverview } from "./overview.js";
import { problemCard, spokenProblem } from "./problem.js";
import { entitle, say, sayMarkup } from "./strings.js";
import { startTools } from "./tools.js";

const KEPT = 20;
// The parts of an address that stand for a view; without one there is the first view alone.
const SHOWN = ["question", "program", "trace", "thing", "from", "to"];

const form = document.getElementById("ask");
const box = document.getElementById("question");
const region = document.getElementById("result");
const announcement = document.getElementById("announcement");

/** Responses by address, so that going back costs no second run. */
const responses = new Map();
let running = new AbortController();

/** Put a view in the result's place. Focus stays where it is, or moves to the new view if the old one held it. */
function show(nodes, spoken, busy = false) {
  const held = region.contains(document.activeElement);
  region.replaceChildren(...nodes);
  region.setAttribute("aria-busy", String(busy));
  document.body.classList.toggle("has-result", nodes.length > 0);
  announcement.textContent = spoken;
  if (held) (region.querySelector("[data-focus]") ?? box).focus();
}

/** Carry out a request under an address of its own. */
function go(request) {
  const address = writeAddress(request);
  responses.delete(address);
  if (address === location.search) history.replaceState(null, "", address);
  else history.pushState(null, "", address);
  return open();
}

/** Show what the address says. */
async function open() {
  running.abort();
  running = new AbortController();
  const { signal } = running;
  let request = {};
  try {
    request = readAddress(location.search);
    enterRequest(request);
    if (!SHOWN.some((name) => request[name])) return show([], "");
    const { resultView, spokenAnswer, toldOf } = await views();
    const told = await toldOf(request, signal);
    signal.throwIfAborted();
    if (told) return show(...told);
    if (!request.question && !request.trace && !request.program) return show([], "");
    const response = await respond(request, signal);
    // What the gateway takes, and other pages for the query, are told with the datasets.
    await listed;
    signal.throwIfAborted();
    enterRequest({ ...response, question: response.question || request.question, strategy: request.strategy });
    return show(resultView(response, actionsFor(request, response)), spokenAnswer(response));
  } catch (error) {
    if (signal.aborted) return undefined;
    if (!(error instanceof Problem)) throw error;
    const nodes = await problemNodes(error.fields, request, actionsFor(request));
    return signal.aborted ? undefined : show(nodes, spokenProblem(error.fields));
  }
}

/** The view of a problem; its card alone where the views themselves cannot be loaded. */
async function problemNodes(fields, request, actions) {
  try {
    return (await views()).problemView(fields, request, open, actions);
  } catch {
    return [problemCard(fields, open)];
  }
}

async function respond(request, signal) {
  const address = location.search;
  if (responses.has(address)) return responses.get(address);
  const response = await fetched(request, signal);
  if (request.question && !request.program) noteAnswer(response);
  responses.set(address, response);
  if (responses.size > KEPT) responses.delete(responses.keys().next().value);
  return response;
}

/** The response from the gateway; meanwhile the page shows what is known of it. */
async function fetched(request, signal) {
  const { arrived, liveView } = await views();
  let known = { dataset: request.dataset };
  const { nodes, update } = liveView(request, cancel);
  const onEvent = (event, data) => {
    known = arrived(known, event, data);
    if (!signal.aborted) update(known);
  };
  show(nodes, say("live.working"), true);
  if (request.trace) return trace(request.trace, signal);
  return request.program ? run(request, signal, onEvent) : ask(request, signal, onEvent);
}

/** Stop waiting; the question stays in its box. */
function cancel() {
  running.abort();
  show([], say("live.cancelled"));
  box.focus();
}

function enterRequest({ question, dataset, strategy }) {
  box.value = question ?? "";
  chooseDataset(dataset);
  chooseStrategy(strategy);
  entitle(question);
}

/**
 * What a view of this response can do. `pin` repeats the request with a choice added to the earlier ones; `run`
 * carries out an edited program, which keeps in mind the trace that it came from; `origin` is that trace.
 */
function actionsFor(request, response = {}) {
  const { program, strategy, pins = [] } = request;
  const dataset = response.dataset ?? request.dataset;
  const question = response.question || request.question;
  const of = request.of ?? (response.question ? response.id : undefined);
  // What was run as a program is run as that again: a trace of such a run has no question to repeat.
  const again = program || (!question && response.program?.text);
  return {
    pin: (pin) => go(again ? { program: again, question, dataset, of, pins: withPin(pins, pin) }
      : { question, dataset, strategy, pins: withPin(pins, pin) }),
    run: (edited) => go({ program: typeof edited === "string" ? edited : JSON.stringify(edited), question, dataset, of }),
    origin: program && question && request.of ? { trace: request.of, question } : undefined,
  };
}

function submit(question) {
  const tidied = tidy(question);
  if (tidied) go({ question: tidied, dataset: chosenDataset(), strategy: chosenStrategy() });
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  submit(box.value);
});

// Before the box's own keys, so that Enter takes a suggestion.
startCompletion(box, submit);

box.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  form.requestSubmit();
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && region.getAttribute("aria-busy") === "true") cancel();
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-view]");
  if (!link || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  history.pushState(null, "", link.getAttribute("href"));
  open();
});

document.addEventListener("submit", (event) => {
  if (!event.target.matches("form[data-view]")) return;
  event.preventDefault();
  history.pushState(null, "", `?${new URLSearchParams(new FormData(event.target))}`);
  open();
});

window.addEventListener("popstate", open);

/** Where the gateway wants a key, the field for it is there before anything is asked. */
async function askForKey(fields) {
  if (!fields.challenge || region.childElementCount > 0) return;
  const nodes = await problemNodes(fields, {}, {});
  if (region.childElementCount === 0) show(nodes, spokenProblem(fields));
}

sayMarkup();
const listed = startDatasets(submit, askForKey, showOverview);
// The strings came after the page: what was typed meanwhile is no part of the address, and stays.
const typed = box.value;
open();
box.value = typed || box.value;
startTools({ ask: (request) => go(request), box });
await listed;
// A failure is told when a view is wanted.
views().catch(() => {});
