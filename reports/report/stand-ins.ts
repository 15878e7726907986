/** Metrics, data sets and tables in place of those that WebGPU, or this machine, does not give. */
import { metricTypes } from "../../bench/results/metrics.js";
import type { ResultRow } from "../../bench/results/record.js";
import { datasetList } from "../../datasets/index.js";
import { ownTables } from "../../kernels/index.js";

interface StandIn {
  /** A value of the column. */
  readonly name: string;
  readonly column: "metric" | "dataset" | "table";
  /** What it stands for, and why. */
  readonly text: string;
}

const metrics: readonly StandIn[] = metricTypes.flatMap(({ name, meaning = "", standsInFor }) =>
  standsInFor === undefined
    ? []
    : [{ name, column: "metric", text: `${capitalised(meaning)}. Stands in for ${standsInFor}.` }],
);

const datasets: readonly StandIn[] = datasetList.flatMap(({ name, description, standsInFor }) =>
  standsInFor === undefined
    ? []
    : [
        {
          name,
          column: "dataset",
          text: `Keys: ${description.replace(/^stand-in: /, "")}. Stands in for ${standsInFor}.`,
        },
      ],
);

const tables: readonly StandIn[] = ownTables.flatMap(({ id, standsInFor }) =>
  standsInFor === undefined ? [] : [{ name: id, column: "table", text: `Stands in for ${standsInFor}.` }],
);

const standIns: readonly StandIn[] = [...metrics, ...datasets, ...tables];

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** The stand-ins that occur in the rows. */
export function standInsOf(rows: readonly ResultRow[]): StandIn[] {
  const found = { dataset: new Set<string>(), metric: new Set<string>(), table: new Set<string>() };
  for (const { dataset, metric, table } of rows) {
    found.dataset.add(dataset);
    found.metric.add(metric);
    found.table.add(table);
  }
  // zipf:1.0 is of the data set zipf.
  for (const name of [...found.dataset]) found.dataset.add(name.replace(/:.*/s, ""));
  return standIns.filter(({ name, column }) => found[column].has(name));
}

/** The data sets among the rows that stand in for others, `stand-in data: tw, re`; "" where none does. */
export function standInData(rows: readonly ResultRow[]): string {
  const names = standInsOf(rows).flatMap(({ name, column }) => (column === "dataset" ? [name] : []));
  return names.length === 0 ? "" : `stand-in data: ${names.join(", ")}`;
}
