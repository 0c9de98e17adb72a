/** What an editor completes with: the names of a dataset's graph. Where they cannot be had, the editor works without. */

import { Problem, schema, suggest } from "./api.js";

const SCHEMA_LIMIT = 500;
const SEARCH_LIMIT = 20;
const NOTHING = { items: [], prefixes: {}, functions: [] };
const schemas = new Map();

/** `{schema(), search(text, kind), names(text)}` of a dataset; the schema is asked for once. */
export function vocabularyOf(dataset) {
  return {
    schema: () => (dataset ? schemaOf(dataset) : NOTHING),
    search: async (query, kind) => (dataset ? (await orNothing(schema(dataset, { query, kind, limit: SEARCH_LIMIT }))).items : []),
    names: async (text) => (dataset ? orNothing(suggest(dataset, text, SEARCH_LIMIT), []) : []),
  };
}

async function schemaOf(dataset) {
  if (!schemas.has(dataset)) {
    const found = await orNothing(schema(dataset, { limit: SCHEMA_LIMIT }));
    if (found === NOTHING) return found;
    schemas.set(dataset, { ...NOTHING, ...found });
  }
  return schemas.get(dataset);
}

async function orNothing(promise, nothing = NOTHING) {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof Problem) return nothing;
    throw error;
  }
}
