/** The program as a small picture: a box for each step, joined to the steps that it takes its input from. */

import { button, element, plural, svgElement } from "./dom.js";
import { termView } from "./terms.js";

const HEIGHT = 62;
const GAP_X = 30;
const GAP_Y = 14;
const NARROWEST = 96;
const WIDEST = 210;
const LETTER = 7;
const TERM = 20;
const SHORT = 9;

/**
 * The picture, `{node, boxes}`: `boxes` maps a step's number to its box. `onChoose` is called with the number of a
 * box that was pressed, `onPin` with the pin of an alternative.
 */
export function pictureView({ program, steps: measured = [], bindings = [] }, { onChoose, onPin }) {
  const steps = program.steps.map(joined);
  const { places, width, height } = placesOf(steps);
  const counts = new Map(measured.map(({ step, count }) => [step, count]));
  const boxes = new Map(steps.map((step, index) => {
    const number = index + 1;
    const own = bindings.filter((binding) => binding.step === number);
    return [number, boxView(number, step, counts.get(number), own, places[index], { onChoose, onPin })];
  }));
  const canvas = element("div", { class: "picture-canvas" },
    linesView(steps, places, width, height), element("ol", { class: "boxes" }, [...boxes.values()]));
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const node = element("div", { class: "picture", tabindex: "0", role: "region", "aria-label": "Picture of the program" }, canvas);
  return { node, boxes };
}

/** A step with those of its sources that come before it; a program that is refused may name others. */
function joined(step, index) {
  return { ...step, dependencies: (step.dependencies ?? []).filter((one) => Number.isInteger(one) && one >= 0 && one < index) };
}

/** Where each box stands: columns by the longest way to it, rows by the chain that it goes on with. */
function placesOf(steps) {
  const columns = [];
  const rows = [];
  const ended = new Set();
  let lanes = 0;
  for (const [index, { dependencies }] of steps.entries()) {
    columns[index] = Math.max(-1, ...dependencies.map((one) => columns[one])) + 1;
    const goesOn = dependencies.find((one) => !ended.has(one));
    rows[index] = goesOn === undefined ? lanes++ : rows[goesOn];
    for (const one of dependencies) ended.add(one);
  }
  const widths = columnWidths(steps, columns);
  const lefts = widths.map((_, column) => widths.slice(0, column).reduce((sum, one) => sum + one + GAP_X, 0));
  return {
    places: steps.map((_, index) => ({
      x: lefts[columns[index]], y: rows[index] * (HEIGHT + GAP_Y), width: widths[columns[index]],
    })),
    width: lefts.at(-1) + widths.at(-1),
    height: lanes * (HEIGHT + GAP_Y) - GAP_Y,
  };
}

function columnWidths(steps, columns) {
  const widths = Array(Math.max(...columns) + 1).fill(NARROWEST);
  for (const [index, { function: name, inputs = [] }] of steps.entries()) {
    const head = (name.length + 8) * LETTER;
    const terms = inputs.reduce((sum, input) => sum + String(input).length * LETTER + TERM, 0);
    const wanted = Math.round(Math.max(head, terms)) + TERM;
    widths[columns[index]] = Math.min(WIDEST, Math.max(widths[columns[index]], wanted));
  }
  return widths;
}

function boxView(number, { function: name, inputs = [] }, count, bindings, { x, y, width }, { onChoose, onPin }) {
  const known = typeof count === "number";
  const head = button([
    element("span", { class: "visually-hidden" }, "Step "), element("span", { class: "box-number" }, String(number)),
    element("b", {}, name),
    known && element("span", { class: "count" }, count.toLocaleString("en"),
      element("span", { class: "visually-hidden" }, count === 1 ? " result" : " results")),
  ], () => onChoose(number), { class: "box-head", title: known ? `Step ${number}: ${plural(count, "result")}` : `Step ${number}` });
  const terms = inputs.map((input, argument) => {
    const term = termView(input, bindings.find((binding) => binding.argument === argument), onPin);
    term.classList.toggle("short", String(input).length <= SHORT);
    return term;
  });
  const box = element("li", { class: count === 0 ? "box none" : "box", "data-step": number },
    head, terms.length > 0 && element("div", { class: "box-terms" }, terms));
  Object.assign(box.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${HEIGHT}px` });
  return box;
}

function linesView(steps, places, width, height) {
  const lines = steps.flatMap(({ dependencies }, index) =>
    dependencies.map((source) => svgElement("path", { d: curve(places[source], places[index]) })));
  return svgElement("svg", { class: "joins", viewBox: `0 0 ${width} ${height}`, width, height, "aria-hidden": "true" }, lines);
}

/** From the end of one box to the start of another. */
function curve(from, to) {
  const [x1, y1] = [from.x + from.width, from.y + HEIGHT / 2];
  const [x2, y2] = [to.x, to.y + HEIGHT / 2];
  const bend = Math.max(GAP_X / 2, 0);
  return `M${x1},${y1} H${x2 - 2 * bend} C${x2 - bend},${y1} ${x2 - bend},${y2} ${x2},${y2}`;
}
