/** How the program came about: what a model was told and wrote, what was tried, and what was changed in it. */

import { element, growing } from "./dom.js";
import { duration, percent, say, sayNodes } from "./strings.js";

const SHOWN_ATTEMPTS = 6;

/** The card with those parts that there are; null where there are none. */
export function storyView(result) {
  const { repairs = [], facts = [], sub_questions: questions = [], looks = [], attempts = [] } = result;
  const told = attempts.length > 1 || attempts.some(({ outcome }) => outcome !== "answered");
  const parts = [
    repairs.length > 0 && part(say("story.repairs", { count: repairs.length }), repairsView(repairs), true),
    questions.length > 0 && part(say("story.questions", { count: questions.length }), questionsView(questions)),
    facts.length > 0 && part(say("story.facts", { count: facts.length }), factsView(facts)),
    looks.length > 0 && part(say("story.looks", { count: looks.length }), looksView(looks)),
    told && part(say("story.attempts", { count: attempts.length }), attemptsView(attempts, result.program?.text)),
  ].filter(Boolean);
  return parts.length > 0 && element("section", { class: "card story" },
    element("h3", {}, say("story")), parts);
}

function part(title, content, open = false) {
  return element("details", { class: "part", open }, element("summary", {}, title), content);
}

function repairsView(repairs) {
  return element("ol", { class: "repairs" }, repairs.map(({ step, before, after, why }) => element("li", {},
    element("p", { class: "change" }, element("span", { class: "place" }, say("step", { step })), changeView(before, after)),
    element("p", { class: "note", dir: "auto" }, why))));
}

/** What there was and what there is in its place; either may be nothing. */
function changeView(before, after) {
  const was = before && element("del", { dir: "auto" }, before);
  const is = after && element("ins", { dir: "auto" }, after);
  if (was && is) {
    return [was, element("span", { class: "visually-hidden" }, ` ${say("story.became")} `),
      element("span", { class: "arrow", "aria-hidden": "true" }, "→"), is];
  }
  return [say(was ? "story.left_out" : "story.added"), " ", was || is];
}

function factsView(facts) {
  return element("ul", { class: "told" }, facts.map((fact) => element("li", { dir: "auto" }, fact)));
}

function questionsView(questions) {
  return element("ol", { class: "questions" }, questions.map((question, index) => element("li", {},
    element("p", { class: "change" }, element("span", { class: "place" }, `#${index + 1}`),
      element("span", { dir: "auto" }, question.text)),
    meaningView(question),
    question.others?.length > 0 && element("details", { class: "others" },
      element("summary", {}, say("story.others", { count: question.others.length })),
      element("ul", {}, question.others.map((other) => element("li", { dir: "auto" }, other)))))));
}

/** The template that a sub-question was taken for, its steps, and how sure that is. */
function meaningView({ template, chain, similarity, probability }) {
  if (!template) return element("p", { class: "note" }, say("story.nothing"));
  const taken = { template: element("q", { dir: "auto" }, template), similarity: percent(similarity), probability: percent(probability) };
  return element("p", { class: "note" }, sayNodes("story.taken", taken),
    chain && [": ", element("code", { dir: "auto" }, chain)]);
}

/** What the model asked for and was shown, in its order. */
function looksView(looks) {
  return element("ol", { class: "attempts looks" }, looks.map(({ tool, argument, result, ms, tokens }) => element("li", {},
    element("p", { class: "change" }, element("span", { class: "place", dir: "auto" }, tool),
      element("code", { dir: "auto" }, argument),
      element("span", { class: "note" }, `${duration(Math.round(ms))}, ${say("tokens", { count: tokens })}`)),
    element("pre", { class: "written", dir: "auto" }, result))));
}

function attemptsView(attempts, shown) {
  return growing(element("ol", { class: "attempts" }), attempts,
    (attempt) => attemptView(attempt, attempt.program === shown), SHOWN_ATTEMPTS);
}

/** One attempt; of the program that is shown with its repairs elsewhere, only what became of it. */
function attemptView({ program, source, how = "", outcome, repairs = [] }, isShown) {
  const author = how && !how.startsWith(source) ? `${source}, ${how}` : source;
  return element("li", {},
    element("p", { class: "change" }, element("span", { class: "place", dir: "auto" }, author),
      element("span", { class: outcome === "answered" ? "outcome found" : "outcome", dir: "auto" }, outcome),
      isShown && element("span", { class: "note" }, say("story.shown"))),
    !isShown && program && element("pre", { class: "written", dir: "auto" }, program),
    !isShown && repairs.length > 0 && element("details", { class: "others" },
      element("summary", {}, say("story.repairs", { count: repairs.length })), repairsView(repairs)));
}
