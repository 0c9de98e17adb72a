/** Rows as a table. Pressing a column's name sorts by it, pressing again turns the order round. */

import { button, element, growing } from "./dom.js";
import { locale, say } from "./strings.js";
import { cellText, cellValue, isEmpty, isNumber, measureOf, valueView, words } from "./values.js";

const ORDER = new Intl.Collator(locale, { numeric: true, sensitivity: "base" });
const NEXT = { none: "ascending", ascending: "descending", descending: "none" };

/**
 * The table's nodes: a box that scrolls, and a button for more rows where there are many.
 * `links` has values for the texts of cells that are names of things.
 */
export function tableView({ columns, rows }, links = new Map()) {
  const numeric = columns.map((_, column) => rows.every((row) => isNumber(row[column])));
  const heads = columns.map((name, column) => headView(words(String(name)), numeric[column], (direction) => {
    for (const other of heads) if (other !== heads[column]) other.setAttribute("aria-sort", "none");
    fill(direction === "none" ? rows : sorted(rows, column, direction));
  }));
  const body = element("tbody");
  const more = element("div", { class: "more" });
  const fill = (ordered) => {
    body.replaceChildren();
    const [, ...rest] = growing(body, ordered, (row) => element("tr", {},
      row.map((cell, column) => cellView(cell, numeric[column], links))));
    more.replaceChildren(...rest);
  };
  fill(rows);
  const table = element("table", {}, element("thead", {}, element("tr", {}, heads)), body);
  return [element("div", { class: "table", tabindex: "0", role: "region", "aria-label": say("table.rows") }, table), more];
}

function headView(name, numeric, onSort) {
  const head = element("th", { scope: "col", "aria-sort": "none", class: numeric && "number" },
    button(element("span", { dir: "auto" }, name), () => {
      const direction = NEXT[head.getAttribute("aria-sort")];
      head.setAttribute("aria-sort", direction);
      onSort(direction);
    }, { class: "sort", title: say("table.sort") }));
  return head;
}

/** The table with its rows by a column's numbers, the largest first, unless they are in an order of numbers already. */
export function largestFirst({ columns, rows }, column) {
  const ordered = ["ascending", "descending"].map((direction) => sorted(rows, column, direction));
  const isOrdered = ordered.some((one) => one.every((row, at) => compared(row[column], rows[at][column]) === 0));
  return { columns, rows: isOrdered ? rows : ordered[1] };
}

/** The rows in the order of a column; empty cells come last either way. */
function sorted(rows, column, direction) {
  const sign = direction === "ascending" ? 1 : -1;
  return [...rows].sort(({ [column]: one }, { [column]: other }) => {
    if (isEmpty(one) || isEmpty(other)) return Number(isEmpty(one)) - Number(isEmpty(other));
    return sign * compared(one, other);
  });
}

function compared(one, other) {
  const [left, right] = [measureOf(one), measureOf(other)];
  return left && right ? left.amount - right.amount : ORDER.compare(cellText(one), cellText(other));
}

function cellView(cell, numeric, links) {
  if (isEmpty(cell)) return element("td", { class: numeric ? "note number" : "note" }, "–");
  return element("td", { class: numeric && "number" }, valueView(links.get(cell) ?? cellValue(cell)));
}
