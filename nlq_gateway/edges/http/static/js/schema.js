/** What a dataset knows of: its classes, relations, attributes and qualifiers, to look through and search. */

import { Problem, schema } from "./api.js";
import { button, clipped, element, localName } from "./dom.js";
import { number, say } from "./strings.js";

const KINDS = ["all", "concept", "relation", "attribute", "qualifier"];
const LIMIT = 100;
const PAUSE_MS = 200;

/** The browser's nodes; `onChoose` is called with a name that was pressed. */
export function schemaView(dataset, onChoose) {
  const field = element("input", {
    type: "search", class: "schema-search", "aria-label": say("schema.search"), placeholder: say("schema.find"), autofocus: true, spellcheck: "false",
  });
  const kinds = element("div", { class: "kinds", role: "group", "aria-label": say("schema.kind") });
  const list = element("div");
  const said = element("p", { class: "visually-hidden", role: "status" });
  let kind = KINDS[0];
  let running = new AbortController();

  const search = async () => {
    running.abort();
    running = new AbortController();
    const { signal } = running;
    try {
      const found = await schema(dataset, { query: field.value.trim(), kind: kind === KINDS[0] ? undefined : kind, limit: LIMIT }, signal);
      kinds.replaceChildren(...kindsView(found.counts ?? {}));
      list.replaceChildren(...itemsView(found, onChoose));
      said.textContent = say(found.truncated ? "schema.found.more" : "schema.found", { count: found.items?.length ?? 0 });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Problem)) throw error;
      list.replaceChildren(element("p", { class: "failed" }, [error.fields.title, error.fields.detail].filter(Boolean).join(". ")));
    }
  };
  const kindsView = (counts) => KINDS.filter((name) => name === KINDS[0] || counts[name] > 0).map((name) =>
    button([say(`kinds.${name}`), counts[name] > 0 && element("small", {}, ` ${number(counts[name])}`)], () => {
      kind = name;
      kinds.querySelector("[aria-pressed=true]")?.setAttribute("aria-pressed", "false");
      search();
    }, { class: "chip", "aria-pressed": String(name === kind) }));

  let timer;
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(search, PAUSE_MS);
  });
  search();
  return [field, kinds, said, list];
}

function itemsView({ items = [], truncated }, onChoose) {
  if (items.length === 0) return [element("p", { class: "note" }, say("schema.none"))];
  return [
    element("ul", { class: "schema" }, items.map((item) => itemView(item, onChoose))),
    truncated && element("p", { class: "note" }, say("schema.more")),
  ].filter(Boolean);
}

function itemView({ kind, iri = "", label, aliases = [], count, ...more }, onChoose) {
  const name = label || localName(iri);
  return element("li", {},
    element("p", { class: "schema-name" },
      button(element("span", { dir: "auto" }, clipped(name, 200)), () => onChoose(name), { class: "quiet", title: say("schema.put") }),
      element("span", { class: "note" }, [say(`kind.${kind}`), typeof count === "number" && say("schema.uses", { count })].filter(Boolean).join(" · "))),
    element("dl", { class: "note" }, Object.entries(factsOf({ aliases, ...more })).map(([term, text]) => text && [
      element("dt", {}, say(`schema.fact.${term}`)), element("dd", { dir: "auto" }, clipped(text))])));
}

function factsOf({ aliases, parents = [], domain = [], range = [], datatypes = [], units = [], examples = [] }) {
  const names = (things) => things.map(({ iri, label }) => label || localName(iri)).join(", ");
  return {
    also: aliases.join(", "),
    parents: names(parents),
    of: names(domain),
    to: names(range),
    type: datatypes.map(localName).join(", "),
    unit: units.filter((unit) => unit !== "1").join(", "),
    examples: examples.slice(0, 4).map(String).join(", "),
  };
}
