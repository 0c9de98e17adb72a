/** Queries of one's own, in tabs that stay in this browser. */

import { button, clipped, element } from "./dom.js";
import { browserStorage, keep, kept } from "./kept.js";
import { queryEditor } from "./query.js";
import { say } from "./strings.js";

const NAME = "nlq-queries";
const MOST = 20;
const BLANK = "SELECT * WHERE {\n  ?thing ?property ?value .\n}\nLIMIT 20\n";

/** `{texts, active}`; kept in memory where the browser keeps nothing. */
let open = readable(kept(browserStorage, NAME, null)) ?? { texts: [BLANK], active: 0 };

/** The tabs with the editor of the one that is open. */
export function queryTabs(dataset) {
  const tabs = element("div", { class: "tabs", role: "tablist", "aria-label": say("query.tabs") });
  const shown = element("div", { class: "tab-panel", id: "query-panel", role: "tabpanel" });
  const change = (state) => {
    open = state;
    keep(browserStorage, NAME, open);
  };
  const choose = (active, texts = open.texts) => {
    change({ texts, active });
    show();
  };
  const tabView = (text, index) => {
    const chosen = index === open.active;
    return button(element("span", { dir: "auto" }, titleOf(text, index)), () => choose(index), {
      role: "tab", id: `query-tab-${index}`, "aria-selected": String(chosen), "aria-controls": shown.id, tabindex: chosen ? "0" : "-1", class: "tab",
    });
  };
  const show = () => {
    const { texts, active } = open;
    tabs.replaceChildren(...texts.map(tabView));
    shown.setAttribute("aria-labelledby", `query-tab-${active}`);
    shown.replaceChildren(queryEditor(texts[active], dataset, null, (text) => {
      change({ ...open, texts: open.texts.with(active, text) });
      tabs.children[active].firstChild.textContent = titleOf(text, active);
    }));
    add.disabled = texts.length >= MOST;
    close.hidden = texts.length < 2;
  };
  const add = button(say("query.new"), () => choose(open.texts.length, [...open.texts, BLANK]), { class: "quiet" });
  const close = button(say("query.close"), () =>
    choose(Math.max(0, open.active - 1), open.texts.toSpliced(open.active, 1)), { class: "quiet" });
  tabs.addEventListener("keydown", (event) => {
    const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const next = tabs.children[[...tabs.children].indexOf(document.activeElement) + way];
    if (!next) return;
    event.preventDefault();
    for (const tab of tabs.children) tab.tabIndex = tab === next ? 0 : -1;
    next.focus();
  });
  show();
  return [element("div", { class: "tab-row" }, tabs, add, close), shown];
}

/** What a tab is called: by the comment that its query begins with, else by its place. */
function titleOf(text, index) {
  const [, comment] = /^\s*#+\s*(\S.*)/.exec(text) ?? [];
  return comment ? clipped(comment.trim(), 30) : say("query.untitled", { number: index + 1 });
}

/** What was kept, where it is what this page keeps. */
function readable(state) {
  const { texts, active } = state ?? {};
  const fits = Array.isArray(texts) && texts.every((text) => typeof text === "string") && Number.isInteger(active) && active >= 0 && active < texts.length;
  return fits && texts.length <= MOST ? { texts, active } : null;
}
