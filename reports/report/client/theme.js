// The theme button: auto (as the system prefers), light, dark. Runs in the head, so that no page flashes.
{
  const KEY = "hashbench-theme";
  const THEMES = ["auto", "light", "dark"];
  const root = document.documentElement;

  /** @returns {string} */
  const stored = () => {
    try {
      return localStorage.getItem(KEY) ?? "auto";
    } catch {
      return "auto"; // Storage may be refused to files.
    }
  };

  /** @param {string} theme */
  const apply = (theme) => {
    if (theme === "auto") delete root.dataset.theme;
    else root.dataset.theme = theme;
    const name = document.querySelector("#theme b");
    if (name) name.textContent = theme;
  };

  apply(stored());
  document.addEventListener("DOMContentLoaded", () => {
    apply(stored());
    const button = document.getElementById("theme");
    if (!button) return;
    button.hidden = false;
    button.addEventListener("click", () => {
      const now = root.dataset.theme ?? "auto";
      const next = THEMES[(THEMES.indexOf(now) + 1) % THEMES.length] ?? "auto";
      try {
        localStorage.setItem(KEY, next);
      } catch {
        // The choice lasts as long as the page.
      }
      apply(next);
    });
  });
}
