/** What the graph has of a thing, by relation in both directions; and what can be asked of a class. */

import { clipped, element, iriLink, plural } from "./dom.js";
import { questionLink, questionsView } from "./overview.js";
import { thingLink, valueView } from "./values.js";

const PARTS = [["forward", "What it has"], ["backward", "What leads to it"]];

/** The nodes that show a description. */
export function thingView(found) {
  const { label, iri, aliases = [], concepts = [], description, count, groups = [], questions = [], others = [] } = found;
  return [element("article", { class: "card answer thing" },
    element("p", { class: "status-line" },
      element("span", { class: "status" }, found.kind === "concept" ? "Class" : kindsView(concepts)),
      typeof count === "number" && element("span", { class: "note" }, plural(count, "member")),
      element("span", { class: "note" }, found.dataset)),
    element("h2", { class: "headline short", tabindex: "-1", "data-focus": true, dir: "auto" }, clipped(label)),
    aliases.length > 0 && element("p", { class: "note", dir: "auto" }, `Also: ${clipped(aliases.join(", "))}`),
    description && element("p", { dir: "auto" }, clipped(description, 1000)),
    element("p", { class: "iri" }, iriLink(iri, iri)),
    questions.length > 0 && [element("h3", { dir: "auto" }, `Ask about ${clipped(label)}`), questionsView(questions, found.dataset)],
    PARTS.map(([direction, title]) => factsView(title, groups.filter((one) => one.direction === direction), found)),
    found.left_out > 0 && element("p", { class: "note" }, `${plural(found.left_out, "relation")} more, which are not shown.`),
    others.length > 0 && element("p", {}, "Also meant by that name: ",
      others.map((one, index) => [index > 0 && ", ", thingLink(one.iri, one.label)])))];
}

function kindsView(concepts) {
  if (concepts.length === 0) return "Thing";
  return concepts.map((one, index) => [index > 0 && ", ", thingLink(one.iri, one.label)]);
}

function factsView(title, groups, { dataset }) {
  return groups.length > 0 && element("section", { class: "facts-of" }, element("h3", {}, title),
    element("dl", {}, groups.map((group) => [
      element("dt", {}, questionLink(group, dataset, group.label, { title: group.question || null })),
      element("dd", {}, group.values.map((value, index) => [index > 0 && ", ", valueView(value)]),
        group.more && [" ", questionLink(group, dataset, "and more")]),
    ])));
}
