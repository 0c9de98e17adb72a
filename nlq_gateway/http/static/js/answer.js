/** The answer itself: headline, values or table, and what the gateway thinks of it. */

import { askedView } from "./asked.js";
import { chartOf, chartView } from "./chart.js";
import { clipped, element, growing, localName } from "./dom.js";
import { explainView } from "./explain.js";
import { feedbackView } from "./feedback.js";
import { shareView } from "./share.js";
import { duration, percent, say, sayNodes } from "./strings.js";
import { takeAwayView } from "./takeaway.js";
import { tableView } from "./table.js";
import { alternativesOf } from "./terms.js";
import { namesFirst, typed, valueText, valueView } from "./values.js";

const GIVEN = "given";
const NAMES = new Set(["What", "QueryName"]);
// What asks for one thing, and gives all that are equal.
const FOR_ONE = new Set(["SelectAmong", "SelectBetween"]);

/** One sentence for people who hear the page. */
export function spokenAnswer({ status, answer, confidence, strategy }) {
  const values = answer?.values ?? [];
  return [
    say(`status.${status}`),
    clipped(answer?.text || valueText(values[0] ?? { value: "" })),
    values.length > 1 && say("answer.values", { count: values.length }),
    surely({ status, confidence, strategy }),
  ].filter(Boolean).join(". ");
}

/**
 * How sure the answer is; where it was kept back, the reading that it would have come from. A program that a reader
 * gave has no figure: it was run as it is, and may still be the wrong one.
 */
function surely({ status, confidence, strategy }) {
  const score = confidence?.score;
  if (typeof score !== "number" || strategy === GIVEN) return "";
  if (status !== "unanswerable") return say("answer.sure", { share: percent(score) });
  return score > 0 ? say("answer.closest", { share: percent(score) }) : "";
}

/** The answer's card. `actions` are what the page does when something is chosen (see page.js). */
export function answerView(result, actions) {
  return element("article", { class: `card answer ${result.status}` },
    statusLine(result, actions.origin && say("answer.edited")),
    askedView(result),
    headline(result),
    tieView(result),
    result.reading && element("p", { class: "note read-as" }, sayNodes("answer.reading", { reading: element("q", { lang: "en", dir: "auto" }, clipped(result.reading)) })),
    valuesView(result),
    result.truncated && element("p", { class: "note" }, say("answer.truncated")),
    explainView(result, actions),
    result.status === "ambiguous" && readings(result.bindings ?? [], actions.pin),
    element("div", { class: "answer-foot" }, feedbackView(result, actions),
      element("div", { class: "buttons taking" }, takeAwayView(result), shareView(result))));
}

function statusLine(result, edited) {
  const { status, dataset, timings_ms: timings } = result;
  const sure = surely(result);
  return element("p", { class: "status-line" },
    element("span", { class: "status" }, say(`status.${status}`)),
    sure && element("span", { class: "confidence" }, sure),
    element("span", { class: "note" }, [edited, dataset, timings?.total != null && duration(timings.total)]
      .filter(Boolean).join(" · ")));
}

/** That several things are equal, where one was asked for. */
function tieView({ program, answer }) {
  const [last] = (program?.steps ?? []).filter((step) => !NAMES.has(step.function)).slice(-1);
  const values = answer?.values ?? [];
  return FOR_ONE.has(last?.function) && values.length > 1 && element("p", { class: "note" }, say("answer.tie", { count: values.length }));
}

/** The answer in words; where these are the values and nothing more, the values themselves with their links. */
function headline({ answer, table, question, status }) {
  const values = answer?.values ?? [];
  const text = answer?.text || (values.length === 1 ? valueText(values[0]) : "");
  const size = text.length > 40 || table?.columns?.length > 1 ? "long" : "short";
  return element("h2", { class: `headline ${size}`, tabindex: "-1", "data-focus": true, dir: "auto" },
    isSaid(answer) ? values.map((value, index) => [index > 0 && ", ", valueView(value)])
      : clipped(text) || (status === "answered" ? question : say(`status.${status}`)));
}

/** Whether the answer in words says every value, and nothing else. */
function isSaid({ text, values = [] } = {}) {
  if (values.length === 0) return false;
  return text ? text === values.map(valueText).join(", ") : values.length === 1;
}

/** Nothing more where the headline has said it all, a list of values, or a table with its chart. */
function valuesView({ answer, table }) {
  const values = answer?.values ?? [];
  const rows = table?.rows?.length ?? 0;
  const repeats = rows > values.length && values.length > 0;
  if (rows > 0 && (table.columns.length > 1 || repeats)) return rowsView(table, values);
  if (values.length === 0 || isSaid(answer)) return null;
  return growing(element("ul", { class: "values" }), values, (value) => element("li", {}, valueView(value)));
}

function rowsView(texts, values) {
  const table = namesFirst(typed(texts));
  const chart = chartOf(table);
  return element("div", { class: chart ? "rows with-chart" : "rows" },
    element("div", { class: "rows-table" }, tableView(table, linksOf(values))), chart && chartView(chart));
}

/** The things that the answer names, by label, where a label stands for one thing only: for tables that do not tell it. */
function linksOf(values) {
  const things = values.filter(({ type, label }) => type === "iri" && label);
  const shared = new Set(things.map(({ label }) => label).filter((label, index, all) => all.indexOf(label) !== index));
  return new Map(things.filter(({ label }) => !shared.has(label)).map((value) => [value.label, value]));
}

function readings(bindings, onPin) {
  const open = bindings.filter(({ alternatives }) => alternatives?.length);
  return open.map((binding) => element("div", { class: "reading" },
    element("p", {}, sayNodes("answer.taken", {
      mention: element("q", { dir: "auto" }, clipped(binding.mention)),
      name: element("strong", { title: binding.iri, dir: "auto" }, clipped(binding.label || localName(binding.iri))),
    })),
    alternativesOf(binding, onPin)));
}
