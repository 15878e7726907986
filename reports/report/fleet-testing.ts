/** Synthetic devices for tests: copies of a device's rows with other times. None of their numbers was measured. */
import type { ResultRow } from "../../bench/results/record.js";

/** The rows of `count` devices, each a copy of the given ones with its times 1, 1.1, 1.2 … times as long. */
export function syntheticFleet(rows: readonly ResultRow[], count: number): ResultRow[] {
  return Array.from({ length: count }, (_, i) => syntheticDevice(rows, i)).flat();
}

/** Limits of every other device stay as they were, so that it is farther from them. */
function syntheticDevice(rows: readonly ResultRow[], index: number): ResultRow[] {
  const slower = 1 + index / 10;
  const keepsLimit = index % 2 === 1;
  const factor = ({ metric, unit }: ResultRow): number => {
    if (metric === "limit_share") return keepsLimit ? 1 / slower : 1;
    if (metric === "limit_mops" && keepsLimit) return 1;
    return unit === "ns" ? slower : unit.endsWith("/s") ? 1 / slower : 1;
  };
  const name = `synthetic-${String(index).padStart(2, "0")}`;
  return rows.map((row) => {
    const by = factor(row);
    const { value, lo, hi, device } = row;
    return {
      ...row,
      device: `${name} (copy of ${device}, times x ${slower.toFixed(1)})`,
      value: value === null ? null : value * by,
      lo: lo === null ? null : lo * by,
      hi: hi === null ? null : hi * by,
    };
  });
}
