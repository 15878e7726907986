// Data that the page carries as gzip in base64.
{
  /**
   * @param {Element | null} element
   * @returns {Promise<unknown>} the value that was packed
   */
  async function unpack(element) {
    const bytes = Uint8Array.from(atob((element?.textContent ?? "").trim()), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).json();
  }

  /** @type {Map<keyof PackedData, Promise<unknown>>} */
  const known = new Map();
  /**
   * The value of the element with this id, unpacked once.
   * @type {typeof packed.read}
   */
  function read(id) {
    const value = known.get(id) ?? unpack(document.getElementById(id));
    known.set(id, value);
    return /** @type {Promise<any>} */ (value);
  }

  /** @param {string} texts a column as raw-data.ts writes it, in which `~3` are three fields like the one above */
  function fieldsOf(texts) {
    /** @type {string[]} */
    const fields = [];
    for (const text of texts.split("\n")) {
      const above = fields.at(-1) ?? "";
      if (/^~\d/.test(text)) for (let i = Number(text.slice(1)); i > 0; i--) fields.push(above);
      else fields.push(text.startsWith("~") ? text.slice(1) : text);
    }
    return fields;
  }

  /** @type {ReturnType<typeof packed.readLines> | undefined} */
  let lines;
  /** The raw data: names of columns, and the fields of each line of the result file, whose first line are the names. */
  function readLines() {
    lines ??= read("raw-data").then((columns) => {
      const fields = Object.values(columns).map(fieldsOf);
      const line = (/** @type {number} */ i) => fields.map((own) => own[i - 2] ?? "");
      return { names: Object.keys(columns), count: fields[0]?.length ?? 0, line };
    });
    return lines;
  }

  /** @param {string} text a field as RFC 4180 writes it */
  const quoted = (text) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

  /** The raw data as a result file. */
  async function readCsv() {
    const { names, count, line } = await readLines();
    const lines = Array.from({ length: count }, (_, i) => line(i + 2));
    return [names, ...lines].map((own) => `${own.map(quoted).join(",")}\n`).join("");
  }

  /** @type {Promise<void> | undefined} */
  let runtime;
  /** Defines vega, vegaLite and vegaInterpreter. */
  function loadVega() {
    runtime ??= read("runtime").then((code) => {
      const script = document.createElement("script");
      script.textContent = code;
      document.head.append(script);
    });
    return runtime;
  }

  /**
   * Lets the button of a table's line open the line below, which is filled whenever it is opened.
   * @param {HTMLElement} line @param {() => Promise<void>} fill
   */
  function disclosure(line, fill) {
    const button = line.querySelector(".disclose");
    const more = line.nextElementSibling;
    if (!button || !(more instanceof HTMLElement)) return;
    button.addEventListener("click", () => {
      const open = button.getAttribute("aria-expanded") !== "true";
      more.hidden = !open;
      line.classList.toggle("open", open);
      button.setAttribute("aria-expanded", String(open));
      if (open) fill().catch((error) => console.error(error));
    });
  }

  Object.assign(globalThis, { disclosure, packed: { unpack, read, readLines, readCsv, loadVega } });
}
