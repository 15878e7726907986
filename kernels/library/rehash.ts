/** Tables whose erased keys leave marks, built anew in their place. */
import { step } from "../common/bulk.js";
import { GpuError } from "../device/errors.js";
import { scoped } from "../device/owned.js";
import type { Recordable } from "../table.js";
import { kernel as collect } from "./collect.wgsl.js";
import type { UserDevice } from "./device.js";
import type { KernelFile } from "./link.js";

export interface Marked {
  /** The buffers of the table, in blocks of `block` keys and as many values. */
  readonly marked: readonly GPUBuffer[];
  readonly block: number;
  readonly slots: number;
  readonly recordable: Recordable;
}

/** What a table needs to rehash. It is in the bundle of such tables only. */
export interface Rehashing {
  readonly kernel: KernelFile;
  /** Makes the kernel, which the device keeps. */
  compile(gpu: UserDevice): Promise<unknown>;
  rehash(gpu: UserDevice, table: Marked): Promise<void>;
}

const COLLECT = { file: "kernels/library/collect.wgsl" } as const;

export const rehashing: Rehashing = { kernel: collect, compile: (gpu) => gpu.kernel(COLLECT), rehash };

/** Throws DoesNotFit; then the table is as it was. */
function rehash(gpu: UserDevice, { marked, block, slots, recordable }: Marked): Promise<void> {
  return scoped(gpu, async (own) => {
    const keys = await own.alloc("keys to insert again", 4 * slots);
    const values = await own.alloc("values to insert again", 4 * slots);
    const count = await own.alloc("pairs to insert again", 4);
    const kernel = await own.kernel({
      ...COLLECT,
      bound: { keys, values, count, block },
      takes: ["table"],
    });
    await gpu.run(marked.map((table) => step(kernel, table.size / 8, { table })));
    const [n = 0] = await gpu.read(count, 1);
    const { status, clear, insert } = recordable;
    const pass = await gpu.time([...clear(), ...(n > 0 ? insert({ keys, values, n }) : [])], status);
    if (pass.status.some((word) => word > 0)) throw new GpuError(`${gpu.label}: not all pairs were stored again`);
  });
}
