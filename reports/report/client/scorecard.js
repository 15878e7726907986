// Filters of the scorecard, and the rows behind a claim as a table once its line is opened.
{
  /** Columns of the table, and what stands over them. */
  const COLUMNS = [
    ["op", "op"],
    ["table", "table"],
    ["variant", "variant"],
    ["dataset", "data"],
    ["n", "n"],
    ["load_factor", "load factor"],
    ["positive_ratio", "present"],
    ["params", "params"],
    ["metric", "metric"],
    ["value", "value"],
    ["lo", "from"],
    ["hi", "to"],
    ["unit", "unit"],
    ["run", "run"],
  ];
  const NUMBERS = new Set(["n", "load_factor", "positive_ratio", "value", "lo", "hi"]);

  /** @param {string} text @param {string} name */
  const shown = (text, name) => {
    if (!NUMBERS.has(name) || text === "") return text;
    const value = Number(text);
    return name === "n"
      ? value.toLocaleString("en-US")
      : Number(value.toPrecision(5)).toLocaleString("en-US", { maximumFractionDigits: 12 });
  };

  /** @param {string} tag @param {string} text @param {string} [kind] */
  const element = (tag, text, kind) => {
    const made = document.createElement(tag);
    made.textContent = text;
    if (kind) made.className = kind;
    return made;
  };

  /**
   * The order in which a reader looks for a row.
   * @param {string[]} header
   * @returns {(a: { fields: string[] }, b: { fields: string[] }) => number}
   */
  const byCoordinates = (header) => {
    const order = ["metric", "op", "dataset", "positive_ratio", "params", "table", "variant", "n", "load_factor"];
    const columns = order.map((name) => header.indexOf(name));
    const texts = new Intl.Collator("en", { numeric: true });
    return (a, b) => {
      for (const column of columns) {
        const [left = "", right = ""] = [a.fields[column], b.fields[column]];
        const [x, y] = [Number(left), Number(right)];
        const difference = Number.isNaN(x - y) ? texts.compare(left, right) : x - y;
        if (difference !== 0) return difference;
      }
      return 0;
    };
  };

  /** @param {HTMLElement} place @returns {Promise<void>} */
  async function fill(place) {
    const lines = (place.dataset.lines ?? "").split(" ").map(Number);
    delete place.dataset.lines;
    const records = await packed.readRecords();
    const header = records.get(1) ?? [];
    const sorted = lines.map((line) => ({ line, fields: records.get(line) ?? [] })).sort(byCoordinates(header));
    const used = COLUMNS.filter(([name = ""]) =>
      sorted.some(({ fields }) => !["", "{}"].includes(fields[header.indexOf(name)] ?? "")),
    );
    const table = document.createElement("table");
    const head = table.createTHead().insertRow();
    head.append(element("th", "line"));
    for (const [name = "", title = ""] of used) head.append(element("th", title, NUMBERS.has(name) ? "value" : ""));
    for (const th of head.children) th.setAttribute("scope", "col");
    const body = table.createTBody();
    for (const { line, fields } of sorted) {
      const row = body.insertRow();
      row.append(element("td", String(line), "value"));
      for (const [name = ""] of used) {
        const text = fields[header.indexOf(name)] ?? "";
        row.append(element("td", shown(text, name), NUMBERS.has(name) ? "value" : ""));
      }
    }
    const box = element("div", "", "scroll");
    box.tabIndex = 0;
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", "Rows behind the claim");
    box.append(table);
    place.append(box);
  }

  for (const button of document.querySelectorAll(".disclose")) {
    button.addEventListener("click", () => {
      const line = button.closest("tr");
      const more = document.getElementById(button.getAttribute("aria-controls") ?? "");
      if (!line || !more) return;
      const open = button.getAttribute("aria-expanded") !== "true";
      more.hidden = !open;
      line.classList.toggle("open", open);
      button.setAttribute("aria-expanded", String(open));
      if (!open) return;
      for (const place of more.querySelectorAll("[data-lines]")) {
        if (place instanceof HTMLElement) fill(place).catch((error) => console.error(error));
      }
    });
  }

  const verdicts = [...document.querySelectorAll(".verdicts button")].filter((b) => b instanceof HTMLElement);
  const papers = document.getElementById("paper-filter");
  const status = document.getElementById("claim-count");
  let verdict = "";

  function filter() {
    const paper = papers instanceof HTMLSelectElement ? papers.value : "";
    let count = 0;
    for (const group of document.querySelectorAll(".claims > tbody")) {
      if (!(group instanceof HTMLElement)) continue;
      let own = 0;
      for (const line of group.querySelectorAll("tr.claim")) {
        if (!(line instanceof HTMLElement)) continue;
        const fits = verdict === "" || (line.dataset.verdicts ?? "").split("|").includes(verdict);
        line.hidden = !fits;
        const more = line.nextElementSibling;
        if (more instanceof HTMLElement) more.hidden = !fits || !line.classList.contains("open");
        if (fits) own++;
      }
      group.hidden = own === 0 || (paper !== "" && group.dataset.paper !== paper);
      if (!group.hidden) count += own;
    }
    if (status) status.textContent = `${count} ${count === 1 ? "claim" : "claims"} shown`;
  }

  for (const button of verdicts) {
    button.addEventListener("click", () => {
      verdict = button.dataset.verdict ?? "";
      for (const other of verdicts) other.setAttribute("aria-pressed", String(other === button));
      filter();
    });
  }
  papers?.addEventListener("change", filter);

  // A link to a claim opens it.
  function follow() {
    const line = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const button = line?.querySelector(".disclose");
    if (button instanceof HTMLElement && button.getAttribute("aria-expanded") === "false") button.click();
  }
  addEventListener("hashchange", follow);
  follow();
}
