/** What a limit is the limit of, in words: rows have its rate, and tables declare the access. */
import type { ResultRow } from "../results/record.js";
import { benchmarks } from "./index.js";
import { limitBenchmark } from "./limit.js";

type Declared = Pick<
  ResultRow,
  "bench" | "table" | "variant" | "op" | "n" | "load_factor" | "positive_ratio" | "params"
>;

const names = new Map<string, string>();

/**
 * The access that the operation of a row's cell cannot avoid, such as `lookups of 32 B`; "" where nothing declares it: of tables that are
 * not known here, or whose parameters have changed since.
 */
export function accessName(row: Declared): string {
  const { bench, table, op, positive_ratio, params } = row;
  const key = JSON.stringify([bench, table, op, positive_ratio, params]);
  const name = names.get(key) ?? patternsOf(row).map(inWords).join(" or ");
  names.set(key, name);
  return name;
}

function patternsOf({ load_factor, positive_ratio, ...row }: Declared): readonly string[] {
  const place = { experiment: "", dataset: "", seed: 0, loadFactor: load_factor, positiveRatio: positive_ratio };
  try {
    return benchmarks[row.bench]?.limits?.patternsOf?.({ ...row, ...place }) ?? [];
  } catch {
    return [];
  }
}

function inWords(pattern: string): string {
  const known = limitBenchmark.series().find(({ id }) => id === pattern);
  if (!known) return pattern;
  const [kind] = known.ops;
  if (kind !== "read" && kind !== "lookup") {
    return known.title
      .replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase())
      .replace("atomicCompareExchange, 4 B", "CAS of 4 B")
      .replace("atomicExchange, 4 B", "exchanges of 4 B")
      .replace("atomicAnd, 4 B", "ANDs of 4 B")
      .replace(/^write, /, "writes of ")
      .replace(", and a write, 4 B,", " and a write");
  }
  return `${kind}s of ${known.title.replace(", one lane", "").replace(/, (\d+ lanes)$/, " by $1")}`;
}
