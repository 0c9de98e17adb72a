/** SPARQL 1.1 query results in JSON as a table (https://www.w3.org/TR/sparql11-results-json/). */

const XSD = "http://www.w3.org/2001/XMLSchema#";
const NUMERIC = new Set(["integer", "decimal", "double", "float", "long", "int", "nonNegativeInteger"].map((name) => XSD + name));

/** `{columns, rows}` with values as those of an answer; a variable without a value is null. */
export function resultsOf({ head, results }) {
  const columns = head.vars ?? [];
  return { columns, rows: results.bindings.map((binding) => columns.map((name) => valueOf(binding[name]))) };
}

function valueOf(term) {
  if (!term) return null;
  if (term.type === "uri") return { value: term.value, label: term.value, type: "iri" };
  if (term.type === "triple") return { value: JSON.stringify(term.value), type: "literal" };
  const { value, datatype, "xml:lang": lang } = term;
  if (datatype === `${XSD}boolean`) return { value, type: "boolean", datatype };
  return { value, type: NUMERIC.has(datatype) ? "number" : "literal", datatype, lang };
}
