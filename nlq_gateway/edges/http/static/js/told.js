/** What is told without a question to the graph: help, a thing or a class, how two things are connected. */

import { Problem, datasets, describe, path } from "./api.js";
import { chooseDataset, chosenDataset } from "./datasets.js";
import { aboutOf, endsOf, isForHelp } from "./intents.js";
import { helpView } from "./overview.js";
import { pathView, spokenPath } from "./path.js";
import { entitle, say } from "./strings.js";
import { thingView } from "./thing.js";

/** What is shown of a request that is no question to the graph, `[nodes, spoken]`; undefined for others. */
export async function toldOf(request, signal) {
  if (request.program || request.trace) return undefined;
  if (isForHelp(request)) return [await helpView(request.dataset, signal), say("help.title")];
  const connection = await lookedUp(path, endsOf(request), request, signal);
  if (connection) {
    entitle(connection.ends.map(({ label }) => label).join(" – "));
    return [pathView(connection), spokenPath(connection)];
  }
  const thing = await lookedUp(describe, aboutOf(request), request, signal);
  if (!thing) return undefined;
  entitle(thing.label);
  return [thingView(thing), thing.label];
}

/** What the graph has of what is asked about; undefined where the request is about nothing, or a name is nobody's. */
async function lookedUp(look, about, request, signal) {
  if (!about) return undefined;
  const dataset = request.dataset ?? chosenDataset() ?? (await datasets()).datasets[0]?.id;
  try {
    const found = await look(dataset, about, signal);
    chooseDataset(dataset);
    return found;
  } catch (error) {
    // A name that nothing bears is a question like others.
    if (request.question && error instanceof Problem && error.fields.status === 404) return undefined;
    throw error;
  }
}
