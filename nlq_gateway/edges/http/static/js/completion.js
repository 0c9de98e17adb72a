/**
 * Suggestions under the question while it is written: whole questions, and names that go on its end.
 * The pattern is that of a combobox with a listbox (WAI-ARIA Authoring Practices): the focus stays in the box.
 */

import { Problem, suggest } from "./api.js";
import { chosenDataset } from "./datasets.js";
import { clipped, element } from "./dom.js";
import { questionsLike } from "./history.js";
import { say } from "./strings.js";

const PAUSE_MS = 120;
const LIMIT = 8;
const EARLIER = 2;

/** Make suggestions work in the box; `ask` is called with a question that was chosen. */
export function startCompletion(box, ask) {
  const list = document.getElementById("suggestions");
  const said = document.getElementById("suggestions-said");
  let shown = [];
  let active = -1;
  let timer;
  let running = new AbortController();

  const close = () => {
    clearTimeout(timer);
    running.abort();
    show([]);
  };
  const show = (found) => {
    shown = found;
    list.hidden = found.length === 0;
    list.replaceChildren(...found.map(optionView));
    box.setAttribute("aria-expanded", String(found.length > 0));
    said.textContent = found.length > 0 ? say("suggestions.count", { count: found.length }) : "";
    activate(-1);
  };
  const activate = (index) => {
    list.children[active]?.setAttribute("aria-selected", "false");
    active = index;
    const option = list.children[active];
    if (!option) return box.removeAttribute("aria-activedescendant");
    option.setAttribute("aria-selected", "true");
    option.scrollIntoView({ block: "nearest" });
    return box.setAttribute("aria-activedescendant", option.id);
  };
  const choose = ({ text, kind }) => {
    close();
    if (kind === "question" || kind === "earlier") return ask(text);
    box.value = `${completed(box.value, text)} `;
    return box.focus();
  };
  const optionView = (suggestion, index) => {
    const { text, kind, label } = suggestion;
    const told = label ? say("suggestions.of", { kind: say(`kind.${kind}`), label: clipped(label, 60) }) : say(`kind.${kind}`);
    return element("li", {
      id: `suggestion-${index}`, role: "option", "aria-selected": "false",
      // The focus stays where one writes.
      onpointerdown: (event) => event.preventDefault(), onclick: () => choose(suggestion),
    }, element("span", { dir: "auto" }, clipped(text, 120)), " ", element("small", {}, told));
  };
  const look = async () => {
    const text = box.value;
    running.abort();
    running = new AbortController();
    const { signal } = running;
    const found = await suggestionsFor(text, signal);
    if (!signal.aborted && document.activeElement === box) show(found);
  };

  box.addEventListener("input", () => {
    clearTimeout(timer);
    if (!box.value.trim() || box.selectionEnd !== box.value.length) return close();
    timer = setTimeout(look, PAUSE_MS);
    return undefined;
  });
  const keys = {
    ArrowDown: () => shown.length > 0 && (activate(active + 1 >= shown.length ? -1 : active + 1), true),
    ArrowUp: () => shown.length > 0 && (activate(active < 0 ? shown.length - 1 : active - 1), true),
    Enter: () => active >= 0 && (choose(shown[active]), true),
    Escape: () => shown.length > 0 && (close(), true),
  };
  box.addEventListener("keydown", (event) => {
    if (event.isComposing || !keys[event.key]?.()) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  });
  box.addEventListener("blur", close);
  box.form.addEventListener("submit", close);
}

/** The questions of this browser and what the gateway suggests; nothing where it cannot. */
async function suggestionsFor(text, signal) {
  const dataset = chosenDataset();
  const earlier = questionsLike(text, dataset).slice(0, EARLIER).map((question) => ({ text: question, kind: "earlier" }));
  if (!dataset) return earlier;
  try {
    const found = await suggest(dataset, text, LIMIT - earlier.length, signal);
    const known = new Set(earlier.map((one) => one.text));
    return [...earlier, ...found.filter((one) => one.kind !== "question" || !known.has(one.text))];
  } catch (error) {
    if (error instanceof Problem || signal.aborted) return earlier;
    throw error;
  }
}

/** The text with the longest of its endings that a name goes on replaced by the name. */
export function completed(text, name) {
  const sought = plain(name);
  for (const { index } of text.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu)) {
    if (` ${sought}`.includes(` ${plain(text.slice(index)).trimStart()}`)) return text.slice(0, index) + name;
  }
  return `${text.trimEnd()} ${name}`;
}

/** Without case, accents and marks, as names are looked up. */
function plain(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ");
}
