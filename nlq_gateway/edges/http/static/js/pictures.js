/**
 * Pictures for values that are images. They are loaded from the origins alone that the gateway's settings name
 * (`server.pictures`): a page that shows a picture tells its host who looks at what.
 */

import { datasets } from "./api.js";
import { element } from "./dom.js";

const ENDING = /\.(?:avif|gif|jpe?g|png|svg|webp)$/i;
const FOAF = "http://xmlns.com/foaf/0.1/";
const NAMES = ["image", "logo", "photo", "thumbnail", "thumbnailUrl", "contentUrl"];
/** Properties whose values are images, whatever these are called; of Wikidata image, logo and flag. */
const OF_IMAGES = new Set([
  ...["depiction", "img", "thumbnail"].map((name) => FOAF + name),
  ...["http://schema.org/", "https://schema.org/"].flatMap((base) => NAMES.map((name) => base + name)),
  "http://dbpedia.org/ontology/thumbnail",
  ...["P18", "P41", "P154"].flatMap((name) => ["entity/", "prop/direct/"].map((path) => `http://www.wikidata.org/${path}${name}`)),
]);

let origins;

/** Whether the values of a property are images. */
export function isOfImages(iri) {
  return OF_IMAGES.has(iri);
}

/**
 * A place for the picture that an IRI or text is the address of, and that is there once it may be; null for what is no
 * image. Its name stands beside it, so that it has none of its own.
 */
export function pictureOf(address, known = false) {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!/^https?:$/.test(url?.protocol) || !(known || ENDING.test(url.pathname))) return null;
  const place = element("span", { class: "picture" });
  fill(place, url);
  return place;
}

async function fill(place, url) {
  const allowed = await allowedOrigins();
  const secure = new URL(url.href.replace(/^http:/, "https:"));
  const source = [secure, url].find(({ origin }) => allowed.has(origin));
  if (!source) return;
  const picture = element("img", { src: source.href, alt: "", loading: "lazy", decoding: "async", referrerpolicy: "no-referrer" });
  picture.addEventListener("error", () => picture.remove());
  place.append(picture);
}

/** The origins, asked for once; none while the gateway cannot be asked. */
async function allowedOrigins() {
  origins ??= datasets();
  try {
    return new Set((await origins).pictures ?? []);
  } catch {
    origins = undefined;
    return new Set();
  }
}
