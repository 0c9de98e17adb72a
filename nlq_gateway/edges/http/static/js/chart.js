/**
 * A chart, where a table suits one: a number for each name as bars, a number for each date or year as a line, a date or
 * year for each name as marks along a time line, points as a map.
 */

import { element, svgElement } from "./dom.js";
import { mapView } from "./map.js";
import { listed, locale, number as written, say } from "./strings.js";
import { cellText, cellValue, isEmpty, isNumber, measureOf, placeOf, shownText, words } from "./values.js";

const MOST_BARS = 15;
const MOST_TIMES = 40;
const DATE = /^-?\d{4}(?:-\d\d(?:-\d\d)?)?$/;
const NAMED_TIME = /year|date|time|since|until|start|end|born|inception|founded|publi/i;
const COMPACT = new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 });

/** `{kind: "bars"|"line"|"times"|"map", label, measure, unit, points: [{label, amount, told}]}`; null where no chart suits. */
export function chartOf({ columns = [], rows = [] } = {}) {
  if (rows.length < 2) return null;
  const cells = (column) => rows.map((row) => row[column]);
  const timed = columns.findIndex((name, column) => isTime(name, cells(column).map(cellText)));
  const placed = columns.findIndex((_, column) => cells(column).every((cell) => placeOf(cellValue(cell))));
  const measure = columns.findIndex((_, column) => column !== timed && isMeasure(cells(column)));
  const named = columns.findIndex((_, column) => column !== timed && column !== placed && isName(cells(column)));
  if (placed >= 0) return placesOf(cells(placed), named < 0 ? [] : cells(named), columns[placed], columns[named]);
  if (measure < 0) return timed >= 0 && columns.length === 2 && isOfTexts(cells(1 - timed)) ? timesOf(columns, rows, 1 - timed, timed) : null;
  const units = new Set(cells(measure).map((cell) => measureOf(cell).unit));
  const [unit] = units.size === 1 ? units : [""];
  const toldOf = (cell) => (units.size === 1 ? written(measureOf(cell).number) : shownText(cellValue(cell)));
  const pointsOf = (column) => rows.map((row) => ({
    label: cellText(row[column]), amount: measureOf(row[measure]).amount, told: toldOf(row[measure]),
  }));
  const titled = (column) => ({ label: words(String(columns[column])), measure: words(String(columns[measure])), unit, column: measure });
  if (named >= 0) return barsOf(titled(named), pointsOf(named));
  return timed >= 0 && columns.length === 2 && areDistinct(cells(timed)) ? lineOf(titled(timed), pointsOf(timed)) : null;
}

/** The chart as a figure that says in words what it shows. */
export function chartView(chart) {
  const { kind, measure, label, unit, points, all } = chart;
  const named = { measure: unit ? `${measure} (${unit})` : measure, label, shown: points.length, all };
  const title = !label ? measure : say(all > points.length ? "chart.title.largest" : "chart.title", named);
  return element("figure", { class: "chart", "data-kind": kind },
    title && element("figcaption", { dir: "auto" }, title), VIEWS[kind](chart, `${title}. ${WORDS[kind](points)}`));
}

const VIEWS = { bars: barsView, line: lineView, times: timesView, map: ({ points }, title) => mapView(points, title) };

const WORDS = { bars: inWords, line: inWords, times: inWords, map: (points) => listed(points.slice(0, MOST_TIMES).map(({ label }) => label)) };

/** A map of points, with the names that go with them or what they are themselves. */
export function placesOf(cells, names = [], measure = "", label = "") {
  const points = cells.map((cell, at) => ({ label: cellText(names[at]) || shownText(cellValue(cell)), ...placeOf(cellValue(cell)) }));
  return { kind: "map", label: words(String(label)), measure: words(String(measure)), unit: "", points, all: points.length };
}

/** All numbers, in one unit or in such as the gateway has converted. */
function isMeasure(cells) {
  const measures = cells.map(measureOf);
  if (!measures.every((one) => one && Number.isFinite(one.amount))) return false;
  return cells.every((cell) => typeof cell?.amount === "number") || measures.every(({ unit }) => unit === measures[0].unit);
}

/** Each name once, so that it can stand for its row. */
function isName(cells) {
  return isOfTexts(cells) && areDistinct(cells);
}

function isOfTexts(cells) {
  return !cells.some(isEmpty) && !cells.every(isNumber);
}

