/** A whole response, from the answer down to the run's figures. */

import { hasKey } from "./access.js";
import { answerView } from "./answer.js";
import { behind } from "./developer.js";
import { button, clipped, element } from "./dom.js";
import { joinLights } from "./lighting.js";
import { programView } from "./program.js";
import { programEditor } from "./program_editor.js";
import { queryView } from "./query.js";
import { sparqlLines } from "./sparql.js";
import { storyView } from "./story.js";
import { duration, percent, say } from "./strings.js";

// Of an ambiguous name the answer has the other meanings, to choose from.
const CHOSEN = "ambiguous-name";

/** The nodes that show a response of `/nlq` or `/run`; `actions` are what the page does when something is chosen. */
export function resultView(result, actions) {
  return [
    answerView(result, actions),
    warningsView((result.warnings ?? []).filter(({ code }) => code !== CHOSEN || result.status !== "ambiguous")),
    howView(result, actions, [storyView(result), runView(result)]),
  ].filter(Boolean);
}

/** All that people need not see who want the answer, folded up; null where there is nothing yet. */
export function howView(result, actions, more = []) {
  const title = say(result.status === "unanswerable" ? "how.closest" : "how");
  const parts = [explanationView(result, actions), more].flat().filter(Boolean);
  return parts.length > 0 && behind(title, parts);
}

/** The program's steps and the SPARQL side by side; either may be missing after a failure. */
export function explanationView(result, actions) {
  const lines = result.sparql?.text ? sparqlLines(result.sparql.text, result.sparql.source_map) : null;
  if (!result.program?.steps?.length) {
    return lines && element("div", { class: "explanation" }, queryView(result.sparql.text, lines, result.dataset));
  }
  const list = programView(result, actions.pin);
  joinLights(list.steps, lines ?? []);
  return element("div", { class: "explanation" },
    programCard(result, list.node, actions), lines && queryView(result.sparql.text, lines, result.dataset));
}

/** The steps, with an editor that takes their place. */
function programCard({ program, dataset }, steps, { run }) {
  const edit = button(say("edit"), () => {
    edit.hidden = true;
    const editor = programEditor(program.text, { dataset, onRun: run, onClose: () => {
      editor.replaceWith(steps);
      edit.hidden = false;
      edit.focus();
    } });
    steps.replaceWith(editor);
  }, { class: "quiet", title: say("program.edit") });
  return element("section", { class: "card program" },
    element("div", { class: "card-head" }, element("h3", {}, say("program")), run && edit), steps);
}

function warningsView(warnings) {
  return warnings.length > 0 && element("ul", { class: "warnings", "aria-label": say("warnings") },
    warnings.map(({ code, message }) => element("li", { dir: "auto" }, clipped(message), " ", element("code", {}, code))));
}

function runView(result) {
  return element("details", { class: "about-run" }, element("summary", {}, say("run")), element("div", { class: "run" },
    figuresView(say("run.confidence"), result.confidence?.parts ?? {}, percent),
    figuresView(say("run.time"), result.timings_ms ?? {}, duration),
    factsView(result)));
}

function figuresView(title, parts, format) {
  const entries = Object.entries(parts).filter(([, value]) => typeof value === "number");
  return entries.length > 0 && element("div", {}, element("h3", {}, title),
    element("dl", {}, entries.map(([name, value]) => [element("dt", {}, name.replaceAll("_", " ")), element("dd", {}, format(value))])));
}

function factsView(result) {
  const { id, strategy, model, model_calls: calls, usage, index_version: index } = result;
  const facts = [
    [say("run.strategy"), strategy],
    [say("run.model"), model ? element("span", { dir: "auto" }, model) : !usage?.calls && say("run.model.none")],
    [say("run.calls"), usage?.calls + (usage?.cached ?? 0) > 0 && callsText(usage, calls ?? [])],
    [say("run.index"), index && element("code", {}, String(index))],
    [say("run.trace"), id && traceLinks(result)],
  ].filter(([, value]) => value);
  return element("div", {}, element("h3", {}, say("run.title")),
    element("dl", { class: "facts" }, facts.map(([name, value]) => [element("dt", {}, name), element("dd", { dir: "auto" }, value)])));
}

/** What the language model cost; replies that were kept from earlier cost nothing. */
function callsText({ calls, cached, prompt_tokens: read = 0, completion_tokens: written = 0, seconds }, made) {
  const failed = made.filter(({ failure }) => failure).length;
  return [
    say("run.calls.made", { count: calls }),
    failed > 0 && say("run.calls.failed", { count: failed }),
    cached > 0 && say("run.calls.cached", { count: cached }),
    say("tokens", { count: read + written }),
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
  return [element("a", { href: `?trace=${safe}` }, say("run.permalink")), " · ", json];
}
