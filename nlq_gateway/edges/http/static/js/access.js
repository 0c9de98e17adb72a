/** The key that a protected gateway wants. It is kept until the tab is closed, and sent to this gateway only. */

import { keep, kept, tabStorage } from "./kept.js";

const STORED = "nlq-access";

let access = kept(tabStorage, STORED, null);

/** How the gateway wants its key, by the header `WWW-Authenticate` of its 401: `{header, scheme}`. */
export function challengeOf(authenticate) {
  const named = /\bheader="?([\w-]+)"?/i.exec(authenticate ?? "") ?? /^(X-[\w-]+)/i.exec(authenticate ?? "");
  return named ? { header: named[1], scheme: "" } : { header: "Authorization", scheme: "Bearer " };
}

/** The headers that a request carries, none while no key is known. */
export function accessHeaders() {
  return access ? { [access.header]: access.scheme + access.key } : {};
}

/** Whether a key is sent. */
export function hasKey() {
  return access !== null;
}

/** Send this key from now on, as the challenge says. */
export function useKey({ header, scheme }, key) {
  access = { header, scheme, key };
  keep(tabStorage, STORED, access);
}

/** Send none from now on. */
export function forgetKey() {
  access = null;
  keep(tabStorage, STORED, null);
}
