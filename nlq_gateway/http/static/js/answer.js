/** The answer itself: headline, values or table, and what the gateway thinks of it. */

import { bar, duration, element, growing, iriLink, localName, percent, plural } from "./dom.js";
import { alternativesOf } from "./program.js";

const STATUS = {
  answered: "Answered",
  empty: "Nothing found",
  ambiguous: "More than one reading",
  unanswerable: "Not answerable here",
};

const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?: \D.*)?$/i;

/** What a person reads for a value: the label before the IRI, yes/no, the number with its unit. */
export function valueText({ value, label, type, unit }) {
  if (type === "boolean") return { true: "Yes", false: "No" }[String(value)] ?? String(value);
  if (type === "iri") return label || localName(String(value));
  return [label || String(value), unit].filter(Boolean).join(" ");
}

/** One sentence for people who hear the page. */
export function spokenAnswer({ status, answer, confidence }) {
  const values = answer?.values ?? [];
  return [
    STATUS[status] ?? status,
    answer?.text || valueText(values[0] ?? { value: "" }),
    values.length > 1 && plural(values.length, "value"),
    surely(status, confidence?.score),
  ].filter(Boolean).join(". ");
}

/** How sure the answer is; where it was kept back, the reading that it would have come from. */
function surely(status, score) {
  if (typeof score !== "number") return "";
  if (status !== "unanswerable") return `${percent(score)} sure`;
  return score > 0 ? `Closest reading ${percent(score)} sure` : "";
}

/** The answer's card. `onPin` is called with the pin of an alternative that was chosen. */
export function answerView(result, onPin) {
  return element("article", { class: `card answer ${result.status}` },
    statusLine(result),
    headline(result),
    result.reading && element("p", { class: "note reading" }, "Read as: ", element("q", { lang: "en" }, result.reading)),
    valuesView(result),
    result.truncated && element("p", { class: "note" }, "The list is cut off at the row limit; there is more."),
    result.diagnosis && diagnosisView(result.diagnosis),
    result.status === "ambiguous" && readings(result.bindings ?? [], onPin));
}

function statusLine({ status, dataset, confidence, timings_ms: timings }) {
  const score = confidence?.score;
  const sure = surely(status, score);
  return element("p", { class: "status-line" },
    element("span", { class: "status" }, STATUS[status] ?? status),
    sure && element("span", { class: "confidence" }, sure, bar(score)),
    element("span", { class: "note" }, [dataset, timings?.total != null && duration(timings.total)]
      .filter(Boolean).join(" · ")));
}

function headline({ answer, question, status }) {
  const [only, ...others] = answer?.values ?? [];
  const single = only !== undefined && others.length === 0;
  const text = answer?.text || (single ? valueText(only) : "");
  const repeats = single && text === valueText(only);
  const size = text.length > 40 ? "long" : "short";
  return element("h2", { class: `headline ${size}`, tabindex: "-1", "data-focus": true, dir: "auto" },
    repeats ? valueView(only) : text || (status === "answered" ? question : STATUS[status] ?? status));
}

function valueView(value) {
  const text = valueText(value);
  if (value.type === "iri") return iriLink(String(value.value), text, value.lang);
  return element("span", { title: value.datatype, lang: value.lang, dir: "auto" }, text);
}

function valuesView({ answer, table }) {
  const values = answer?.values ?? [];
  const rows = table?.rows?.length ?? 0;
  const repeats = rows > values.length && values.length > 0;
  if (rows > 0 && (table.columns.length > 1 || repeats)) return tableView(table);
  const repeated = values.length === 1 && (!answer.text || answer.text === valueText(values[0]));
  if (values.length === 0 || repeated) return null;
  return growing(element("ul", { class: "values" }), values, (value) => element("li", {}, valueView(value)));
}

function tableView({ columns, rows }) {
  const numeric = columns.map((_, column) => rows.every((row) => isNumber(row[column])));
  const head = columns.map((name, column) =>
    element("th", { scope: "col", dir: "auto", class: numeric[column] && "number" }, words(String(name))));
  const body = element("tbody");
  const grown = growing(body, rows, (row) =>
    element("tr", {}, row.map((cell, column) => cellView(cell, numeric[column]))));
  const table = element("table", {}, element("thead", {}, element("tr", {}, head)), body);
  const box = element("div", { class: "table", tabindex: "0", role: "region", "aria-label": "Rows" }, table);
  return [box, ...grown.slice(1)];
}

/** A column is named after its variable: `totalArea` is read as "total area". */
function words(name) {
  return name.replace(/(\p{Ll})(\p{Lu})/gu, (_, end, start) => `${end} ${start.toLowerCase()}`);
}

/** Whether a cell is empty or a number, with or without a unit. */
function isNumber(cell) {
  if (isEmpty(cell)) return true;
  return typeof cell === "object" ? cell.type === "number" : NUMBER.test(String(cell));
}

function isEmpty(cell) {
  return cell === null || cell === undefined || cell === "";
}

function cellView(cell, numeric) {
  if (isEmpty(cell)) return element("td", { class: numeric ? "note number" : "note" }, "–");
  return element("td", { class: numeric && "number" }, valueView(typeof cell === "object" ? cell : { value: cell, type: "literal" }));
}

function diagnosisView(diagnosis) {
  const { message, detail, hint, step } = typeof diagnosis === "string" ? { message: diagnosis } : diagnosis;
  return element("div", { class: "diagnosis" },
    element("p", {}, message ?? detail ?? (step != null && `Step ${step} leaves nothing.`)),
    hint && element("p", { class: "note" }, hint));
}

function readings(bindings, onPin) {
  const open = bindings.filter(({ alternatives }) => alternatives?.length);
  return open.map((binding) => element("div", { class: "reading" },
    element("p", {}, "Taken here: ", element("q", {}, binding.mention), " is ",
      element("strong", { title: binding.iri, dir: "auto" }, binding.label || localName(binding.iri)),
      ". Did you mean another?"),
    alternativesOf(binding, onPin)));
}
