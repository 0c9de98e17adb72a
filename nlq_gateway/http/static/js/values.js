/** Values as people read them: labels before IRIs, links, yes and no, numbers with their units. */

import { clipped, element, iriLink, localName } from "./dom.js";

const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?: \D.*)?$/i;

/** What a person reads for a value. */
export function valueText({ value, label, type, unit }) {
  if (type === "boolean") return { true: "Yes", false: "No" }[String(value)] ?? String(value);
  if (type === "iri") return label || localName(String(value));
  return [label || String(value), unit].filter(Boolean).join(" ");
}

/** The value as a node: a link where it is an IRI with an address. */
export function valueView(value) {
  const text = valueText(value);
  if (value.type === "iri") return iriLink(String(value.value), text, value.lang);
  return element("span", { title: value.datatype, lang: value.lang, dir: "auto" }, clipped(text));
}

/** A table's cell as a value; cells are texts, or values already. */
export function cellValue(cell) {
  return typeof cell === "object" && cell !== null ? cell : { value: cell, type: "literal" };
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

/** A cell's `{number, unit}`; null where it has no number. */
export function measureOf(cell) {
  if (isEmpty(cell) || !isNumber(cell)) return null;
  const [number, ...unit] = cellText(cell).split(" ");
  return { number: Number(number), unit: unit.join(" ") };
}

/** A column is named after its variable: `totalArea` is read as "total area". */
export function words(name) {
  return clipped(name).replace(/(\p{Ll})(\p{Lu})/gu, (_, end, start) => `${end} ${start.toLowerCase()}`);
}
