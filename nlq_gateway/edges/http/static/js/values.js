/** Values as people read them: labels before IRIs, links, yes and no, numbers with their units. */

import { writeAddress } from "./address.js";
import { chosenDataset } from "./datasets.js";
import { clipped, element, localName, viewLink } from "./dom.js";
import { pictureOf } from "./pictures.js";
import { locale, number, say } from "./strings.js";

const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?: \D.*)?$/i;

const WHOLE = /^[+-]?\d+(?:\.\d+)?$/;
const PLACE = /^(?:<[^>]*> ?)?POINT ?\((-?\d+(?:\.\d+)?) (-?\d+(?:\.\d+)?)\)$/i;
const DAY = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d)?$/;
const VERDICTS = { yes: "yes", true: "yes", no: "no", false: "no" };
const XSD_DATE = "http://www.w3.org/2001/XMLSchema#date";
const TIMES = new Set([XSD_DATE, `${XSD_DATE}Time`]);
// Units that have one meaning, by the names that graphs have for them.
const UNITS = new Map(Intl.supportedValuesOf("unit").filter((unit) => !/degree|pound|stone|point|ounce|gallon/.test(unit))
  .flatMap((unit) => [unit, unit.replace(/(met|lit)er$/, "$1re")].map((name) => [name, unit])));
const DAYS = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" });
const MOMENTS = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "medium", timeZone: "UTC" });

/** What a person reads for a value, as the gateway writes it. */
export function valueText({ value, label, type, unit, qualifier }) {
  if (type === "iri") return label || localName(String(value));
  return [(label || String(value)).trim(), unit, qualifier && `(${qualifier})`].filter(Boolean).join(" ");
}

/** The same with verdicts, numbers, days and places as the page's language writes them. */
export function shownText(value) {
  const { value: stated, type, datatype, unit, qualifier } = value;
  if (type === "number" && WHOLE.test(stated)) return valueText({ value: measured(stated, unit), qualifier });
  if (type === "boolean" && VERDICTS[stated]) return say(VERDICTS[stated]);
  if (TIMES.has(datatype) && DAY.test(stated)) return dayText(stated);
  return placeText(value) ?? valueText(value);
}

/** A day, with the time of day if it is stated. */
function dayText(stated) {
  const [day, clock] = stated.split("T");
  return (clock ? MOMENTS : DAYS).format(new Date(`${day}T${clock ?? "00:00:00"}Z`));
}

/** A number with its unit in the page's language where the browser knows the unit: "126 minutes"; else as the graph has it. */
function measured(stated, unit) {
  const known = UNITS.get(unit?.toLowerCase());
  return known ? new Intl.NumberFormat(locale, { style: "unit", unit: known, unitDisplay: "long", maximumFractionDigits: 20 }).format(stated)
    : [number(stated), unit].filter(Boolean).join(" ");
}

/** The degrees `{east, north}` of a point in WKT, which has the longitude first; null for anything else. */
export function placeOf({ value, type }) {
  const [, east, north] = (type === "literal" && PLACE.exec(value)) || [];
  return north && Math.abs(east) <= 180 && Math.abs(north) <= 90 ? { east: Number(east), north: Number(north) } : null;
}

/** "48.86° N, 2.35° E" for a point; undefined for anything else. */
function placeText(value) {
  const { east, north } = placeOf(value) ?? {};
  const degrees = (angle, [ahead, behind]) => `${number(Math.abs(angle))}° ${angle < 0 ? behind : ahead}`;
  return north === undefined ? undefined
    : `${degrees(north, say("compass.latitude"))}, ${degrees(east, say("compass.longitude"))}`;
}

/**
 * The value as a node: of a thing a link to what the graph has of it; with a picture where it is an image, as all values of
 * some properties are.
 */
export function valueView(value, isImage = false) {
  const text = shownText(value);
  const picture = value.type === "iri" || value.type === "literal" ? pictureOf(String(value.value), isImage) : null;
  const told = value.type === "iri" ? thingLink(String(value.value), text, { lang: value.lang })
    : element("span", { title: value.datatype, lang: value.lang, dir: "auto" }, clipped(text));
  return picture ? element("span", { class: "pictured" }, picture, told) : told;
}

