/** The answer itself: headline, values or table, and what the gateway thinks of it. */

import { askedView } from "./asked.js";
import { chartOf, chartView, placesOf } from "./chart.js";
import { button, clipped, element, growing, localName } from "./dom.js";
import { explainView } from "./explain.js";
import { feedbackView } from "./feedback.js";
import { isOfImages } from "./pictures.js";
import { shareView } from "./share.js";
import { duration, percent, say, sayNodes } from "./strings.js";
import { takeAwayView } from "./takeaway.js";
import { largestFirst, tableView } from "./table.js";
import { aboutView, alternativesOf, popping } from "./terms.js";
import { cellText, cellValue, joined, namesFirst, placeOf, toldRow, typed, valueText, valueView } from "./values.js";

const GIVEN = "given";
// As many as the gateway names in a sentence.
const MOST_SAID = 10;
// More rows are told by the table alone.
const MOST_ROWS = 5;
const NAMES = new Set(["What", "QueryName"]);
// What leads from things to other values.
const LEADING = new Set(["Relate", "QueryAttr"]);
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
    result.status !== "ambiguous" && meantView(result.bindings ?? [], actions.pin),
    readAs(result),
    possibleView(othersThanNames(result), result.reading_language ?? "en", actions.run),
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

/** The answer in words; where these are the values or rows and nothing more, these themselves with their links. */
function headline({ answer, table, question, status, ...result }) {
  const images = areImages(result);
  const values = answer?.values ?? [];
  const rows = rowsSaid(answer, table);
  const text = answer?.text || (values.length === 1 ? valueText(values[0]) : "");
  const size = text.length > 40 || table?.columns?.length > 1 ? "long" : "short";
  return element("h2", { class: `headline ${size}`, tabindex: "-1", "data-focus": true, dir: "auto" },
    isSaid(answer) ? joined(values.map((value) => valueView(value, images))) : rows && rows.length <= MOST_ROWS ? joined(rows.map(rowView))
      : rows ? say("step.count", { count: rows.length }) : saidShortly(text, values, table) || (status === "answered" ? question : say(`status.${status}`)));
}

/** A verdict as a sentence of its own; for a row of many values, which are listed below, how many there are. */
function saidShortly(text, values, table) {
  const isRow = values.length > MOST_SAID && text.startsWith(`${valueText(values[0])}, `);
  if (isRow && !(table?.columns?.length > 1)) return say("step.count", { count: values.length });
  return clipped(values[0]?.type === "boolean" ? text.charAt(0).toUpperCase() + text.slice(1) : text);
}

/** Whether the answer in words says every value, and nothing else. */
function isSaid({ text, values = [] } = {}) {
  if (values.length === 0) return false;
  return text ? text === values.map(valueText).join(", ") : values.length === 1;
}

/** The rows of a table, parted as `toldRow` does, where the answer in words says each and nothing else; else undefined. */
function rowsSaid({ text } = {}, table) {
  if (!text || !(table?.rows?.length > 0) || table.rows.length > MOST_SAID) return undefined;
  const textOf = (cells) => cells.map((cell) => cellText(cell) || "–").join(", ");
  const saidOf = ([names, numbers]) => (numbers.length > 0 ? `${textOf(names)} (${textOf(numbers)})` : textOf(names));
  const told = [false, true].map((days) => typed(table).rows.map((row) => toldRow(row, days)));
  return told.find((rows) => rows.map(saidOf).join(", ") === text);
}

function rowView([names, numbers]) {
  const nodes = (cells) => joined(cells.map((cell) => (cellText(cell) ? valueView(cellValue(cell)) : "–")));
  return [nodes(names), numbers.length > 0 && [" (", nodes(numbers), ")"]];
}

