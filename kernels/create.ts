import type { Gpu } from "./device/gpu.js";
import { type Owned, owned } from "./device/owned.js";
import type { GpuTable, TableOptions, TableType } from "./table.js";

/** A table on the device, not yet cleared. Throws UsageError or DoesNotFit; then none of its memory is left. */
export function createTable(type: TableType, gpu: Gpu, options: TableOptions): Promise<Owned<GpuTable>> {
  return owned(gpu, (own) => type.create(own, options));
}
