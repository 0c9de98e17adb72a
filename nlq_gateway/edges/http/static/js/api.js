/** The gateway's HTTP interface. Every failure is a Problem; addresses are relative, so a path prefix works. */

import { accessHeaders, challengeOf } from "./access.js";
import { eventsOf, isStream } from "./events.js";
import { say } from "./strings.js";

const JSON_TYPE = "application/json";
const RESULTS = "application/sparql-results+json";

/** A failure as RFC 9457 describes it, with the gateway's own fields (`hint`, `retryable`, `issues`, ...). */
export class Problem extends Error {
  constructor(fields) {
    super(fields.title);
    this.fields = fields;
  }
}

/** The fields of a request that got no response. */
export const UNREACHABLE = {
  title: say("problem.unreachable"),
  hint: say("problem.unreachable.hint"),
  retryable: true,
};

const UNREADABLE = {
  title: say("problem.unreadable"),
  hint: say("problem.unreadable.hint"),
  retryable: true,
};

let streaming = true;

/** Answer a question, `{question, dataset?, strategy?, pins?}`; `onEvent` is called with what happens on the way. */
export function ask({ question, dataset, strategy, pins }, signal, onEvent) {
  return answered("nlq", { question, dataset, strategy, pins: someOf(pins) }, signal, onEvent);
}

/** Carry out a program, `{program, dataset?, pins?}`, as a question is answered. */
export function run({ program, dataset, pins }, signal, onEvent) {
  return answered("run", { program, dataset, pins: someOf(pins) }, signal, onEvent);
}

/** What is wrong with a program is a Problem with `issues` or a `position`; one that is right has its query. */
export function compile({ program, dataset }) {
  return fetchJson("compile", posted(JSON_TYPE, JSON.stringify({ program, dataset })));
}

/** The program that gives a query's rows, and where in the query its steps are; a Problem of status 422 says why there is none. */
export function explain(dataset, sparql, signal) {
  return fetchJson("explain", { ...posted(JSON_TYPE, JSON.stringify({ sparql, dataset })), signal });
}

/** The functions of programs, `[{name, inputs, parameters, output, meaning}]`. */
export function functions(dataset) {
  return fetchJson(`datasets/${encodeURIComponent(dataset)}/functions`, {});
}

/** The response that was given under a trace's id. */
export function trace(id, signal) {
  return fetchJson(`traces/${encodeURIComponent(id)}`, { signal });
}

/** The table of the response under a trace's id, as a file of a media type; with the IRIs of things where these are wanted. */
export async function table(id, media, iris) {
  const response = await send(`traces/${encodeURIComponent(id)}${iris ? "?iris=true" : ""}`, { accept: media });
  return orProblem(response.blob(), UNREADABLE);
}

/** Say what one thinks of an answer: `{correct, program?, comment?}`. */
export function sendFeedback(id, opinion) {
  return fetchJson(`traces/${encodeURIComponent(id)}/feedback`, posted(JSON_TYPE, JSON.stringify(opinion)));
}

/** `{datasets, strategies, feedback}`: what can be asked, the default first, and how, and what feedback does. */
export function datasets() {
  return fetchJson("datasets", {});
}

/** What a dataset's schema has: `{counts, items, truncated}`. */
export function schema(dataset, { query, kind, limit }, signal) {
  const wanted = new URLSearchParams({ limit, ...(query && { q: query }), ...(kind && { kind }) });
  return fetchJson(`datasets/${encodeURIComponent(dataset)}/schema?${wanted}`, { signal });
}

/** What a dataset has of a thing or class, by its `iri` or a `name`. */
export function describe(dataset, wanted, signal) {
  return fetchJson(`datasets/${encodeURIComponent(dataset)}/describe?${new URLSearchParams(wanted)}`, { signal });
}

/** How two things, each an IRI or a name, are connected. */
export function path(dataset, ends, signal) {
  return fetchJson(`datasets/${encodeURIComponent(dataset)}/path?${new URLSearchParams(ends)}`, { signal });
}

/** How a text may go on: `[{text, kind, iri?, label?}]`. */
export function suggest(dataset, text, limit, signal) {
  const wanted = new URLSearchParams({ q: text.slice(-200), limit });
  return fetchJson(`datasets/${encodeURIComponent(dataset)}/suggest?${wanted}`, { signal });
}

/** What a query gives: SPARQL results as they were parsed, or a graph's text as `{graph}`. */
export async function query(dataset, text, signal) {
  const address = dataset ? `${encodeURIComponent(dataset)}/sparql` : "sparql";
  const response = await send(address, {
    ...posted("application/sparql-query", text), signal, accept: `${RESULTS}, text/turtle;q=0.9`,
  });
  if (response.headers.get("Content-Type")?.startsWith("text/turtle")) return { graph: await response.text() };
  return orProblem(response.json(), UNREADABLE);
}

/** The answer, from a stream of events where the gateway sends one, else whole. */
async function answered(address, body, signal, onEvent) {
  const options = { ...posted(JSON_TYPE, JSON.stringify(body)), signal };
  if (!streaming) return fetchJson(address, options);
  const response = await send(address, { ...options, accept: `text/event-stream, ${JSON_TYPE};q=0.9` });
  if (!isStream(response)) return orProblem(response.json(), UNREADABLE);
  const answer = await streamed(response, signal, onEvent);
  if (answer) return answer;
  // Something on the way cuts streams: from here on answers are fetched whole.
  streaming = false;
  return fetchJson(address, options);
}

/** The answer at the end of a stream; undefined where the stream breaks off before it. */
async function streamed(response, signal, onEvent) {
  let answer;
  try {
    for await (const { event, data } of eventsOf(response)) {
      if (event === "error") throw new Problem(data);
      if (event === "answer") answer = data;
      else onEvent(event, data);
    }
  } catch (error) {
    if (error instanceof Problem || signal.aborted) throw error;
  }
  return answer;
}

async function fetchJson(address, options) {
  return orProblem((await send(address, options)).json(), UNREADABLE);
}

async function send(address, { accept = JSON_TYPE, headers, ...options }) {
  const all = { ...headers, ...accessHeaders(), Accept: accept };
  const response = await orProblem(fetch(address, { ...options, headers: all }), UNREACHABLE);
  if (!response.ok) throw await problemOf(response);
  return response;
}

function posted(type, body) {
  return { method: "POST", headers: { "Content-Type": type }, body };
}

function someOf(items) {
  return items?.length ? items : undefined;
}

async function orProblem(promise, fields) {
  try {
    return await promise;
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem({ ...fields, detail: error.message });
  }
}

async function problemOf(response) {
  const outside = {
    title: response.statusText || say("problem.failed"),
    detail: say("problem.outside"),
    retryable: response.status >= 500,
  };
  const described = /\bjson\b/.test(response.headers.get("Content-Type") ?? "");
  const fields = described ? await orProblem(response.json(), UNREADABLE) : outside;
  const wait = Number(response.headers.get("Retry-After"));
  const challenge = response.status === 401 ? challengeOf(response.headers.get("WWW-Authenticate")) : undefined;
  return new Problem({ status: response.status, retryAfter: wait || undefined, challenge, ...fields });
}