function areDistinct(cells) {
  return new Set(cells.map(cellText)).size === cells.length;
}

function isTime(name, texts) {
  if (!texts.every((text) => DATE.test(text))) return false;
  return NAMED_TIME.test(name) || texts.some((text) => text.includes("-", 1));
}

function barsOf(titles, points) {
  if (points.some(({ amount }) => amount < 0)) return null;
  const largest = [...points].sort((one, other) => other.amount - one.amount).slice(0, MOST_BARS);
  const isTold = largest[0].amount > 0 && points.some(({ amount }) => amount < largest[0].amount);
  return isTold ? { kind: "bars", ...titles, points: largest, all: points.length } : null;
}

function lineOf(titles, points) {
  const ordered = points.map((point) => ({ ...point, at: timeOf(point.label) })).sort((one, other) => one.at - other.at);
  return ordered.length > 2 ? { kind: "line", ...titles, points: ordered, all: points.length } : null;
}

function timesOf(columns, rows, named, timed) {
  const points = rows.map((row) => ({
    label: cellText(row[named]), amount: timeOf(cellText(row[timed])), told: shownText(cellValue(row[timed])),
  })).sort((one, other) => one.amount - other.amount);
  if (points.length > MOST_TIMES) return null;
  return { kind: "times", label: words(String(columns[named])), measure: words(String(columns[timed])), unit: "", points, all: points.length };
}

/** A date or year as a number of years. */
function timeOf(text) {
  const [, year, month = 1, day = 1] = /^(-?\d{4})(?:-(\d\d))?(?:-(\d\d))?$/.exec(text);
  return Number(year) + (Number(month) - 1) / 12 + (Number(day) - 1) / 366;
}

function inWords(points) {
  const [lowest, highest] = rangeOf(points);
  return say("chart.range", {
    highest: highest.label, most: highest.told, lowest: lowest.label, least: lowest.told,
  });
}

/** The lowest and the highest point. */
function rangeOf(points) {
  const ordered = [...points].sort((one, other) => one.amount - other.amount);
  return [ordered[0], ordered.at(-1)];
}

function barsView({ points }, description) {
  const top = points[0].amount;
  return namedView(points, description, ({ amount }) =>
    svgElement("rect", { width: `${(100 * amount) / top}%`, height: "100%", rx: "3" }));
}

/** Marks from the earliest at the left to the latest at the right. */
function timesView({ points }, description) {
  const [first, last] = [points[0].amount, points.at(-1).amount];
  return namedView(points, description, ({ amount }) => [
    svgElement("rect", { class: "chart-track", y: "45%", width: "100%", height: "10%" }),
    svgElement("circle", { cx: `${2 + (96 * (amount - first)) / (last - first || 1)}%`, cy: "50%", r: "5" }),
  ]);
}

/** A line for each point: its name, what is drawn of it, and its number or time. */
function namedView(points, description, drawn) {
  return element("div", { class: "chart-bars", role: "img", "aria-label": description }, points.map((point) => [
    element("span", { class: "chart-name", dir: "auto", title: point.label.slice(0, 400) }, point.label.slice(0, 120)),
    svgElement("svg", { class: "chart-bar", "aria-hidden": "true" }, drawn(point)),
    element("span", { class: "chart-number" }, point.told),
  ]));
}

function lineView({ points }, description) {
  const [lowest, highest] = rangeOf(points);
  const floor = lowest.amount > 0 && lowest.amount < highest.amount / 2 ? 0 : lowest.amount;
  const [first, last] = [points[0], points.at(-1)];
  const x = ({ at }) => (100 * (at - first.at)) / (last.at - first.at || 1);
  const y = ({ amount }) => 100 - (100 * (amount - floor)) / (highest.amount - floor || 1);
  const places = points.map((point) => `${x(point).toFixed(2)},${y(point).toFixed(2)}`);
  return element("div", { class: "chart-line", role: "img", "aria-label": description },
    element("span", { class: "chart-top" }, COMPACT.format(highest.amount)),
    element("span", { class: "chart-floor" }, COMPACT.format(floor)),
    svgElement("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" },
      svgElement("polyline", { points: places.join(" ") }),
      places.map((place) => svgElement("path", { d: `M${place}h0` }))),
    element("span", { class: "chart-first" }, first.label), element("span", { class: "chart-last" }, last.label));
}
