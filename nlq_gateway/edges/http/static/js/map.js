/** Places on a map: the outlines of the land, and a mark for each place. */

import { element, svgElement } from "./dom.js";
import { LAND } from "./land.js";

// Degrees from west to east that a map has at least: nearer, the outlines tell nothing.
const LEAST = 50;

/** The map of points `{label, east, north}`, called as the description says. */
export function mapView(points, description) {
  const { left, top, width } = frameOf(points);
  return element("div", { class: "chart-map", role: "img", "aria-label": description },
    svgElement("svg", { viewBox: `${2 * left} ${-2 * top} ${2 * width} ${width}`, "aria-hidden": "true" },
      svgElement("path", { class: "chart-land", d: LAND }),
      points.map(({ label, east, north }) => svgElement("circle", { cx: 2 * east, cy: -2 * north, r: width / 50 },
        svgElement("title", {}, label.slice(0, 120))))));
}

/** The part of the earth that is shown, twice as wide as high, the points around its middle. */
function frameOf(points) {
  const [west, east] = rangeOf(points.map((point) => point.east));
  const [south, north] = rangeOf(points.map((point) => point.north));
  const width = Math.min(360, Math.max(LEAST, 1.4 * (east - west), 2.8 * (north - south)));
  const within = (wanted, least, most) => Math.min(Math.max(wanted, least), most);
  return {
    left: within((west + east - width) / 2, -180, 180 - width),
    top: within((south + north + width / 2) / 2, width / 2 - 90, 90),
    width,
  };
}

function rangeOf(numbers) {
  return [Math.min(...numbers), Math.max(...numbers)];
}
