/** A chart, where a table suits one: a number for each name as bars, a number for each date or year as a line. */

import { element, svgElement } from "./dom.js";
import { locale, number as written, say } from "./strings.js";
import { cellText, isEmpty, isNumber, measureOf, words } from "./values.js";

const MOST_BARS = 15;
const DATE = /^-?\d{4}(?:-\d\d(?:-\d\d)?)?$/;
const NAMED_TIME = /year|date|time|since|until|start|end|born|inception|founded|publi/i;
const COMPACT = new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 });

/** `{kind: "bars"|"line", label, measure, unit, points: [{label, number}]}`; null where no chart suits. */
export function chartOf({ columns = [], rows = [] } = {}) {
  if (rows.length < 2) return null;
  const cells = (column) => rows.map((row) => row[column]);
  const timed = columns.findIndex((name, column) => isTime(name, cells(column)));
  const measure = columns.findIndex((_, column) => column !== timed && isMeasure(cells(column)));
  const named = columns.findIndex((_, column) => column !== timed && isName(cells(column)));
  if (measure < 0) return null;
  const pointsOf = (column) => rows.map((row) => ({ label: cellText(row[column]), ...measureOf(row[measure]) }));
  const titled = (column) => ({
    label: words(String(columns[column])), measure: words(String(columns[measure])), unit: measureOf(rows[0][measure]).unit,
  });
  if (named >= 0) return barsOf(titled(named), pointsOf(named));
  return timed >= 0 && columns.length === 2 ? lineOf(titled(timed), pointsOf(timed)) : null;
}

/** The chart as a figure that says in words what it shows. */
export function chartView(chart) {
  const { kind, measure, label, unit, points, all } = chart;
  const named = { measure: unit ? `${measure} (${unit})` : measure, label, shown: points.length, all };
  const title = say(all > points.length ? "chart.title.largest" : "chart.title", named);
  return element("figure", { class: "chart", "data-kind": kind },
    element("figcaption", { dir: "auto" }, title), VIEWS[kind](chart, `${title}. ${inWords(points)}`));
}

const VIEWS = { bars: barsView, line: lineView };

/** All in one unit, and not one number for all. */
function isMeasure(cells) {
  const measures = cells.map(measureOf);
  return measures.every((one) => one && Number.isFinite(one.number) && one.unit === measures[0].unit);
}

/** Each name once, so that it can stand for its row. */
function isName(cells) {
  const texts = cells.map(cellText);
  return !cells.some(isEmpty) && !cells.every(isNumber) && new Set(texts).size === texts.length;
}

function isTime(name, cells) {
  const texts = cells.map(cellText);
  if (!texts.every((text) => DATE.test(text)) || new Set(texts).size !== texts.length) return false;
  return NAMED_TIME.test(name) || texts.some((text) => text.includes("-", 1));
}

function barsOf(titles, points) {
  if (points.some(({ number }) => number < 0)) return null;
  const largest = [...points].sort((one, other) => other.number - one.number).slice(0, MOST_BARS);
  return largest[0].number > 0 ? { kind: "bars", ...titles, points: largest, all: points.length } : null;
}

function lineOf(titles, points) {
  const ordered = points.map((point) => ({ ...point, at: timeOf(point.label) })).sort((one, other) => one.at - other.at);
  return ordered.length > 2 ? { kind: "line", ...titles, points: ordered, all: points.length } : null;
}

/** A date or year as a number of years. */
function timeOf(text) {
  const [, year, month = 1, day = 1] = /^(-?\d{4})(?:-(\d\d))?(?:-(\d\d))?$/.exec(text);
  return Number(year) + (Number(month) - 1) / 12 + (Number(day) - 1) / 366;
}

function inWords(points) {
  const [lowest, highest] = rangeOf(points);
  return say("chart.range", {
    highest: highest.label, most: highest.number, lowest: lowest.label, least: lowest.number,
  });
}

/** The lowest and the highest point. */
function rangeOf(points) {
  const ordered = [...points].sort((one, other) => one.number - other.number);
  return [ordered[0], ordered.at(-1)];
}

function barsView({ points }, description) {
  const top = points[0].number;
  return element("div", { class: "chart-bars", role: "img", "aria-label": description }, points.map(({ label, number }) => [
    element("span", { class: "chart-name", dir: "auto", title: label.slice(0, 400) }, label.slice(0, 120)),
    svgElement("svg", { class: "chart-bar", "aria-hidden": "true" },
      svgElement("rect", { width: `${(100 * number) / top}%`, height: "100%", rx: "3" })),
    element("span", { class: "chart-number" }, written(number)),
  ]));
}

function lineView({ points }, description) {
  const [lowest, highest] = rangeOf(points);
  const floor = lowest.number > 0 && lowest.number < highest.number / 2 ? 0 : lowest.number;
  const [first, last] = [points[0], points.at(-1)];
  const x = ({ at }) => (100 * (at - first.at)) / (last.at - first.at || 1);
  const y = ({ number }) => 100 - (100 * (number - floor)) / (highest.number - floor || 1);
  const places = points.map((point) => `${x(point).toFixed(2)},${y(point).toFixed(2)}`);
  return element("div", { class: "chart-line", role: "img", "aria-label": description },
    element("span", { class: "chart-top" }, COMPACT.format(highest.number)),
    element("span", { class: "chart-floor" }, COMPACT.format(floor)),
    svgElement("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" },
      svgElement("polyline", { points: places.join(" ") }),
      places.map((place) => svgElement("path", { d: `M${place}h0` }))),
    element("span", { class: "chart-first" }, first.label), element("span", { class: "chart-last" }, last.label));
}
