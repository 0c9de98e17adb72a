/** What the page says, in the first language of the browser's that it speaks; its numbers and days are written likewise. */

const SPOKEN = ["en", "de", "fr", "es"];
const languageOf = (tag) => tag.toLowerCase().split("-")[0];

/** The tag of that language, with the browser's region. */
export const locale = navigator.languages.find((tag) => SPOKEN.includes(languageOf(tag))) ?? "en";

const STRINGS = await (await fetch(new URL(`../languages/${languageOf(locale)}.json`, import.meta.url))).json();
const PLURALS = new Intl.PluralRules(locale);
// Four digits stay together, as they may be a year.
const NUMBERS = new Intl.NumberFormat(locale, { maximumFractionDigits: 20, useGrouping: "min2" });
const SHARES = new Intl.NumberFormat(locale, { style: "percent" });
const LISTS = new Intl.ListFormat(locale, { style: "long", type: "conjunction" });

/** A string by its key, with the numbers and texts of its `{fields}`. One with forms has that for `count`. */
export function say(key, fields) {
  return sayNodes(key, fields).join("");
}

/** The same where fields are nodes: the string's pieces with the nodes between them. */
export function sayNodes(key, fields = {}) {
  return textOf(key, fields.count).split(/\{(\w+)\}/).map((piece, at) => (at % 2 ? shown(fields[piece]) : piece));
}

/** The string of a key; one of a family that has no such string (`status.new`) is said as it is. */
function textOf(key, count) {
  const found = STRINGS[key] ?? key.slice(key.lastIndexOf(".") + 1);
  return typeof found === "string" ? found : found[PLURALS.select(count)] ?? found.other;
}

function shown(value) {
  return typeof value === "number" ? number(value) : value;
}

/** A number, or a text that is one, as the language writes it. */
export function number(value) {
  return NUMBERS.format(value);
}

/** 0.873 as "87%". */
export function percent(share) {
  return SHARES.format(share);
}

/** Texts in one list: "1, 3 and 4". */
export function listed(texts) {
  return LISTS.format(texts);
}

/** 12.34 as "12 ms", 2345 as "2.3 s". */
export function duration(ms) {
  if (ms >= 1000) return `${number(Number((ms / 1000).toFixed(1)))} s`;
  return `${number(ms >= 10 ? Math.round(ms) : Number(ms.toFixed(1)))} ms`;
}

/** Give the page's own markup its strings: `data-say="text: key; title: key"`. */
export function sayMarkup() {
  document.documentElement.lang = languageOf(locale);
  for (const node of document.querySelectorAll("[data-say]")) {
    for (const [, place, key] of node.dataset.say.matchAll(/([\w-]+): ([\w.]+)/g)) {
      if (place === "text") node.append(say(key));
      else node.setAttribute(place, say(key));
    }
  }
}

/** Give the tab a title, what is shown first. */
export function entitle(shown) {
  document.title = [shown, say("ask.title")].filter(Boolean).join(" – ");
}
