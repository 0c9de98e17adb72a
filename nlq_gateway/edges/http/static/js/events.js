/** Server-sent events of a response that is being read (https://html.spec.whatwg.org/multipage/server-sent-events.html). */

/** Whether a response is a stream of events. */
export function isStream(response) {
  return /^text\/event-stream\b/i.test(response.headers.get("Content-Type") ?? "");
}

/** The events as they arrive, `{event, data}` with the data parsed; comments are passed over. */
export async function* eventsOf(response) {
  for await (const block of blocksOf(response.body)) {
    const event = readEvent(block);
    if (event) yield event;
  }
}

/** The texts between blank lines. What comes after the last one is no whole event and is left out. */
async function* blocksOf(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (rest + value).replaceAll("\r\n", "\n").split("\n\n");
    rest = blocks.pop();
    yield* blocks;
  }
}

function readEvent(block) {
  const fields = { event: "message", data: [] };
  for (const line of block.split("\n")) {
    const [, name, value] = /^(\w*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === "data") fields.data.push(value ?? "");
    else if (name === "event") fields.event = value;
  }
  return fields.data.length > 0 && { event: fields.event, data: JSON.parse(fields.data.join("\n")) };
}
