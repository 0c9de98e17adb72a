/** Most of the page's modules and styles are not needed for its first view: they come after it, or when wanted. */

import { Problem, UNREACHABLE } from "./api.js";

const STYLES = ["answer", "program", "sparql", "story", "panels"];

let loading;

/** The exports of `views.js`, with its styles in place. It fails with a Problem, and tries again when called again. */
export function views() {
  loading ??= load().catch(() => {
    loading = undefined;
    throw new Problem(UNREACHABLE);
  });
  return loading;
}

async function load() {
  const [found] = await Promise.all([import("./views.js"), ...STYLES.map(style)]);
  return found;
}

function style(name) {
  return new Promise((resolve, reject) => {
    const link = document.createElement("link");
    Object.assign(link, { rel: "stylesheet", href: new URL(`../css/${name}.css`, import.meta.url).href, onload: resolve, onerror: reject });
    document.head.append(link);
  });
}
