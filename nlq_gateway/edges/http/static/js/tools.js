/** The tools behind the buttons at the top: history, schema, a query of one's own, and the key. */

import { forgetKey, hasKey } from "./access.js";
import { chosenDataset } from "./datasets.js";
import { startDeveloper } from "./developer.js";
import { historyView } from "./history.js";
import { views } from "./later.js";
import { panel } from "./panel.js";
import { say } from "./strings.js";

/** Make the tools work. `ask` is called with a question to ask, `box` is where questions are written. */
export function startTools({ ask, box }) {
  const asked = panel(say("history"), () => historyView((request) => {
    asked.close();
    ask(request);
  }, () => asked.close()));
  const browser = panel(say("schema"), async () => (await views()).schemaView(chosenDataset() ?? "", (name) => {
    browser.close();
    insert(box, name);
  }));
  const editor = panel(say("query.label"), async () => (await views()).queryTabs(chosenDataset()), "wide");
  for (const [id, tool] of Object.entries({ history: asked, schema: browser, sparql: editor })) {
    document.getElementById(`open-${id}`).addEventListener("click", tool.open);
  }
  startDeveloper();
  startLeaving();
}

/** Put a name where the cursor is, with a blank on either side where there is a word. */
function insert(box, name) {
  const { selectionStart: start, selectionEnd: end, value } = box;
  const before = /\S$/.test(value.slice(0, start)) ? " " : "";
  const after = /^[^\s?.!,]/.test(value.slice(end)) ? " " : "";
  box.setRangeText(before + name + after, start, end, "end");
  box.focus();
}

/** A way to take back the key that was entered. */
function startLeaving() {
  const leave = document.getElementById("forget-key");
  const tell = () => { leave.hidden = !hasKey(); };
  leave.addEventListener("click", () => {
    forgetKey();
    tell();
    location.reload();
  });
  document.addEventListener("access", tell);
  tell();
}
