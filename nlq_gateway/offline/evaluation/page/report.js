"use strict";

// Shows the wrong questions of one class that hold all words searched for. Without a script all are shown.
const cases = [...document.querySelectorAll(".case")];
const texts = new Map(cases.map((one) => [one, one.textContent.toLowerCase()]));
const chips = [...document.querySelectorAll(".chip")];
const search = document.getElementById("search");
const shown = document.getElementById("shown");

function filter() {
  const chosen = chips.find((chip) => chip.ariaPressed === "true").dataset.mistake;
  const words = search.value.toLowerCase().split(/\s+/);
  let count = 0;
  for (const one of cases) {
    const fits = (!chosen || one.dataset.mistake === chosen) && words.every((word) => texts.get(one).includes(word));
    one.hidden = !fits;
    count += fits;
  }
  shown.textContent = count === cases.length ? count : `${count} of ${cases.length}`;
}

if (search) {
  document.querySelector(".filter").hidden = false;
  search.addEventListener("input", filter);
  for (const chip of chips) {
    chip.addEventListener("click", () => {
      for (const other of chips) other.ariaPressed = String(other === chip);
      filter();
    });
  }
}
