/** What this browser keeps, as JSON. Where it keeps nothing (private windows, a full disk), the page works without. */

/** The value under a name; the fallback where there is none, or none that can be read. */
export function kept(storage, name, fallback) {
  try {
    return JSON.parse(storage().getItem(name)) ?? fallback;
  } catch {
    return fallback;
  }
}

/** Keep a value; null removes it. */
export function keep(storage, name, value) {
  try {
    if (value === null) storage().removeItem(name);
    else storage().setItem(name, JSON.stringify(value));
  } catch {
    // The page goes on with what it has in memory.
  }
}

/** Storage of this browser. Reaching for it may be refused, so that it is asked for anew each time. */
export const browserStorage = () => window.localStorage;

/** Storage of this tab, until it is closed. */
export const tabStorage = () => window.sessionStorage;
