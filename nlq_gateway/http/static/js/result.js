/** A whole response, from the answer down to the run's figures. */

import { hasKey } from "./access.js";
import { answerView } from "./answer.js";
import { bar, button, clipped, duration, element, percent, plural } from "./dom.js";
import { folding } from "./folding.js";
import { joinLights } from "./lighting.js";
import { pictureView } from "./picture.js";
import { programView } from "./program.js";
import { programEditor } from "./program_editor.js";
import { queryView } from "./query.js";
import { sparqlLines } from "./sparql.js";
import { storyView } from "./story.js";

/** The nodes that show a response of `/nlq` or `/run`; `actions` are what the page does when something is chosen. */
export function resultView(result, actions) {
  return [
    answerView(result, actions),
    warningsView(result.warnings ?? []),
    howView(result, actions, [storyView(result), runView(result)]),
  ].filter(Boolean);
}

/** All that people need not see who want the answer, folded up; null where there is nothing yet. */
export function howView(result, actions, more = []) {
  const title = result.status === "unanswerable" ? "The reading that came closest" : "How it was answered";
  const parts = [explanationView(result, actions), more].flat().filter(Boolean);
  return parts.length > 0 && folding("how", title, parts);
}

/** The program's picture over its steps and the SPARQL side by side; any may be missing after a failure. */
export function explanationView(result, actions) {
  const lines = result.sparql?.text ? sparqlLines(result.sparql.text, result.sparql.source_map) : null;
  if (!result.program?.steps?.length) {
    return lines && element("div", { class: "explanation" }, queryView(result.sparql.text, lines, result.dataset));
  }
  const list = programView(result, actions.pin);
  const picture = pictureView(result, {
    onPin: actions.pin, onChoose: (number) => list.steps.get(number).querySelector("button").focus(),
  });
  const nodes = new Map([...list.steps].map(([number, item]) => [number, [item, picture.boxes.get(number)]]));
  joinLights(nodes, lines ?? []);
  return element("div", { class: "explanation" },
    pictureCard(result, picture, actions),
    element("section", { class: "card" }, element("h3", {}, "Steps"), list.node),
    lines && queryView(result.sparql.text, lines, result.dataset));
}

function pictureCard({ program, dataset }, picture, { run }) {
  const place = element("div", {}, folding("picture", "As a picture", picture.node));
  const edit = button("Edit", () => {
    edit.hidden = true;
    const editor = programEditor(program.text, { dataset, onRun: run, onClose: () => {
      editor.remove();
      edit.hidden = false;
      edit.focus();
    } });
    place.append(editor);
  }, { class: "quiet", title: "Change the program and run it" });
  return element("section", { class: "card pictured" },
    element("div", { class: "card-head" }, element("h3", {}, "Program"), run && edit), place);
}

function warningsView(warnings) {
  return warnings.length > 0 && element("ul", { class: "warnings", "aria-label": "Warnings" },
    warnings.map(({ code, message }) => element("li", { dir: "auto" }, clipped(message), " ", element("code", {}, code))));
}

function runView(result) {
  return element("details", { class: "about-run" }, element("summary", {}, "About this run"), element("div", { class: "run" },
    sharesView("Confidence", result.confidence?.parts ?? {}, percent, 1),
    sharesView("Time", result.timings_ms ?? {}, duration, result.timings_ms?.total),
    factsView(result)));
}

function sharesView(title, parts, format, whole) {
  const entries = Object.entries(parts).filter(([, value]) => typeof value === "number");
  return entries.length > 0 && element("div", {}, element("h3", {}, title),
    element("dl", { class: "shares" }, entries.map(([name, value]) => [
      element("dt", {}, name.replaceAll("_", " ")),
      element("dd", {}, element("span", {}, format(value)), bar(whole ? value / whole : 0)),
    ])));
}

function factsView(result) {
  const { id, strategy, model, model_calls: calls, usage, index_version: index } = result;
  const facts = [
    ["strategy", strategy],
    ["model", model ? element("span", { dir: "auto" }, model) : !usage?.calls && "not used"],
    ["model calls", usage?.calls + (usage?.cached ?? 0) > 0 && callsText(usage, calls ?? [])],
    ["index", index && element("code", {}, String(index))],
    ["trace", id && traceLinks(result)],
  ].filter(([, value]) => value);
  return element("div", {}, element("h3", {}, "Run"),
    element("dl", { class: "facts" }, facts.map(([name, value]) => [element("dt", {}, name), element("dd", { dir: "auto" }, value)])));
}

/** What the language model cost; replies that were kept from earlier cost nothing. */
function callsText({ calls, cached, prompt_tokens: read = 0, completion_tokens: written = 0, seconds }, made) {
  const failed = made.filter(({ failure }) => failure).length;
  return [
    `${calls} made`,
    failed > 0 && `${failed} failed`,
    cached > 0 && `${cached} known from before`,
    plural(read + written, "token"),
    seconds != null && duration(seconds * 1000),
  ].filter(Boolean).join(", ");
}

function traceLinks(result) {
  const safe = encodeURIComponent(result.id);
  const json = element("a", { href: `traces/${safe}` }, "JSON");
  json.addEventListener("click", (event) => {
    // A browser that follows a link sends no key: what is here already is shown instead.
    if (!hasKey()) return;
    event.preventDefault();
    const shown = new Blob([JSON.stringify(result, null, 2)], { type: "application/json" });
    location.assign(URL.createObjectURL(shown));
  });
  return [element("a", { href: `?trace=${safe}` }, "permalink"), " · ", json];
}
