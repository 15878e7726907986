/** What a table held, to be put back before every sample: quicker than building it again. */
import { groupsFor } from "../../kernels/common/steps.js";
import { dispatch } from "../../kernels/device/bind.js";
import type { Kernel, Step } from "../../kernels/device/gpu.js";
import { type Owner, owned } from "../../kernels/device/owned.js";
import type { GpuTable } from "../../kernels/table.js";

interface Held {
  readonly of: GPUBuffer;
  readonly saved: GPUBuffer;
}

class Snapshot {
  private constructor(
    private readonly gpu: Owner,
    private readonly copy: Kernel<"from_here" | "to_here">,
    private readonly held: readonly Held[],
  ) {}

  /** A copy of the buffers, which `gpu` owns. Throws DoesNotFit. */
  static async take(gpu: Owner, buffers: readonly GPUBuffer[]): Promise<Snapshot> {
    const held: Held[] = [];
    for (const of of buffers) held.push({ of, saved: await gpu.alloc(`copy of ${of.label}`, of.size) });
    // An H200 copies by a kernel at 4 TB/s, by its copy command at a third of that.
    const copy = await gpu.kernel({ file: "kernels/common/copy.wgsl", takes: ["from_here", "to_here"] });
    const snapshot = new Snapshot(gpu, copy, held);
    await gpu.run(held.map(({ of, saved }) => snapshot.step(of, saved)));
    return snapshot;
  }

  /** Resolves once all is as it was. */
  restore(): Promise<void> {
    return this.gpu.run(this.held.map(({ of, saved }) => this.step(saved, of)));
  }

  private step(from: GPUBuffer, to: GPUBuffer): Step {
    return dispatch(this.copy, groupsFor(from.size / 16), { from_here: from, to_here: to });
  }
}

/**
 * A way back to what the table holds now, which resolves to false, and ends, where the table has grown since. Null: the table can only be
 * built again. Throws DoesNotFit.
 * @param made the buffers that the table was made with
 */
export async function wayBack(
  gpu: Owner,
  table: GpuTable,
  made: readonly GPUBuffer[],
): Promise<(() => Promise<boolean>) | null> {
  const remembered = table.storage?.restorable?.remember();
  if (!remembered) return null;
  const memory = () => table.storage?.restorable?.holding?.() ?? made;
  const then = memory();
  const held = await owned(gpu, (own) => Snapshot.take(own, then));
  return async () => {
    const now = memory();
    if (now.length !== then.length || now.some((buffer, i) => buffer !== then[i])) {
      held.destroy();
      return false;
    }
    await held.restore();
    remembered();
    return true;
  };
}
