/** Whether an answer is right, said by people; the right program where it is not. */

import { Problem, sendFeedback } from "./api.js";
import { takesFeedback } from "./datasets.js";
import { button, clipped, element, svgElement } from "./dom.js";
import { programField } from "./program_editor.js";
import { say, sayNodes } from "./strings.js";

const THUMB = "M7 21H4V10h3zm2 0h8.2c.8 0 1.5-.5 1.7-1.3l1.9-6.6A1.7 1.7 0 0 0 19.2 11H14l.8-4.6c.2-1.3-.6-2.5-1.9-2.7L9 10z";

/**
 * Thumbs for the answer to a question. For an edited program that came from one (`actions.origin`), the offer to
 * keep it as the right one. Null where there is nothing to judge, or the gateway takes no feedback.
 */
export function feedbackView(result, { origin, run }) {
  if (!takesFeedback()) return null;
  if (origin) return correctionView(origin, result);
  if (!result.id || !result.question) return null;
  const box = element("div", { class: "feedback" });
  const refused = result.status === "unanswerable";
  box.append(...[
    element("span", { class: "note" }, say(refused ? "feedback.refused" : "feedback.right")),
    // To confirm a refusal would teach the program that came closest.
    !refused && button([thumb("up"), say("yes")], () => send(box, result.id, { correct: true }), { class: "thumb" }),
    button(refused ? say("feedback.tell") : [thumb("down"), say("no")], () => box.replaceChildren(wrongForm(box, result, run)),
      { class: "thumb" }),
  ].filter(Boolean));
  return box;
}

function thumb(way) {
  return svgElement("svg", { class: `icon thumb-${way}`, viewBox: "0 0 24 24", "aria-hidden": "true" }, svgElement("path", { d: THUMB }));
}

function wrongForm(box, result, run) {
  const program = programField(result.program?.text ?? "", say("feedback.program"));
  const comment = element("input", { type: "text", maxlength: 2000, "aria-label": say("feedback.wrong"), placeholder: say("feedback.wrong.optional") });
  const given = () => program.value.trim();
  const changed = () => given() !== "" && given() !== (result.program?.text ?? "");
  const form = element("form", { class: "correction" },
    comment,
    element("details", {}, element("summary", {}, say("feedback.known")), program,
      run && element("p", {}, button(say("feedback.try"), () => given() && run(given())))),
    element("div", { class: "buttons" }, element("button", { type: "submit", class: "primary" }, say("feedback.send"))));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(box, result.id, { correct: false, comment: comment.value.trim() || undefined, program: changed() ? given() : undefined });
  });
  return form;
}

function correctionView({ trace, question }, result) {
  const box = element("div", { class: "feedback" });
  const keepIt = () => send(box, trace, { correct: false, program: result.program.text });
  box.append(element("span", {}, sayNodes("feedback.edited", { question: element("q", { dir: "auto" }, clipped(question)) })),
    trace && button(say("feedback.learn"), keepIt));
  return box;
}

/** Send it; what was entered stays in its place when that fails. */
async function send(box, id, opinion) {
  box.querySelector(".failed")?.remove();
  try {
    const { demonstration, state } = await sendFeedback(id, opinion);
    const after = demonstration ? "feedback.learned" : state === "pending" && opinion.program ? "feedback.pending" : "feedback.noted";
    box.replaceChildren(element("span", { role: "status" }, say(after)));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { title, detail, issues = [] } = error.fields;
    const said = [title, detail, ...issues.map(({ message }) => message)].filter(Boolean).join(". ");
    box.append(element("p", { class: "failed", role: "alert" }, clipped(said)));
  }
}
