/** The table of measured cells: rate, share of the device's limit, and what became of those without. */
import { percent, significant } from "../../base/format.js";
import type { ResultRow } from "../../results/record.js";
import { byId, element } from "./element.js";

const HEAD = ["Cell", "Pairs", "Load", "Present", "M op/s", "Range of samples", "Of the limit", "Samples"];

const number = (value: number | null, digits = 4): string => (value === null ? "" : significant(value, digits));
const share = (value: number | null): string => (value === null ? "" : percent(value));

/** Cells end in the order in which they are measured, and are listed by their names. */
const BY_NAME = new Intl.Collator("en", { numeric: true });

const table = byId("cells", HTMLTableElement);
const body = table.tBodies[0] ?? table.createTBody();

export function clearCells(): void {
  table.tHead?.replaceChildren(element("tr", {}, ...HEAD.map((title) => element("th", { scope: "col" }, title))));
  body.replaceChildren();
}

/** Adds the rows of one cell as a line, in place of the line that the cell has. */
export function addCell(key: string, rows: readonly ResultRow[]): void {
  const [first] = rows;
  if (!first) return;
  const { experiment, table: series, variant, op, params, status, reason } = first;
  const size = typeof params.tableMiB === "number" ? `${params.tableMiB} MiB` : "";
  const name = [experiment, series, variant, op, size].filter(Boolean).join(" ");
  const heading = element("th", { scope: "row" }, name);
  const line = element("tr", { "data-key": key, "data-status": status }, heading);
  if (status === "ok") {
    const metric = (wanted: string) => rows.find((row) => row.metric === wanted);
    const mops = metric("mops");
    const cells = [
      number(first.n, 10),
      number(first.load_factor),
      share(first.positive_ratio),
      number(mops?.value ?? null),
      mops?.lo == null ? "" : `${number(mops.lo)} to ${number(mops.hi)}`,
      share(metric("limit_share")?.value ?? null),
      String(first.samples),
    ];
    line.append(...cells.map((text) => element("td", {}, text)));
  } else {
    const why = element("td", { colspan: String(HEAD.length - 1), class: "reason" }, `${status}: ${reason}`);
    line.append(why);
  }
  const known = [...body.rows].find((row) => row.dataset.key === key);
  if (known) known.replaceWith(line);
  else {
    const after = [...body.rows].find((row) => BY_NAME.compare(row.cells[0]?.textContent ?? "", name) > 0);
    body.insertBefore(line, after ?? null);
  }
}
