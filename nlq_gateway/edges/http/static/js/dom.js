/** Building blocks for the views. Whatever comes from the graph enters the page as text, never as markup. */

import { say } from "./strings.js";

const LINKED = new Set(["http:", "https:"]);
const SVG = "http://www.w3.org/2000/svg";
const LONGEST = 400;

/**
 * An element with attributes, listeners (`onclick: f`) and children.
 * Strings become text nodes; null, undefined and false are left out, so a view can write `condition && child`.
 */
export function element(tag, properties = {}, ...children) {
  return filled(document.createElement(tag), properties, children);
}

/** An element of an inline picture, made like the others. */
export function svgElement(tag, properties = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), properties, children);
}

function filled(node, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false));
  return node;
}

/** A button that submits nothing. */
export function button(text, onclick, properties = {}) {
  return element("button", { type: "button", onclick, ...properties }, text);
}

/** A link to an IRI; plain text where the IRI is not a web address (`javascript:` and its like are never linked). */
export function iriLink(iri, text, lang) {
  const shared = { title: iri, dir: "auto", lang };
  const url = URL.canParse(iri) ? new URL(iri) : null;
  if (url === null || !LINKED.has(url.protocol)) return element("span", shared, clipped(text));
  return element("a", { ...shared, href: iri, target: "_blank", rel: "noopener noreferrer" }, clipped(text));
}

/** A link to a view of this page, which opens it without loading the page again (see page.js). */
export function viewLink(search, text, properties = {}) {
  return element("a", { href: search, "data-view": true, dir: "auto", ...properties }, text);
}

/** A text as long as people read one, with a sign where it was cut. */
export function clipped(text, longest = LONGEST) {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** The last part of an IRI, which tells apart things with the same label. */
export function localName(iri) {
  return iri.split(/[/#]/).filter(Boolean).pop() ?? iri;
}

/** A list that starts with its first items and a button that brings the rest. */
export function growing(container, items, view, shown = 24) {
  container.append(...items.slice(0, shown).map(view));
  if (items.length <= shown) return [container];
  const more = button(say("show_all", { count: items.length }), () => {
    container.append(...items.slice(shown).map(view));
    container.tabIndex = -1;
    container.focus({ preventScroll: true });
    more.remove();
  }, { class: "quiet" });
  return [container, more];
}
