/** A program of steps, line by line, as far as an editor needs it. */

/** `Step 2: Relate(directed by, backward) <- 1` as its number, function and sources. */
const LINE = /^\s*(?:step\s+(?<number>\d+)\s*[:.]\s*)?(?<name>\w+)\s*\(.*?(?:<-\s*(?<sources>[\d,\s]+|none))?\s*$/i;

/** How lines are coloured. */
export const MODE = {
  name: "program",
  token(stream) {
    if (stream.match(/^step\s+\d+\s*[:.]/i)) return "meta";
    if (stream.match(/^\w+(?=\s*\()/)) return "keyword";
    if (stream.match(/^"(?:\\.|[^"\\])*"?/)) return "string";
    if (stream.match(/^(?:<-|->)/)) return "operator";
    if (stream.match(/^[^,()"\s<-]+/)) return "propertyName";
    stream.next();
    return null;
  },
};

/** The steps of these lines that no other takes yet, `[{number, output}]`, and how many steps there are. */
export function openSteps(lines, table) {
  const outputs = new Map();
  let open = [];
  for (const line of lines) {
    const { name, sources } = LINE.exec(line)?.groups ?? {};
    const known = table.get(name);
    if (!name) continue;
    const number = outputs.size + 1;
    const taken = sources ? sources.split(",").map(Number) : latest(open, known).map((step) => step.number);
    open = open.filter((step) => !taken.includes(step.number));
    outputs.set(number, known?.output);
    open.push({ number, name, output: known?.output });
  }
  return { open, count: outputs.size };
}

/** Whether the latest open steps give what a function takes. */
export function takes(known, open) {
  const feeding = latest(open, known);
  const enough = known.variadic ? feeding.length > 0 : feeding.length === known.inputs.length;
  return enough && feeding.every(({ output }, at) => !output || known.inputs[known.variadic ? 0 : at].includes(output));
}

function latest(open, known) {
  const most = known?.variadic ? open.length : (known?.inputs.length ?? 0);
  return most > 0 ? open.slice(-most) : [];
}
