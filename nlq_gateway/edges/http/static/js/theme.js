/** Light or dark: as the system has it, until somebody chooses. Runs before the page is drawn, so it is no module. */

(() => {
  const STORED = "nlq-theme";
  const system = matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;

  const stored = () => {
    try {
      return localStorage.getItem(STORED);
    } catch {
      return null;
    }
  };
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);

  if (["light", "dark"].includes(stored())) root.dataset.theme = stored();

  document.addEventListener("DOMContentLoaded", () => {
    const toggle = document.getElementById("theme");
    const tell = () => toggle.setAttribute("aria-pressed", String(isDark()));
    toggle.addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      tell();
      try {
        localStorage.setItem(STORED, root.dataset.theme);
      } catch {
        // The choice then holds until the page is left.
      }
    });
    system.addEventListener("change", tell);
    toggle.hidden = false;
    tell();
  });
})();
