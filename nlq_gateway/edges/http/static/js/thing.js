/** What the graph has of a thing, by relation in both directions; and what can be asked of a class. */

import { clipped, element, iriLink } from "./dom.js";
import { isOfImages } from "./pictures.js";
import { connectView } from "./path.js";
import { questionLink, questionsView } from "./overview.js";
import { say } from "./strings.js";
import { aboutView } from "./terms.js";
import { joined, thingLink, valueView } from "./values.js";

const DIRECTIONS = ["forward", "backward"];

/** The nodes that show a description. */
export function thingView(found) {
  const { label, iri, aliases = [], concepts = [], description, count, groups = [], questions = [], others = [] } = found;
  return [element("article", { class: "card answer thing" },
    element("p", { class: "status-line" },
      element("span", { class: "status" }, found.kind === "concept" ? say("thing.class") : kindsView(concepts)),
      typeof count === "number" && element("span", { class: "note" }, say("thing.members", { count })),
      element("span", { class: "note" }, found.dataset)),
    element("h2", { class: "headline short", tabindex: "-1", "data-focus": true, dir: "auto" }, clipped(label)),
    aliases.length > 0 && element("p", { class: "note", dir: "auto" }, say("thing.aliases", { names: clipped(aliases.join(", ")) })),
    description && element("p", { dir: "auto" }, clipped(description, 1000)),
    element("p", { class: "iri" }, iriLink(iri, iri)),
    questions.length > 0 && [element("h3", { dir: "auto" }, say("thing.ask", { name: clipped(label) })), questionsView(questions, found.dataset)],
    DIRECTIONS.map((direction) => factsView(say(`thing.way.${direction}`), groups.filter((one) => one.direction === direction), found)),
    found.left_out > 0 && element("p", { class: "note" }, say("thing.left_out", { count: found.left_out })),
    found.kind === "entity" && connectView(found),
    others.length > 0 && element("p", {}, say("path.others", { name: clipped(label) }), " ",
      joined(others.map((one) => element("span", {}, thingLink(one.iri, one.label), one.about && [", ", aboutView(one)])))))];
}

function kindsView(concepts) {
  if (concepts.length === 0) return say("thing");
  return concepts.map((one, index) => [index > 0 && ", ", thingLink(one.iri, one.label)]);
}

function factsView(title, groups, { dataset }) {
  return groups.length > 0 && element("section", { class: "facts-of" }, element("h3", {}, title),
    element("dl", {}, groups.map((group) => [
      element("dt", {}, questionLink(group, dataset, group.label, { title: group.question || null })),
      element("dd", {}, joined(group.values.map((value) => valueView(value, isOfImages(group.iri)))),
        group.more && [" ", questionLink(group, dataset, say("thing.more"))]),
    ])));
}
