/** Texts that are no question to the graph: greetings, calls for help, "tell me about", and "what connects". */

const HELP = [
  /^(?:hi|hello|hey|good (?:morning|afternoon|evening)|help(?: me)?|what (?:can|could|may) (?:i|we|you) (?:ask|do|answer)(?: (?:here|about|you))?|what do you know)$/,
  /^(?:hallo|guten (?:morgen|tag|abend)|hilfe|was kann (?:ich|man) (?:hier )?fragen|was wei(?:ß|ss)t du)$/,
  /^(?:bonjour|salut|bonsoir|aide|à l'aide|que puis-je (?:demander|poser)|qu'est-ce que je peux demander)$/,
  /^(?:hola|buenos días|buenas tardes|ayuda|qué puedo preguntar|¿qué puedo preguntar)$/,
];

const ABOUT = [
  /^(?:please )?(?:tell me|show me|what do you know)(?: more| something| everything| all)? about (.+)$/i,
  /^describe (.+)$/i,
  /^(?:erzähle?|sag) mir (?:etwas |mehr |alles )?(?:von|über|zu) (.+)$/i,
  /^was wei(?:ß|ss)t du (?:von|über) (.+)$/i,
  /^(?:parlez|parle|dites|dis)-moi (?:de|tout sur|plus sur) (.+)$/i,
  /^(?:háblame|cuéntame) (?:de|sobre) (.+)$/i,
];

const CONNECTED = [
  /^how (?:is|are|was|were) (.+) (?:connected|linked) (?:to|with) (.+)$/i,
  /^how (?:are|were) (.+) and (.+) (?:connected|linked)(?: (?:to|with) each other)?$/i,
  /^what (?:connects|links) (.+) (?:and|to|with) (.+)$/i,
  /^(?:what is |show (?:me )?|find )?(?:the |a )?(?:shortest )?(?:path|connection) (?:between (.+) and|from (.+) to) (.+)$/i,
  /^wie (?:sind|ist|hängt|hängen) (.+) (?:mit|und) (.+) (?:verbunden|zusammen)$/i,
  /^was verbindet (.+) (?:mit|und) (.+)$/i,
  /^(?:der |die )?(?:kürzeste[r]? )?(?:weg|pfad|verbindung) (?:zwischen (.+) und|von (.+) (?:zu|nach)) (.+)$/i,
  /^comment (.+) (?:est|sont)-(?:il|elle)s? (?:re)?liée?s? (?:à|avec) (.+)$/i,
  /^qu['’]est-ce qui (?:re)?lie (.+) (?:à|et) (.+)$/i,
  /^(?:le |la )?(?:chemin|lien) entre (.+) et (.+)$/i,
  /^¿?cómo (?:está|están) (?:conectad|relacionad)[oa]s? (.+) (?:con|y) (.+)$/i,
  /^¿?qué (?:conecta|une) (?:a )?(.+) (?:con|y) (.+)$/i,
  /^(?:el |la )?(?:camino|conexión) entre (.+) y (.+)$/i,
];

/** Whether the request is for what can be asked. */
export function isForHelp({ question = "" }) {
  const said = bare(question).toLowerCase();
  return HELP.some((form) => form.test(said));
}

/** What shall be described, `{iri}` or `{name}`; undefined for anything else. */
export function aboutOf({ thing, question = "" }) {
  if (thing) return { iri: thing };
  const name = ABOUT.map((form) => form.exec(bare(question))?.[1]).find(Boolean);
  return name && { name: name.slice(0, 200) };
}

/** What shall be connected, `{from, to}`; undefined for anything else. */
export function endsOf({ from, to, question = "" }) {
  if (from && to) return { from, to };
  const ends = CONNECTED.map((form) => form.exec(bare(question))?.slice(1).filter(Boolean)).find(Boolean);
  return ends && { from: unquoted(ends[0]), to: unquoted(ends[1]) };
}

function unquoted(name) {
  return name.replace(/^["“„«]\s*|\s*["”“»]$/g, "").slice(0, 200);
}

function bare(question) {
  return question.trim().replace(/[\s?!.]+$/, "");
}
