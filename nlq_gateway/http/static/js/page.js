/** The page: reads its address, asks, shows. An address stands for a view, so every view can be shared. */

import { readAddress, tidy, withPin, writeAddress } from "./address.js";
import { spokenAnswer } from "./answer.js";
import { Problem, ask, trace } from "./api.js";
import { chooseDataset, chosenDataset, startDatasets } from "./datasets.js";
import { problemView, spokenProblem, workingView } from "./notices.js";
import { resultView } from "./result.js";

const KEPT = 20;

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

/** Ask a question under an address of its own. */
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
    if (!request.question && !request.trace) return show([], "");
    const response = await respond(request, signal);
    signal.throwIfAborted();
    enterRequest(response);
    return show(resultView(response, choiceFor(response, request)), spokenAnswer(response));
  } catch (error) {
    if (signal.aborted) return undefined;
    if (!(error instanceof Problem)) throw error;
    return show(problemView(error.fields, open, choiceFor(request, request)), spokenProblem(error.fields));
  }
}

async function respond(request, signal) {
  const address = location.search;
  if (!responses.has(address)) {
    show(workingView(cancel), "Working", true);
    remember(address, await (request.trace ? trace(request.trace, signal) : ask(request, signal)));
  }
  return responses.get(address);
}

function remember(address, response) {
  responses.set(address, response);
  if (responses.size > KEPT) responses.delete(responses.keys().next().value);
}

/** Stop waiting; the question stays in its box. */
function cancel() {
  running.abort();
  show([], "Cancelled");
  box.focus();
}

function enterRequest({ question, dataset }) {
  box.value = question ?? "";
  chooseDataset(dataset);
  document.title = question ? `${question} – Ask the graph` : "Ask the graph";
}

/** What choosing an alternative does: the same question again, with the choice added to the earlier ones. */
function choiceFor({ question, dataset }, { pins = [] }) {
  return (pin) => go({ question, dataset, pins: withPin(pins, pin) });
}

function submit(question) {
  const tidied = tidy(question);
  if (tidied) go({ question: tidied, dataset: chosenDataset() });
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  submit(box.value);
});

box.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  form.requestSubmit();
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && region.getAttribute("aria-busy") === "true") cancel();
});

window.addEventListener("popstate", open);

open();
startDatasets(submit);
