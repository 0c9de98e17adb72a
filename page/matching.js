/** How what is being written is compared with names: without case, accents and marks. */

/** Whether a name begins so. */
export function starts(name, text) {
  return plain(name).startsWith(plain(text));
}

/** Whether a word of the name begins so. */
export function holds(name, text) {
  return ` ${plain(name)}`.includes(` ${plain(text)}`);
}

function plain(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ").trim();
}

/** The items of these kinds of which a name fits, those with such a label first; searched for where the schema is larger than what is here. */
export async function matching(vocabulary, kinds, text, namesOf) {
  const { items, truncated } = await vocabulary.schema();
  const found = items.filter((item) => kinds.includes(item.kind) && namesOf(item).some((name) => name && holds(name, text)));
  const fitting = found.sort((one, other) => starts(other.label ?? "", text) - starts(one.label ?? "", text));
  if (!truncated || text.length < 2) return fitting;
  const more = (await Promise.all(kinds.map((kind) => vocabulary.search(text, kind)))).flat();
  return [...fitting, ...more.filter(({ iri }) => !fitting.some((item) => item.iri === iri))];
}
