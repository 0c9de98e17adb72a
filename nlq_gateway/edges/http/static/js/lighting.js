/** Steps and SPARQL lines light each other, on hover and on focus, in both directions. */

// A page that scrolls under a mouse at rest gets events as of a mouse that moves; they shall light nothing.
const mouse = { place: "", moved: false };
document.addEventListener("mousemove", ({ screenX, screenY }) => {
  const place = `${screenX},${screenY}`;
  mouse.moved = place !== mouse.place;
  mouse.place = place;
}, { capture: true });

/**
 * Join steps (`Map` of number to the list's item) and lines (`[{node, steps}]`).
 * Pressing a step's button also brings its first line into view.
 */
export function joinLights(steps, lines) {
  let focused = new Set();
  const light = (numbers) => {
    for (const [number, node] of steps) node.classList.toggle("lit", numbers.has(number));
    for (const line of lines) line.node.classList.toggle("lit", [...numbers].some((number) => line.steps.has(number)));
  };
  const join = (node, numbers, onFocus) => {
    node.addEventListener("mousemove", () => mouse.moved && light(numbers));
    node.addEventListener("mouseleave", () => light(focused));
    node.addEventListener("focusin", () => {
      focused = numbers;
      light(numbers);
      onFocus();
    });
    node.addEventListener("focusout", () => {
      focused = new Set();
      light(focused);
    });
  };
  for (const [number, node] of steps) {
    const first = () => lines.find((line) => line.steps.has(number))?.node;
    join(node, new Set([number]), () => scrollWithin(first(), ".sparql"));
    node.querySelector("button").addEventListener("click", () => first()?.scrollIntoView({ block: "nearest" }));
  }
  for (const line of lines.filter(({ steps: numbers }) => numbers.size > 0)) join(line.node, line.steps, () => {});
}

/** Scroll a node's own box to the node, and nothing around the box. */
function scrollWithin(node, box) {
  const around = node?.closest(box);
  if (!around) return;
  const top = node.offsetTop - around.offsetTop;
  const visible = top >= around.scrollTop && top + node.offsetHeight <= around.scrollTop + around.clientHeight;
  if (!visible) around.scrollTop = top - around.clientHeight / 4;
}
