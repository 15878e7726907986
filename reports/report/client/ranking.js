// Rankings of devices: filters, and all places of one once its line is opened, by rate or by share of the limit.
{
  const lines = [...document.querySelectorAll("tr.ranked")].filter((line) => line instanceof HTMLElement);
  const texts = new Map(lines.map((line) => [line, (line.querySelector("th")?.textContent ?? "").toLowerCase()]));
  const orders = [...document.querySelectorAll("button[data-order]")].filter((b) => b instanceof HTMLElement);
  const status = document.getElementById("ranking-count");
  /** @type {"mops" | "share"} */
  let order = "mops";
  /** @type {readonly string[]} */
  let devices = [];

  /** @param {HTMLElement} line */
  const moreOf = (line) => /** @type {HTMLTableRowElement} */ (line.nextElementSibling);

  /** @param {HTMLElement} line */
  async function fill(line) {
    const { devices: known, rankings } = await packed.read("rankings");
    const places = [...(rankings[Number(line.dataset.ranking)] ?? [])];
    places.sort((a, b) => (b[order] ?? -1) - (a[order] ?? -1));
    const fastest = Math.max(...places.map(({ mops }) => mops));
    const table = document.createElement("table");
    table.className = "numbers places";
    const head = table.createTHead().insertRow();
    for (const name of ["", "Device", "Rate", "Share of the limit", "n"]) {
      const th = document.createElement("th");
      th.scope = "col";
      th.textContent = name;
      head.append(th);
    }
    const body = table.createTBody();
    places.forEach(({ column, mops, share, texts: [rate = "", part = "", n = ""] }, i) => {
      const row = body.insertRow();
      row.classList.toggle("chosen", devices.length < known.length && devices.includes(known[column]?.slug ?? ""));
      /** @param {string} text @param {number | null} [length] */
      const cell = (text, length = null) => {
        const td = row.insertCell();
        if (length !== null) {
          const bar = document.createElement("i");
          bar.style.width = `${(6 * Math.min(1, length)).toFixed(2)}rem`;
          td.append(bar);
        }
        td.append(text);
      };
      cell(`${i + 1}`);
      cell(known[column]?.label ?? "");
      cell(rate, mops / fastest);
      cell(part, share ?? 0);
      cell(n);
    });
    const box = document.createElement("div");
    box.className = "scroll";
    box.append(table);
    moreOf(line).cells[0]?.replaceChildren(box);
  }

  function refill() {
    for (const line of lines) if (line.classList.contains("open")) fill(line).catch((error) => console.error(error));
  }

  for (const line of lines) {
    disclosure(line, () => fill(line));
  }
  for (const button of orders) {
    button.addEventListener("click", () => {
      order = button.dataset.order === "share" ? "share" : "mops";
      for (const other of orders) other.setAttribute("aria-pressed", String(other === button));
      refill();
    });
  }
  if (lines.length > 0)
    filters.listen((wanted) => {
      devices = wanted.devices;
      let shown = 0;
      for (const line of lines) {
        line.hidden = !filters.fits(line, texts.get(line) ?? "", wanted);
        moreOf(line).hidden = line.hidden || !line.classList.contains("open");
        if (!line.hidden) shown++;
      }
      for (const group of document.querySelectorAll(".rankings > tbody")) {
        if (group instanceof HTMLElement)
          group.hidden = ![...group.querySelectorAll("tr.ranked")].some((l) => l instanceof HTMLElement && !l.hidden);
      }
      if (status) status.textContent = filters.counted(shown, lines.length, "ranking");
      refill();
    });
}
