// Data that the page carries as gzip in base64.
{
  /**
   * @param {Element | null} element
   * @returns {Promise<string>} the text that was packed
   */
  async function unpack(element) {
    const bytes = Uint8Array.from(atob((element?.textContent ?? "").trim()), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).text();
  }

  /** The raw data as CSV; unpacked once. @type {Promise<string> | undefined} */
  let csv;
  function readCsv() {
    csv ??= unpack(document.getElementById("raw-data"));
    return csv;
  }

  /** Lines of the CSV as fields, with the number of each line. @type {Promise<Map<number, string[]>> | undefined} */
  let records;
  function readRecords() {
    records ??= readCsv().then(parseCsv);
    return records;
  }

  /**
   * @param {string} text CSV after RFC 4180
   * @returns {Map<number, string[]>} records by the line on which they begin, the first line being 1
   */
  function parseCsv(text) {
    /** @type {Map<number, string[]>} */
    const found = new Map();
    let line = 1;
    let start = 1;
    /** @type {string[]} */
    let fields = [];
    // A field, quoted or not, and what ends it.
    for (const match of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n|$)/g)) {
      const [whole, quoted, plain, end] = match;
      if (whole === "" && fields.length === 0) break;
      fields.push(quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'));
      line += whole.split("\n").length - 1;
      if (end === ",") continue;
      found.set(start, fields);
      fields = [];
      start = line;
    }
    return found;
  }

  Object.assign(globalThis, { packed: { unpack, readCsv, readRecords } });
}
