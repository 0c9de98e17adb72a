/** The SPARQL: its lines, copied, edited and run, or opened in the store's own page. */

import { Problem, query } from "./api.js";
import { codeEditor } from "./code_editor.js";
import { otherPages } from "./datasets.js";
import { button, element } from "./dom.js";
import { explainedViews } from "./explained.js";
import { problemCard, spokenProblem } from "./problem.js";
import { resultsOf } from "./sparql_results.js";
import { walkLines } from "./sparql.js";
import { duration, say } from "./strings.js";
import { tableView } from "./table.js";
import { vocabularyOf } from "./vocabulary.js";

/** The card of a query whose lines were made by `sparqlLines`. */
export function queryView(text, lines, dataset) {
  const mapped = lines.some(({ steps }) => steps.size > 0);
  const code = element("pre", { class: "sparql", role: "region", "aria-label": say("query.label"), tabindex: mapped ? null : "0" },
    element("code", { role: "list", "aria-label": say("query.lines") }, lines.map(({ node }) => node)));
  walkLines(code);
  const card = element("section", { class: "card query", "aria-label": "SPARQL" });
  const edit = button(say("edit"), () => card.replaceWith(queryEditor(text, dataset, () => card)), { class: "quiet" });
  card.append(
    element("div", { class: "card-head" }, element("h3", {}, "SPARQL"),
      element("div", { class: "buttons" }, copyButton(() => text, code), edit, linksView(dataset, text))),
    code);
  return card;
}

/**
 * The same card with an editor in the lines' place; `original` gives the card to go back to. `onText` is called with the
 * text after every change.
 */
export function queryEditor(text, dataset, original, onText = () => {}) {
  const said = element("p", { class: "note", role: "status" });
  const rows = element("div", { class: "query-results" });
  let running = new AbortController();
  const links = element("span", { class: "buttons" }, linksView(dataset, text));
  let edited = text;
  const onChange = (now) => {
    edited = now;
    links.replaceChildren(...linksView(dataset, now));
    onText(now);
  };
  const doing = (views) => async function again() {
    running.abort();
    running = new AbortController();
    const { signal } = running;
    await showInto({ said, rows }, views(dataset, edited, signal), signal, again);
  };
  const onRun = doing(resultViews);
  const { host, issues, ready } = codeEditor({
    text, label: say("query.label"), language: "sparql", vocabulary: vocabularyOf(dataset), onChange, onRun,
  });
  ready.then((editor) => {
    editor.focus();
    if (!editor.format) format.remove();
  });
  const format = button(say("query.format"), async () => (await ready).format());
  const card = element("section", { class: "card query editing", "aria-label": "SPARQL" },
    element("div", { class: "card-head" }, element("h3", {}, "SPARQL"),
      element("div", { class: "buttons" }, copyButton(() => edited, host), links)),
    host, issues,
    element("div", { class: "buttons" },
      button(say("query.run"), onRun, { class: "primary" }),
      button(say("query.explain"), doing(explainedViews)),
      format,
      original && button(say("query.back"), () => card.replaceWith(original())),
      element("span", { class: "note" }, say("editor.keys"))),
    said, rows);
  return card;
}

/** Show what comes of a query: `said` says it in a few words, `rows` has the nodes. What is begun later takes its place. */
async function showInto({ said, rows }, views, signal, again) {
  said.textContent = say("query.running");
  rows.replaceChildren();
  try {
    const [summary, ...nodes] = await views;
    if (signal.aborted) return;
    said.textContent = summary;
    rows.replaceChildren(...nodes);
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof Problem)) throw error;
    said.textContent = spokenProblem(error.fields);
    rows.replaceChildren(problemCard(error.fields, again));
  }
}

/** What a query gives, after a few words of it. */
async function resultViews(dataset, text, signal) {
  const began = performance.now();
  const [summary, ...nodes] = answerView(await query(dataset, text, signal));
  return [`${summary}, ${duration(performance.now() - began)}`, ...nodes];
}

/** The answer in a few words, and the nodes that show it. */
function answerView(answer) {
  if (answer.graph !== undefined) return [say("query.graph"), element("pre", { class: "sparql", tabindex: "0" }, answer.graph)];
  if (answer.boolean !== undefined) {
    const verdict = say(answer.boolean ? "yes" : "no");
    return [verdict, element("p", { class: "headline short" }, verdict)];
  }
  const table = resultsOf(answer);
  return [say("query.rows", { count: table.rows.length }), ...(table.rows.length > 0 ? tableView(table) : [])];
}

/** Links that open the query elsewhere. */
function linksView(dataset, text) {
  return otherPages(dataset, text).map(([title, address]) =>
    element("a", { class: "quiet-link", href: address, target: "_blank", rel: "noopener noreferrer" }, title));
}

/** Copies where the browser lets it (secure contexts), selects the text where it does not. */
function copyButton(text, node) {
  const copy = button(say("copy"), async () => {
    try {
      await navigator.clipboard.writeText(text());
      copy.textContent = say("copied");
    } catch {
      getSelection().selectAllChildren(node);
      copy.textContent = say("copy.selected");
    }
  }, { class: "quiet" });
  return copy;
}
