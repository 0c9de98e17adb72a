/** What an answer can be taken away as: files, and a copy of its table. */

import { Problem, table } from "./api.js";
import { button, clipped, element } from "./dom.js";
import { say } from "./strings.js";
import { popping } from "./terms.js";

const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const TSV = "text/tab-separated-values";
const FILES = [["Excel", "xlsx", XLSX], ["CSV", "csv", "text/csv"], ["TSV", "tsv", TSV], ["JSON", "json", "application/json"],
  ["Turtle", "ttl", "text/turtle"], ["JSON-LD", "jsonld", "application/ld+json"]];

/** A button that offers the files; null where the answer is kept under no id. */
export function takeAwayView({ id, dataset, answer }) {
  if (!id || !answer?.values?.length) return null;
  return popping(say("download"), { class: "quiet" }, () => {
    const iris = element("input", { type: "checkbox" });
    const said = element("p", { class: "note", role: "status" });
    const take = (media, use) => async () => {
      said.textContent = "…";
      try {
        said.textContent = await use(await table(id, media, iris.checked));
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        said.textContent = clipped([error.fields.title, error.fields.detail].filter(Boolean).join(". "));
      }
    };
    const files = FILES.map(([title, ending, media]) =>
      button(title, take(media, (content) => save(content, `${dataset ?? "answer"}-${id}.${ending}`))));
    return [
      element("div", { class: "buttons", role: "group", "aria-label": say("download.as") }, files,
        button(say("download.copy"), take(TSV, copy))),
      element("label", { class: "note choice" }, iris, ` ${say("download.iris")}`),
      said,
    ];
  });
}

/** Have the browser save a file; returns what is said of it. */
function save(content, name) {
  const address = URL.createObjectURL(content);
  element("a", { href: address, download: name }).click();
  URL.revokeObjectURL(address);
  return say("download.saved", { name });
}

async function copy(content) {
  try {
    await navigator.clipboard.writeText(await content.text());
    return say("download.copied");
  } catch {
    return say("download.refused");
  }
}
