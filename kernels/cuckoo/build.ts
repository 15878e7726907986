/** The two ways to build the table (insert.wgsl): numbers of pairs travel beside it or, beyond a binding, in it. */
import { step } from "../common/bulk.js";
import { keptFor } from "../common/kept.js";
import { EMPTY, fillStep, PAIR_BYTES } from "../common/steps.js";
import type { Kernel, Step } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";
import type { Pairs } from "../table.js";
import type { Functions } from "./functions.js";

/** Of the largest table that is not built in place: what NVIDIA GPUs bind. Others may bind more, but `buildBytes` knows no device. */
const MOST_BESIDE = 2 ** 31 - 16;

/** Whether a table of so many bytes is built in place. */
export function inPlace(bytes: number, maxBinding = MOST_BESIDE): boolean {
  return bytes > Math.min(maxBinding, MOST_BESIDE);
}

/** Bytes of a table of so many slots, and of what its build takes beside it; fewer where a device binds less than MOST_BESIDE. */
export function buildBytes(slots: number, n: number): number {
  const table = slots * PAIR_BYTES;
  return inPlace(table) ? table : table + slots * 4 + n * PAIR_BYTES;
}

/** A kernel of this folder, for a table. */
export type MakeKernel = <const Takes extends string>(
  file: string,
  entry: string,
  takes: readonly Takes[],
  own?: { readonly PUTS: boolean },
) => Promise<Kernel<Takes>>;

/** What a build runs, and before that, from its second attempt on, `again`. */
interface Building {
  readonly again: readonly Step[];
  steps(f: Functions): readonly Step[];
}

/** A way to build a table. */
export interface Way {
  /** Steps that empty the table for a build. */
  readonly clearing: readonly Step[];
  /** What makes builds of up to n pairs. Throws DoesNotFit. */
  ready(n: number): Promise<(pairs: Pairs) => Building>;
}

/** @param fills The steps that make every slot of the table EMPTY. @param usual pairs of a build */
export function besideTable(
  gpu: Owner,
  kernel: MakeKernel,
  { slots, usual }: { readonly slots: number; readonly usual: number },
  fills: readonly Step[],
): Way {
  /** The pairs in the order of the input and, by slot, the number of its pair. */
  const scratch = keptFor(gpu, usual, async (own, n) => {
    // The input of a table in host memory is in the device's.
    const pairs = await own.alloc("cuckoo pairs", Math.max(1, n) * PAIR_BYTES, "device");
    const homes = await own.alloc("cuckoo homes", slots * 4);
    const fillHomes = await fillStep(gpu, homes, EMPTY);
    await gpu.run([fillHomes]);
    return { pairs, homes, fillHomes };
  });
  return {
    get clearing() {
      return [...fills, ...scratch.all().map(({ fillHomes }) => fillHomes)];
    },
    async ready(n) {
      const { pairs, homes, fillHomes } = await scratch.get(n);
      const [exchange, settle] = await Promise.all([
        kernel("insert", "exchange", ["keys", "values", "pairs", "homes", "f"]),
        kernel("insert", "settle", ["homes", "pairs"]),
      ]);
      return ({ keys, values, n }) => ({
        again: [fillHomes],
        steps: (f) => [step(exchange, n, { keys, values, pairs, homes, f }), step(settle, slots, { homes, pairs })],
      });
    },
  };
}

/** @param fills As of `besideTable`. */
export function inTable(kernel: MakeKernel, slots: number, fills: readonly Step[]): Way {
  return {
    clearing: fills,
    async ready() {
      const [exchange, settle] = await Promise.all([
        kernel("insert", "exchange", ["keys", "values", "f"]),
        kernel("settle-in-place", "settle", ["keys", "values"], { PUTS: true }),
      ]);
      return ({ keys, values, n }) => ({
        again: fills,
        steps: (f) => [step(exchange, n, { keys, values, f }), step(settle, slots, { keys, values })],
      });
    },
  };
}
