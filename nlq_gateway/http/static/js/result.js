/** A whole response, from the answer down to the run's figures. */

import { answerView } from "./answer.js";
import { bar, duration, element, percent, plural } from "./dom.js";
import { joinLights } from "./lighting.js";
import { programView } from "./program.js";
import { sparqlLines } from "./sparql.js";
import { storyView } from "./story.js";

/** The nodes that show a response of `/nlq`. `onPin` is called with the pin of a chosen alternative. */
export function resultView(result, onPin) {
  return [
    answerView(result, onPin),
    warningsView(result.warnings ?? []),
    explanationView(result, onPin, result.status === "unanswerable" ? "The reading that came closest" : undefined),
    storyView(result),
    runView(result),
  ].filter(Boolean);
}

/** Program and SPARQL side by side; either may be missing after a failure. */
export function explanationView(result, onPin, title = "How it was answered") {
  const program = result.program?.steps?.length ? programView(result, onPin) : null;
  const lines = result.sparql?.text ? sparqlLines(result.sparql.text, result.sparql.source_map) : null;
  if (!program && !lines) return null;
  if (program && lines) joinLights(program.steps, lines);
  return element("div", { class: "explanation" },
    program && element("section", { class: "card" }, element("h3", {}, title), program.node),
    lines && sparqlView(result.sparql.text, lines));
}

function sparqlView(text, lines) {
  const code = element("pre", { class: "sparql", tabindex: "0", role: "region", "aria-label": "SPARQL query" },
    element("code", {}, lines.map(({ node }) => node)));
  return element("section", { class: "card query" },
    element("div", { class: "card-head" }, element("h3", {}, "SPARQL"), copyButton(text, code)), code);
}

/** Copies where the browser lets it (secure contexts), selects the text where it does not. */
function copyButton(text, code) {
  const button = element("button", { type: "button", class: "quiet" }, "Copy");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(code);
      button.textContent = "Selected";
    }
  });
  return button;
}

function warningsView(warnings) {
  return warnings.length > 0 && element("ul", { class: "warnings", "aria-label": "Warnings" },
    warnings.map(({ code, message }) => element("li", {}, message, " ", element("code", {}, code))));
}

function runView(result) {
  return element("section", { class: "run", "aria-label": "About this run" },
    sharesView("Confidence", result.confidence?.parts ?? {}, percent, 1),
    sharesView("Time", result.timings_ms ?? {}, duration, result.timings_ms?.total),
    factsView(result));
}

function sharesView(title, parts, format, whole) {
  const entries = Object.entries(parts).filter(([, value]) => typeof value === "number");
  return entries.length > 0 && element("div", {}, element("h3", {}, title),
    element("dl", { class: "shares" }, entries.map(([name, value]) => [
      element("dt", {}, name.replaceAll("_", " ")),
      element("dd", {}, element("span", {}, format(value)), bar(whole ? value / whole : 0)),
    ])));
}

function factsView({ id, strategy, model, model_calls: calls, usage, index_version: index }) {
  const facts = [
    ["strategy", strategy],
    ["model", model ? element("span", { dir: "auto" }, model) : !usage?.calls && "not used"],
    ["model calls", usage?.calls + (usage?.cached ?? 0) > 0 && callsText(usage, calls ?? [])],
    ["index", index && element("code", {}, String(index))],
    ["trace", id && traceLinks(id)],
  ].filter(([, value]) => value);
  return element("div", {}, element("h3", {}, "Run"),
    element("dl", { class: "facts" }, facts.map(([name, value]) => [element("dt", {}, name), element("dd", {}, value)])));
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

function traceLinks(id) {
  const safe = encodeURIComponent(id);
  return [
    element("a", { href: `?trace=${safe}` }, "permalink"), " · ",
    element("a", { href: `traces/${safe}` }, "JSON"),
  ];
}
