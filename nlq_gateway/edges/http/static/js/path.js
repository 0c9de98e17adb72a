/** How two things are connected: each path a row of its things, with the relations between them. */

import { writeAddress } from "./address.js";
import { clipped, element, viewLink } from "./dom.js";
import { say } from "./strings.js";
import { aboutView } from "./terms.js";
import { joined, thingLink } from "./values.js";

/** The nodes that show a connection. */
export function pathView(found) {
  const { ends: [start, goal], paths, more, complete, dataset } = found;
  const other = (from, to, { label }) => viewLink(writeAddress({ from, to, dataset }), clipped(label));
  return [element("article", { class: "card answer connection" },
    element("p", { class: "status-line" },
      element("span", { class: "status" }, say("path")), element("span", { class: "note" }, dataset)),
    element("h2", { class: "headline short", tabindex: "-1", "data-focus": true, dir: "auto" }, `${clipped(start.label)} – ${clipped(goal.label)}`),
    element("p", { class: paths.length > 0 ? "note" : null }, spokenPath(found)),
    element("ul", { class: "paths" }, paths.map(rowView)),
    more && element("p", { class: "note" }, say("path.more")),
    !complete && paths[0]?.relations.length > 1 && element("p", { class: "note" }, say("path.cut")),
    othersView(start, (one) => other(one.iri, goal.iri, one)),
    othersView(goal, (one) => other(start.iri, one.iri, one)))];
}

/** What was found, in a sentence: that there is no path is said only where the search was not cut off. */
export function spokenPath({ paths: [path], longest, complete }) {
  if (path) return say("path.found", { count: path.relations.length });
  return say(complete ? "path.none" : "path.unsearched", { count: longest });
}

/** The form on a thing's view that asks for its connection to another one. */
export function connectView({ iri, dataset }) {
  return element("form", { class: "buttons", "data-view": true },
    Object.entries({ from: iri, dataset }).map(([name, value]) => element("input", { type: "hidden", name, value })),
    element("label", {}, say("path.to"), " ", element("input", { name: "to", required: true, autocomplete: "off" })),
    element("button", { type: "submit" }, say("path.show")));
}

function rowView({ things, relations }) {
  return element("li", {}, things.map(({ iri, label }, at) => [
    at > 0 && element("span", { class: "between" }, relations[at - 1].map(relationView)),
    thingLink(iri, label),
  ]));
}

function relationView({ iri, label, direction }) {
  return element("span", { title: clipped(iri) }, direction === "forward" ? [bare(label), " →"] : ["← ", bare(label)]);
}

function bare(label) {
  return element("bdi", {}, clipped(label));
}

function othersView({ label, others }, view) {
  return others.length > 0 && element("p", {}, say("path.others", { name: clipped(label) }), " ",
    joined(others.map((one) => element("span", {}, view(one), one.about && [", ", aboutView(one)]))));
}
