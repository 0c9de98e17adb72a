/** Steps and SPARQL lines light each other: on hover, and for a step on focus. */

/**
 * Join steps (`Map` of number to node) and lines (`[{node, steps}]`).
 * Pressing a step's button also brings its first line into view.
 */
export function joinLights(steps, lines) {
  const light = (numbers) => {
    for (const [number, node] of steps) node.classList.toggle("lit", numbers.has(number));
    for (const line of lines) line.node.classList.toggle("lit", [...numbers].some((number) => line.steps.has(number)));
  };
  let focused = new Set();
  const leave = () => light(focused);
  for (const [number, node] of steps) {
    const own = new Set([number]);
    const reveal = () => lines.find((line) => line.steps.has(number))?.node;
    node.addEventListener("mouseenter", () => light(own));
    node.addEventListener("mouseleave", leave);
    node.addEventListener("focusin", () => {
      focused = own;
      light(own);
      scrollWithin(reveal());
    });
    node.addEventListener("focusout", () => {
      focused = new Set();
      light(focused);
    });
    node.querySelector("button").addEventListener("click", () => reveal()?.scrollIntoView({ block: "nearest" }));
  }
  for (const { node, steps: numbers } of lines) {
    if (numbers.size === 0) continue;
    node.addEventListener("mouseenter", () => light(numbers));
    node.addEventListener("mouseleave", leave);
  }
}

/** Scroll the line's own box to the line, and nothing around the box. */
function scrollWithin(line) {
  const box = line?.closest(".sparql");
  if (!box) return;
  const top = line.offsetTop - box.offsetTop;
  const visible = top >= box.scrollTop && top + line.offsetHeight <= box.scrollTop + box.clientHeight;
  if (!visible) box.scrollTop = top - box.clientHeight / 4;
}
