/** What a table held, to be put back before every sample: quicker than building it again. */
import { groupsFor } from "../../kernels/common/steps.js";
import { dispatch } from "../../kernels/device/bind.js";
import { type Owner, owned } from "../../kernels/device/owned.js";
import type { GpuTable } from "../../kernels/table.js";

/** Copies the buffers. Returns what puts their contents back, and resolves once all is as it was. Throws DoesNotFit. */
async function snapshot(gpu: Owner, buffers: readonly GPUBuffer[]) {
  const held: { readonly of: GPUBuffer; readonly saved: GPUBuffer }[] = [];
  for (const of of buffers) held.push({ of, saved: await gpu.alloc(`copy of ${of.label}`, of.size) });
  // An H200 copies by a kernel at 4 TB/s, by its copy command at a third of that.
  const copy = await gpu.kernel({ file: "kernels/common/copy.wgsl", takes: ["from_here", "to_here"] });
  const copied = (from: GPUBuffer, to: GPUBuffer) =>
    dispatch(copy, groupsFor(from.size / 16), { from_here: from, to_here: to });
  await gpu.run(held.map(({ of, saved }) => copied(of, saved)));
  return { restore: () => gpu.run(held.map(({ of, saved }) => copied(saved, of))) };
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
  const held = await owned(gpu, (own) => snapshot(own, then));
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
