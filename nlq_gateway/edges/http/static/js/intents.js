/** Texts that are no question to the graph: greetings, calls for help, and "tell me about". */

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

function bare(question) {
  return question.trim().replace(/[\s?!.]+$/, "");
}
