/** The relations of a join on the device, its aggregate, and what that has to be. */
import { step } from "../../../kernels/common/bulk.js";
import { WORKGROUP } from "../../../kernels/common/steps.js";
import { groupsOf } from "../../../kernels/common/warp.js";
import { dispatch } from "../../../kernels/device/bind.js";
import { UsageError } from "../../../kernels/device/errors.js";
import type { Kernel, Step } from "../../../kernels/device/gpu.js";
import { type Owner, scoped } from "../../../kernels/device/owned.js";
import type { Lookups } from "../../../kernels/table.js";
import type { DeviceKeys } from "./keys.js";

const FILE = "bench/scenarios/workload/join.wgsl";
/** Rows that a lane of `aggregate` adds up: ROWS of bench/scenarios/workload/join.wgsl. */
const ROWS = 16;

/** SELECT COUNT(*), SUM(R.value + S.payload) FROM R, S WHERE R.key = S.key. */
interface Aggregate {
  readonly rows: number;
  readonly sum: bigint;
}

interface Buffers {
  /** Keys and payloads of a part of S, and what the table answers. */
  readonly probes: GPUBuffer;
  readonly payloads: GPUBuffer;
  readonly answers: GPUBuffer;
  readonly sums: GPUBuffer;
}

interface Kernels {
  readonly make: Kernel<"part">;
  readonly count: Kernel<"part" | "partners">;
  readonly aggregate: Kernel<"part">;
}

/** S, as `parts` parts of as many rows as R has, of which one is on the device at a time. */
export class ProbeRelation {
  private constructor(
    private readonly gpu: Owner,
    private readonly data: DeviceKeys,
    readonly parts: number,
    private readonly seed: number,
    private readonly buffers: Buffers,
    private readonly kernels: Kernels,
  ) {}

  /** @param data The keys of R, all different. Throws a UsageError if S has 2^32 rows or more, or DoesNotFit. */
  static async make(gpu: Owner, data: DeviceKeys, parts: number, seed: number): Promise<ProbeRelation> {
    const { n } = data;
    if (n * parts >= 2 ** 32) throw new UsageError(`a join probes fewer than 2^32 rows, not ${n * parts}`);
    const [probes, payloads, answers] = await Promise.all(
      ["keys", "payloads", "answers"].map((what) => gpu.alloc(`${n} ${what} of S`, n * 4)),
    );
    const sums = await gpu.alloc("sums of a join", 32);
    if (!probes || !payloads || !answers) throw new Error("there is no part of S");
    const bound = { keys: data.keys, probes, payloads, answers, matched: payloads, sums };
    const [make, count, aggregate] = await Promise.all([
      gpu.kernel({ file: FILE, entry: "make", bound, takes: ["part"] }),
      gpu.kernel({ file: FILE, entry: "count", takes: ["part", "partners"] }),
      gpu.kernel({ file: FILE, entry: "aggregate", bound, takes: ["part"] }),
    ]);
    return new ProbeRelation(gpu, data, parts, seed, { probes, payloads, answers, sums }, { make, count, aggregate });
  }

  get rows(): number {
    return this.data.n * this.parts;
  }

  /** Begins a new aggregate. */
  clear(): Promise<void> {
    return this.gpu.zero(this.buffers.sums);
  }

  /** Makes a part, untimed: what the table is asked, and the step that then aggregates its answers. */
  async part(number: number): Promise<{ readonly lookups: Lookups; readonly aggregate: Step }> {
    const { kernels, data } = this;
    const { probes, answers } = this.buffers;
    const part = this.partOf(number);
    await this.gpu.run([step(kernels.make, data.n, { part })]);
    return {
      lookups: { keys: probes, results: answers, n: data.n },
      aggregate: dispatch(kernels.aggregate, groupsOf(data.n, WORKGROUP * ROWS), { part }),
    };
  }

  /** The plan of join.wgsl. */
  private partOf(number: number) {
    const { n } = this.data;
    return { rows: n, first: number * n, n, seed: this.seed };
  }

  /** The aggregate of the parts since `clear`. */
  async aggregated(): Promise<Aggregate> {
    const [rows = 0, ...words] = await this.gpu.read(this.buffers.sums, 5);
    const [lower = 0n, lowerCarry = 0n, upper = 0n, upperCarry = 0n] = words.map(BigInt);
    return { rows, sum: lower + (lowerCarry << 32n) + ((upper + (upperCarry << 32n)) << 16n) };
  }

  /**
   * What all parts have to be aggregated to, computed without keys and without a table. Every row of S has a partner in R. So each value
   * of R counts once per partner, and the payloads of S are 0 … rows - 1.
   */
  async expected(values: GPUBuffer): Promise<Aggregate> {
    const { n } = this.data;
    const counts = await scoped(this.gpu, async (own) => {
      const partners = await own.alloc("partners", n * 4);
      for (let number = 0; number < this.parts; number++) {
        await own.run([step(this.kernels.count, n, { part: this.partOf(number), partners })]);
      }
      return own.read(partners, n);
    });
    const words = await this.gpu.read(values, n);
    // Exact: at most 2^32 rows of 16 bits are added to each. By number: entries of 16 M words take half a second.
    let [rows, lower, upper] = [0, 0, 0];
    for (let i = 0; i < n; i++) {
      const count = counts[i] as number;
      const value = words[i] as number;
      rows += count;
      lower += count * (value & 0xffff);
      upper += count * (value >>> 16);
    }
    const payloads = (BigInt(rows) * BigInt(rows - 1)) / 2n;
    return { rows, sum: BigInt(lower) + (BigInt(upper) << 16n) + payloads };
  }
}
