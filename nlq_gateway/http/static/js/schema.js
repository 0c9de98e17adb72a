/** What a dataset knows of: its classes, relations, attributes and qualifiers, to look through and search. */

import { Problem, schema } from "./api.js";
import { button, clipped, element, localName, plural } from "./dom.js";

const KINDS = { "": "All", concept: "Classes", relation: "Relations", attribute: "Attributes", qualifier: "Qualifiers" };
const LIMIT = 100;
const PAUSE_MS = 200;

/** The browser's nodes; `onChoose` is called with a name that was pressed. */
export function schemaView(dataset, onChoose) {
  const field = element("input", {
    type: "search", class: "schema-search", "aria-label": "Search the schema", placeholder: "Search", autofocus: true, spellcheck: "false",
  });
  const kinds = element("div", { class: "kinds", role: "group", "aria-label": "Kind" });
  const list = element("div");
  const said = element("p", { class: "visually-hidden", role: "status" });
  let kind = "";
  let running = new AbortController();

  const search = async () => {
    running.abort();
    running = new AbortController();
    const { signal } = running;
    try {
      const found = await schema(dataset, { query: field.value.trim(), kind, limit: LIMIT }, signal);
      kinds.replaceChildren(...kindsView(found.counts ?? {}));
      list.replaceChildren(...itemsView(found, onChoose));
      said.textContent = `${plural(found.items?.length ?? 0, "name")}${found.truncated ? ", and more" : ""}`;
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Problem)) throw error;
      list.replaceChildren(element("p", { class: "failed" }, [error.fields.title, error.fields.detail].filter(Boolean).join(". ")));
    }
  };
  const kindsView = (counts) => Object.entries(KINDS).filter(([name]) => name === "" || counts[name] > 0).map(([name, title]) =>
    button([title, name && element("small", {}, ` ${counts[name].toLocaleString("en")}`)], () => {
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
  if (items.length === 0) return [element("p", { class: "note" }, "Nothing here is called that.")];
  return [
    element("ul", { class: "schema" }, items.map((item) => itemView(item, onChoose))),
    truncated && element("p", { class: "note" }, "There is more; a search narrows it down."),
  ].filter(Boolean);
}

function itemView({ kind, iri = "", label, aliases = [], count, ...more }, onChoose) {
  const name = label || localName(iri);
  return element("li", {},
    element("p", { class: "schema-name" },
      button(element("span", { dir: "auto" }, clipped(name, 200)), () => onChoose(name), { class: "quiet", title: "Put it into the question" }),
      element("span", { class: "note" }, [kind, typeof count === "number" && plural(count, "use")].filter(Boolean).join(" · "))),
    element("dl", { class: "note" }, Object.entries(factsOf({ aliases, ...more })).map(([term, text]) => text && [
      element("dt", {}, term), element("dd", { dir: "auto" }, clipped(text))])));
}

function factsOf({ aliases, parents = [], domain = [], range = [], datatypes = [], units = [], examples = [] }) {
  const names = (things) => things.map(({ iri, label }) => label || localName(iri)).join(", ");
  return {
    also: aliases.join(", "),
    kind: parents.length > 0 && names(parents),
    of: names(domain),
    to: names(range),
    type: datatypes.map(localName).join(", "),
    unit: units.filter((unit) => unit !== "1").join(", "),
    "for example": examples.slice(0, 4).map(String).join(", "),
  };
}
