/** The gateway's HTTP interface. Every failure is a Problem; addresses are relative, so a path prefix works. */

/** A failure as RFC 9457 describes it, with the gateway's own fields (`hint`, `retryable`, `issues`, ...). */
export class Problem extends Error {
  constructor(fields) {
    super(fields.title);
    this.fields = fields;
  }
}

const UNREACHABLE = {
  title: "The gateway did not respond",
  hint: "Check that it is running and that this machine can reach it.",
  retryable: true,
};

const UNREADABLE = {
  title: "The response could not be read",
  hint: "Something between this page and the gateway may have changed or cut it.",
  retryable: true,
};

/** Answer a question: `{question, dataset?, pins?}`. */
export function ask({ question, dataset, pins }, signal) {
  const body = { question };
  if (dataset) body.dataset = dataset;
  if (pins?.length) body.pins = pins;
  return fetchJson("nlq", {
    method: "POST",
    headers: { "Content-Type": "application/json", Accept: "application/json" },
    body: JSON.stringify(body),
    signal,
  });
}

/** The response that was given under a trace's id. */
export function trace(id, signal) {
  return fetchJson(`traces/${encodeURIComponent(id)}`, { headers: { Accept: "application/json" }, signal });
}

/** The datasets that can be asked, the default first. */
export async function datasets() {
  return (await fetchJson("datasets", { headers: { Accept: "application/json" } })).datasets;
}

async function fetchJson(address, options) {
  const response = await orProblem(fetch(address, options), UNREACHABLE);
  if (!response.ok) throw await problemOf(response);
  return orProblem(response.json(), UNREADABLE);
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
    title: response.statusText || "The request failed",
    detail: "The response does not come from the gateway itself; a proxy in front of it may have sent it.",
    retryable: response.status >= 500,
  };
  const described = /\bjson\b/.test(response.headers.get("Content-Type") ?? "");
  const fields = described ? await orProblem(response.json(), UNREADABLE) : outside;
  const wait = Number(response.headers.get("Retry-After"));
  return new Problem({ status: response.status, retryAfter: wait || undefined, ...fields });
}
