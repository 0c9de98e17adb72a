/** The questions that were asked in this browser. They stay there, and can be cleared. */

import { writeAddress } from "./address.js";
import { browserStorage, keep, kept } from "./kept.js";
import { button, clipped, element } from "./dom.js";
import { locale, say } from "./strings.js";

const STORED = "nlq-history";
const MOST = 100;
const LONGEST = 200;
const WHEN = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });

/** Note an answer; asking the same again moves it to the top. */
export function noteAnswer({ id, question, dataset, status, answer }) {
  if (!question) return;
  const entry = { id, question, dataset, status, text: clipped(answer?.text ?? "", LONGEST), at: Date.now() };
  const others = entries().filter((one) => one.question !== question || one.dataset !== dataset);
  keep(browserStorage, STORED, [entry, ...others].slice(0, MOST));
}

/** The questions of a dataset that begin with a text or have it inside, the newest first. */
export function questionsLike(text, dataset) {
  const sought = ` ${text.trim().toLowerCase()}`;
  return entries().filter((one) => one.dataset === dataset && ` ${one.question.toLowerCase()}`.includes(sought))
    .map(({ question }) => question);
}

/** What the history's panel shows; `onAsk` is called with a question that is asked again. */
export function historyView(onAsk, onClear) {
  const all = entries();
  if (all.length === 0) return [element("p", { class: "note" }, say("history.none"))];
  return [
    element("ul", { class: "history" }, all.map((entry) => entryView(entry, onAsk))),
    element("p", {}, button(say("history.clear"), () => {
      keep(browserStorage, STORED, null);
      onClear();
    })),
  ];
}

function entryView({ id, question, dataset, text, at }, onAsk) {
  return element("li", {},
    element("a", { href: writeAddress(id ? { trace: id } : { question, dataset }), dir: "auto" }, clipped(question, LONGEST)),
    text && element("p", { dir: "auto" }, text),
    element("p", { class: "note" }, [dataset, WHEN.format(at)].filter(Boolean).join(" · "), " ",
      button(say("history.again"), () => onAsk({ question, dataset }), { class: "quiet" })));
}

function entries() {
  const stored = kept(browserStorage, STORED, []);
  return Array.isArray(stored) ? stored.filter(({ question }) => typeof question === "string") : [];
}
