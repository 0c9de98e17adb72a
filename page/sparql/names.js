/** Prefixed names: which prefixes a query declares, and how an IRI is written. */

/** What PN_LOCAL allows without escapes. */
const LOCAL = /^[\p{L}\p{N}_](?:[\p{L}\p{N}_.-]*[\p{L}\p{N}_-])?$/u;

/** The prefixes that tokens declare, a Map to their namespaces. */
export function prefixesOf(tokens) {
  const declarations = tokens.map((token, index) => [token, tokens[index + 1], tokens[index + 2]])
    .filter(([keyword, name, iri]) => keyword.tokenType.name === "PrefixDecl" && name && iri);
  return new Map(declarations.map(([, name, iri]) => [prefixOf(name.image), iri.image.slice(1, -1)]));
}

/** What stands before the colon of a prefixed name. */
export function prefixOf(name) {
  return name.slice(0, name.indexOf(":"));
}

/** The IRI of a token that is a name; undefined where its prefix is unknown, or it is no name. */
export function iriOf({ image, tokenType: { name } }, prefixes) {
  if (name === "IriRef") return image.slice(1, -1);
  if (!/^PName/.test(name)) return undefined;
  const namespace = prefixes.get(prefixOf(image));
  return namespace === undefined ? undefined : namespace + image.slice(image.indexOf(":") + 1).replaceAll("\\", "");
}

/** How an IRI is written by these prefixes, `{text, prefix?}`: by the longest namespace, else in full. */
export function written(iri, prefixes) {
  const fitting = [...prefixes].filter(([, namespace]) => namespace && iri.startsWith(namespace) && LOCAL.test(iri.slice(namespace.length)));
  const [best] = fitting.sort(([, one], [, other]) => other.length - one.length);
  return best ? { text: `${best[0]}:${iri.slice(best[1].length)}`, prefix: best[0] } : { text: `<${iri}>` };
}
