/** The relations of a join on the device, its aggregate, and what that has to be. */
import { step } from "../../../kernels/common/bulk.js";
import { WORKGROUP } from "../../../kernels/common/steps.js";
import { groupsOf } from "../../../kernels/common/warp.js";
import { dispatch } from "../../../kernels/device/bind.js";
import { UsageError } from "../../../kernels/device/errors.js";
import { type Owner, scoped } from "../../../kernels/device/owned.js";
import type { DeviceKeys } from "./keys.js";

const FILE = "bench/scenarios/workload/join.wgsl";
/** Rows that a lane of `aggregate` adds up: ROWS of bench/scenarios/workload/join.wgsl. */
const ROWS = 16;

/** SELECT COUNT(*), SUM(R.value + S.payload) FROM R, S WHERE R.key = S.key. */
interface Aggregate {
  readonly rows: number;
  readonly sum: bigint;
}

/**
 * S, as `parts` parts of as many rows as R has, of which one is on the device at a time.
 * @param data The keys of R, all different. Throws a UsageError if S has 2^32 rows or more, or DoesNotFit.
 */
export async function probeRelation(gpu: Owner, data: DeviceKeys, parts: number, seed: number) {
  const { n } = data;
  if (n * parts >= 2 ** 32) throw new UsageError(`a join probes fewer than 2^32 rows, not ${n * parts}`);
  const words = (what: string) => gpu.alloc(`${n} ${what} of S`, n * 4);
  const [probes, payloads, answers] = [await words("keys"), await words("payloads"), await words("answers")];
  const sums = await gpu.alloc("sums of a join", 32);
  const bound = { keys: data.keys, probes, payloads, answers, matched: payloads, sums };
  const [make, count, aggregate] = await Promise.all([
    gpu.kernel({ file: FILE, entry: "make", bound, takes: ["part"] }),
    gpu.kernel({ file: FILE, entry: "count", takes: ["part", "partners"] }),
    gpu.kernel({ file: FILE, entry: "aggregate", bound, takes: ["part"] }),
  ]);
  /** The plan of join.wgsl. */
  const partOf = (number: number) => ({ rows: n, first: number * n, n, seed });
  /** How many partners each row of R has. */
  const partnersOf = () =>
    scoped(gpu, async (own) => {
      const partners = await own.alloc("partners", n * 4);
      for (let number = 0; number < parts; number++)
        await own.run([step(count, n, { part: partOf(number), partners })]);
      return own.read(partners, n);
    });
  return {
    parts,
    rows: n * parts,
    /** Begins a new aggregate. */
    clear: () => gpu.zero(sums),
    /** Makes a part, untimed: what the table is asked, and the step that then aggregates its answers. */
    async part(number: number) {
      const part = partOf(number);
      await gpu.run([step(make, n, { part })]);
      return {
        lookups: { keys: probes, results: answers, n },
        aggregate: dispatch(aggregate, groupsOf(n, WORKGROUP * ROWS), { part }),
      };
    },
    /** The aggregate of the parts since `clear`. */
    async aggregated(): Promise<Aggregate> {
      const [rows = 0, ...all] = await gpu.read(sums, 5);
      const [lower = 0n, lowerCarry = 0n, upper = 0n, upperCarry = 0n] = all.map(BigInt);
      return { rows, sum: lower + (lowerCarry << 32n) + ((upper + (upperCarry << 32n)) << 16n) };
    },
    /** What all parts have to be aggregated to. @param values of R */
    expected: async (values: GPUBuffer) => expectedOf(await partnersOf(), await gpu.read(values, n)),
  };
}

/**
 * Computed without keys and without a table. Every row of S has a partner in R. So each value of R counts once per partner, and the
 * payloads of S are 0 … rows - 1.
 */
function expectedOf(counts: Uint32Array, values: Uint32Array): Aggregate {
  // Exact: at most 2^32 rows of 16 bits are added to each. By number: entries of 16 M words take half a second.
  let [rows, lower, upper] = [0, 0, 0];
  for (let i = 0; i < counts.length; i++) {
    const count = counts[i] as number;
    const value = values[i] as number;
    rows += count;
    lower += count * (value & 0xffff);
    upper += count * (value >>> 16);
  }
  const payloads = (BigInt(rows) * BigInt(rows - 1)) / 2n;
  return { rows, sum: BigInt(lower) + (BigInt(upper) << 16n) + payloads };
}
