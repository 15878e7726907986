// Filters: a text, a paper, a table, a verdict, devices. All of them stand in the address, so that it can be passed on.
{
  const form = document.getElementById("filters");
  if (form instanceof HTMLFormElement) {
    form.hidden = false;
    const boxes = [...form.querySelectorAll("input[name=device]")].filter((box) => box instanceof HTMLInputElement);
    const usual = boxes.filter((box) => box.defaultChecked).map((box) => box.value);
    /** @type {((values: FilterValues) => void)[]} */
    const listeners = [];

    /** @returns {FilterValues} */
    function values() {
      const data = new FormData(/** @type {HTMLFormElement} */ (form));
      const text = (/** @type {string} */ name) => String(data.get(name) ?? "");
      const words = text("q").toLowerCase().split(/\s+/).filter(Boolean);
      return {
        words,
        paper: text("paper"),
        table: text("table"),
        verdict: text("verdict"),
        view: text("view"),
        devices: data.getAll("device").map(String),
      };
    }

    /** @param {string} name @param {string} value */
    function set(name, value) {
      const control = /** @type {HTMLFormElement} */ (form).elements.namedItem(name);
      if (control instanceof HTMLSelectElement && ![...control.options].some((o) => o.value === value)) return;
      if (control instanceof HTMLInputElement || control instanceof HTMLSelectElement) control.value = value;
    }

    function read() {
      const asked = new URLSearchParams(location.search);
      for (const name of ["q", "paper", "table", "verdict", "view"]) set(name, asked.get(name) ?? "");
      const devices = asked.getAll("device").filter((slug) => boxes.some((box) => box.value === slug));
      const shown = devices.length > 0 ? devices : usual;
      for (const box of boxes) box.checked = shown.includes(box.value);
    }

    function write() {
      const { words, devices, ...rest } = values();
      const asked = new URLSearchParams();
      if (words.length > 0) asked.set("q", words.join(" "));
      for (const [name, value] of Object.entries(rest)) if (value !== "") asked.set(name, value);
      if (devices.join() !== usual.join()) for (const slug of devices) asked.append("device", slug);
      const text = asked.toString();
      try {
        history.replaceState(null, "", `${location.pathname}${text && `?${text}`}${location.hash}`);
      } catch {
        // Some browsers keep the address of a file as it is.
      }
    }

    function tell() {
      // No device at all is none to read about.
      const last = boxes.find((box) => box.checked) ?? boxes[0];
      if (last) last.checked = true;
      const now = values();
      const count = document.getElementById("device-count");
      if (count) count.textContent = `${now.devices.length} of ${boxes.length}`;
      for (const listener of listeners) listener(now);
    }

    function changed() {
      tell();
      write();
    }

    form.addEventListener("input", changed);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", (event) => {
      event.preventDefault();
      for (const name of ["q", "paper", "table", "verdict", "view"]) set(name, "");
      for (const box of boxes) box.checked = usual.includes(box.value);
      changed();
    });
    addEventListener("popstate", () => {
      read();
      tell();
    });
    // A chooser that is left closes.
    const chooser = form.querySelector("details");
    document.addEventListener("click", ({ target }) => {
      if (chooser && target instanceof Node && !chooser.contains(target)) chooser.open = false;
    });
    document.addEventListener("keydown", ({ key }) => {
      if (chooser && key === "Escape") chooser.open = false;
    });

    /**
     * Whether an element is of the paper, the table and the words that are asked for. `text` is what it says.
     * @param {HTMLElement} element @param {string} text @param {FilterValues} wanted
     */
    function fits({ dataset }, text, { words, paper, table }) {
      return (
        (paper === "" || dataset.paper === paper) &&
        (table === "" || (dataset.tables ?? "").split(" ").includes(table)) &&
        words.every((word) => text.includes(word))
      );
    }

    /** @param {number} shown @param {number} all @param {string} one @param {string} [many] */
    const counted = (shown, all, one, many = `${one}s`) =>
      `${shown === all ? "" : `${shown} of `}${all} ${all === 1 ? one : many} shown`;

    read();
    Object.assign(globalThis, {
      filters: {
        /** Tells the values now, and whenever they change. @param {(values: FilterValues) => void} listener */
        listen(listener) {
          listeners.push(listener);
          listener(values());
        },
        /** @param {string} name @param {string} value */
        choose(name, value) {
          set(name, value);
          changed();
        },
        fits,
        counted,
      },
    });
    // Last of all scripts: what listens is there.
    addEventListener("DOMContentLoaded", tell);

    // The target of a link is shown, whatever is filtered.
    function follow() {
      const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
      if (!target) return;
      if (!target.checkVisibility()) /** @type {HTMLFormElement} */ (form).reset();
      const button = target.querySelector(".disclose");
      if (target.matches("tr") && button instanceof HTMLElement && button.getAttribute("aria-expanded") === "false")
        button.click();
      target.scrollIntoView();
    }
    addEventListener("hashchange", follow);
    addEventListener("DOMContentLoaded", follow);
  }
}