/** Nodes in a row; numbers such as "2,240,000" are not parted by what is in them. */
export function joined(nodes) {
  const sign = nodes.some((node) => node.textContent?.includes(",")) ? "; " : ", ";
  return nodes.map((node, index) => [index > 0 && sign, node]);
}

/** A link to what the graph has of a thing or class. */
export function thingLink(iri, text, properties = {}) {
  return viewLink(writeAddress({ thing: iri, dataset: chosenDataset() }), clipped(text), { title: clipped(iri), ...properties });
}

/** A table's cell as a value; cells are texts, or values already. */
export function cellValue(cell) {
  return typeof cell === "object" && cell !== null ? cell : { value: cell, type: "literal" };
}

/** A table with values for the texts of cells that its `fields` tell more of: things, and numbers apart from their units. */
export function typed({ columns, rows, fields = [] }) {
  const cell = (text, { type, units, iris, amounts } = {}, row) => {
    if (isEmpty(text)) return text;
    if (iris?.[row]) return { value: iris[row], label: text, type: "iri" };
    const unit = units?.[row];
    if (type === "date") return { value: text, type: "literal", datatype: XSD_DATE };
    if (type !== "number") return text;
    return { value: unit ? text.slice(0, -unit.length - 1) : text, type, unit: unit ?? undefined, amount: amounts?.[row] };
  };
  return { columns: columns.map((name, column) => unnumbered(columnName(String(name), fields[column]), columns)), rows: rows.map((row, at) => row.map((text, column) => cell(text, fields[column], at))) };
}

/** A column's name without what is added to its attribute's for the kind of value: `heightValue`, and `bornYear` of days. */
function columnName(name, { type } = {}) {
  const ending = { number: "Value", date: "Year" }[type];
  return ending && name.endsWith(ending) && name.length > ending.length ? name.slice(0, -ending.length) : name;
}

/** `place2` without the number that tells it from another column's `place`, of which `placeCount` is left. */
function unnumbered(name, columns) {
  const stem = name.replace(/\d+$/, "");
  return stem !== name && columns.some((other) => String(other) !== name && String(other).startsWith(stem)) && !columns.includes(stem) ? stem : name;
}

/** The table with a name before the numbers that go with it. */
export function namesFirst({ columns, rows }) {
  const isNumeric = (column) => rows.length > 0 && rows.every((row) => isNumber(row[column]));
  const name = isNumeric(0) ? columns.findIndex((_, column) => !isNumeric(column)) : 0;
  if (name <= 0) return { columns, rows };
  const moved = (cells) => [cells[name], ...cells.slice(0, name), ...cells.slice(name + 1)];
  return { columns: moved(columns), rows: rows.map(moved) };
}

/** A row's cells without a number, and those with one, which stand behind them: "Eastmoor (3)"; with `days` these, too. */
export function toldRow(row, days) {
  const counted = (cell) => !isEmpty(cell) && (isNumber(cell) || (days && cell.datatype === XSD_DATE));
  const names = row.filter((cell) => !counted(cell));
  return names.length > 0 ? [names, row.filter(counted)] : [row, []];
}

/** What a person reads in a cell. */
export function cellText(cell) {
  return isEmpty(cell) ? "" : valueText(cellValue(cell));
}

/** Whether a cell has nothing. */
export function isEmpty(cell) {
  return cell === null || cell === undefined || cell === "";
}

/** Whether a cell is empty or a number, with or without a unit. */
export function isNumber(cell) {
  return isEmpty(cell) || cellValue(cell).type === "number" || NUMBER.test(cellText(cell));
}

/** A cell's `{number, unit, amount}`: the amount compares with those of other units; null where it has no number. */
export function measureOf(cell) {
  if (isEmpty(cell) || !isNumber(cell)) return null;
  const [number, ...unit] = cellText(cell).split(" ");
  return { number: Number(number), unit: unit.join(" "), amount: cell.amount ?? Number(number) };
}

/** A column is named after its variable: `totalArea` is read as "total area". */
export function words(name) {
  return clipped(name).replace(/(\p{Ll})(\p{Lu})/gu, (_, end, start) => `${end} ${start.toLowerCase()}`);
}
