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
    const { names: header, line: fieldsOf } = await packed.readLines();
    const sorted = lines.map((line) => ({ line, fields: fieldsOf(line) })).sort(byCoordinates(header));
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

  const lines = [...document.querySelectorAll("tr.claim")].filter((line) => line instanceof HTMLTableRowElement);
  const texts = new Map(lines.map((line) => [line, `${line.dataset.claim} ${line.textContent}`.toLowerCase()]));
  const boxes = [...document.querySelectorAll("#filters input[name=device]")].map((box) => box.getAttribute("value"));
  const buttons = [...document.querySelectorAll("button[data-verdict]")].filter((b) => b instanceof HTMLElement);
  const status = document.getElementById("claim-count");
  const DIFFER = "devices differ";
  /** Columns that are shown. @type {number[]} */
  let columns = [...(document.querySelector(".claims thead")?.querySelectorAll(".score") ?? [])].map((_, i) => i);
  /** Conclusions of the papers, with a line for each claim that answers them. */
  const conclusions = [...document.querySelectorAll(".conclusion")].filter((one) => one instanceof HTMLElement);
  const said = new Map(conclusions.map((one) => [one, (one.textContent ?? "").toLowerCase()]));
  const scored = [...document.querySelectorAll("tr.claim, tr.headline")].filter((l) => l instanceof HTMLElement);

  /** @param {HTMLElement} line */
  const moreOf = (line) => /** @type {HTMLTableRowElement} */ (line.nextElementSibling);

  /** Shows the claim's reasons and rows on the shown devices. @param {HTMLElement} line */
  async function reveal(line) {
    const { claims } = await packed.read("scores");
    const place = moreOf(line).cells[0];
    if (!place) return;
    const claim = claims[line.dataset.claim ?? ""];
    const of = columns.map((column) => claim?.columns[column]);
    const evidence = of.map((one) => one?.evidence ?? "").join("");
    place.innerHTML = `${claim?.quote ?? ""}${evidence}${claim?.because ?? ""}<p class="muted id"></p>`;
    const id = place.querySelector(".id");
    if (id) id.textContent = line.dataset.claim ?? "";
    await Promise.all(
      [...place.querySelectorAll("[data-lines]")].map((rows) => rows instanceof HTMLElement && fill(rows)),
    );
  }
  for (const line of lines) disclosure(line, () => reveal(line));

  /** Puts the cells of other devices in place of those that are there. @param {number[]} wanted */
  async function show(wanted) {
    if (wanted.join() === columns.join()) return;
    columns = wanted;
    const { labels, claims } = await packed.read("scores");
    if (wanted !== columns) return; // Others were chosen meanwhile.
    for (const th of document.querySelectorAll(".claims thead .score")) th.remove();
    for (const end of document.querySelectorAll(".claims thead th:last-child")) {
      for (const column of wanted) {
        const th = element("th", labels[column] ?? "", "score");
        th.setAttribute("scope", "col");
        end.before(th);
      }
    }
    for (const line of scored) {
      for (const cell of line.querySelectorAll(".score")) cell.remove();
      const cells = wanted.map((column) => claims[line.dataset.claim ?? ""]?.columns[column]?.cell ?? "");
      line.querySelector(".link")?.insertAdjacentHTML("beforebegin", cells.join(""));
      if (line.classList.contains("open")) await reveal(line);
    }
    for (const cell of document.querySelectorAll(".claims .group th, .claims .more > td"))
      cell.setAttribute("colspan", `${wanted.length + 3}`);
  }

  /** The claim's verdicts on the shown devices. @param {HTMLElement} line */
  function verdictsOf(line) {
    const all = (line.dataset.verdicts ?? "").split("|");
    const shown = columns.map((column) => all[column] ?? "");
    const has = (/** @type {string[]} */ ...verdicts) => shown.some((verdict) => verdicts.includes(verdict));
    const differ = has("reproduced", "holds, small") && has("not reproduced", "no difference");
    return ["", ...shown, ...(differ ? [DIFFER] : [])];
  }

  if (lines.length > 0)
    filters.listen((wanted) => {
      const chosen = wanted.devices.map((slug) => boxes.indexOf(slug));
      show(boxes.length > 0 ? chosen : [0])
        .then(() => {
          const fitting = lines.filter((line) => filters.fits(line, texts.get(line) ?? "", wanted));
          const shown = new Set(fitting.filter((line) => verdictsOf(line).includes(wanted.verdict)));
          for (const line of lines) {
            line.hidden = !shown.has(line);
            moreOf(line).hidden = line.hidden || !line.classList.contains("open");
          }
          for (const one of conclusions) one.hidden = !filters.fits(one, said.get(one) ?? "", wanted);
          for (const group of document.querySelectorAll(".claims > tbody:not(.conclusion)")) {
            const own = lines.filter((line) => line.parentElement === group && shown.has(line)).length;
            if (group instanceof HTMLElement) group.hidden = own === 0;
            const count = group.querySelector(".group .muted");
            if (count) count.textContent = `${own}`;
          }
          for (const button of buttons) {
            const verdict = button.dataset.verdict ?? "";
            const number = button.querySelector("strong");
            if (number) number.textContent = `${fitting.filter((line) => verdictsOf(line).includes(verdict)).length}`;
            button.setAttribute("aria-pressed", String(verdict === wanted.verdict));
          }
          if (status) status.textContent = filters.counted(shown.size, lines.length, "claim");
        })
        .catch((error) => console.error(error));
    });
  for (const button of buttons) {
    button.addEventListener("click", () => filters.choose("verdict", button.dataset.verdict ?? ""));
  }
}
