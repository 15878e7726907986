/** The data set `sequential`: 0 … n - 1 in this order, as the numbers of rows are. */
import { UsageError } from "../kernels/device/errors.js";
import type { KeySource, KeySourceOptions } from "./dataset.js";
import { KEY_SPACE } from "./random.js";

const CHUNK = 1 << 20;

const numbers = (from: number, count: number) => Uint32Array.from({ length: count }, (_, i) => from + i);

/** The data set, the same with every seed; the absent keys are those that come next. Throws a UsageError beyond the keys there are. */
export function sequentialKeys({ n }: KeySourceOptions): KeySource {
  if (n > KEY_SPACE) throw new UsageError(`sequential: n = ${n} is more than the ${KEY_SPACE} keys there are`);
  return {
    id: "sequential",
    n,
    note: "",
    unique: () => n,
    async *chunks() {
      for (let from = 0; from < n; from += CHUNK) yield numbers(from, Math.min(CHUNK, n - from));
    },
    async absent(count) {
      return numbers(n, Math.min(count, KEY_SPACE - n));
    },
  };
}