/** Nothing more where the headline has said it all, a list of values, or a table with its chart. */
function valuesView({ answer, table, ...result }) {
  const values = answer?.values ?? [];
  const rows = table?.rows?.length ?? 0;
  const repeats = rows > values.length && values.length > 0;
  if (rows === 1 && rowsSaid(answer, table)) return null;
  if (rows > 0 && (table.columns.length > 1 || repeats)) return rowsView(table, values);
  if (values.length > 0 && values.every(placeOf)) return chartView(placesOf(values));
  if (values.length === 0 || isSaid(answer) || (answer.text && values[0].type === "boolean")) return null;
  return growing(element("ul", { class: "values" }), values, (value) => element("li", {}, valueView(value, areImages(result))));
}

/** Whether all values are images, by the relation or attribute that they are of. */
function areImages({ program, bindings = [] }) {
  const last = (program?.steps ?? []).findLastIndex((step) => !NAMES.has(step.function)) + 1;
  return LEADING.has(program?.steps[last - 1]?.function) && bindings.some(({ step, iri }) => step === last && isOfImages(iri));
}

function rowsView(texts, values) {
  const named = namesFirst(typed(texts));
  const chart = chartOf(named);
  const table = chart?.kind === "bars" ? largestFirst(named, chart.column) : named;
  return element("div", { class: chart ? "rows with-chart" : "rows" },
    element("div", { class: "rows-table" }, tableView(table, linksOf(values))), chart && chartView(chart));
}

/** The things that the answer names, by label, where a label stands for one thing only: for tables that do not tell it. */
function linksOf(values) {
  const things = values.filter(({ type, label }) => type === "iri" && label);
  const shared = new Set(things.map(({ label }) => label).filter((label, index, all) => all.indexOf(label) !== index));
  return new Map(things.filter(({ label }) => !shared.has(label)).map((value) => [value.label, value]));
}

/** The question as it was understood; where that is only one of several to choose from, these say it. */
function readAs({ question, reading, reading_language: lang = "en", readings, status }) {
  if (!reading || (status === "unanswerable" && readings?.length) || lettersOf(reading) === lettersOf(question)) return null;
  return element("p", { class: "note read-as" },
    sayNodes("answer.reading", { reading: element("q", { lang, dir: "auto" }, clipped(reading)) }));
}

function lettersOf(text = "") {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** Readings that differ by more than what a name stands for, which is chosen as a name. */
function othersThanNames({ readings = [], status, bindings = [] }) {
  return status === "ambiguous" && bindings.some(({ alternatives }) => alternatives?.length) ? [] : readings;
}

/** Readings to choose from, each of which runs its program. */
function possibleView(readings, lang, onRun) {
  return readings.length > 0 && element("section", { class: "possible" }, element("h3", {}, say("answer.possible")),
    element("ul", {}, readings.map(({ reading, program }) => element("li", {},
      onRun ? button(clipped(reading), () => onRun(program), { class: "example", lang, dir: "auto" }) : clipped(reading)))));
}

/** Which thing is meant by a name that several bear, and the others. */
function meantView(bindings, onPin) {
  const shared = bindings.filter(({ kind, label, alternatives }) =>
    kind === "entity" && alternatives?.some((other) => other.label === label));
  return shared.map((binding) => element("p", { class: "note meant" },
    element("strong", { dir: "auto" }, clipped(binding.label)), binding.about && [", ", aboutView(binding)], "; ",
    popping(say("term.others", { count: binding.alternatives.length }), { class: "quiet" }, () => [alternativesOf(binding, onPin)])));
}

function readings(bindings, onPin) {
  const open = bindings.filter(({ alternatives }) => alternatives?.length);
  return open.map((binding) => element("div", { class: "reading" },
    element("p", {}, sayNodes("answer.taken", {
      mention: element("q", { dir: "auto" }, clipped(binding.mention)),
      name: [element("strong", { title: binding.iri, dir: "auto" }, clipped(binding.label || localName(binding.iri))),
        binding.about && [", ", aboutView(binding)]],
    })),
    alternativesOf(binding, onPin)));
}
