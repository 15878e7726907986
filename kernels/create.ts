import { UsageError } from "./device/errors.js";
import type { Gpu } from "./device/gpu.js";
import { type Owned, owned } from "./device/owned.js";
import { reachOf, resolve } from "./parameters.js";
import type { GpuTable, Params, TableOptions, TableType } from "./table.js";

/** Load factors come rounded, from texts and from whole numbers of slots. */
const ROUNDING = 1e-3;

/**
 * A table on the device, not yet cleared. Parameters that are not given have their defaults. Throws DoesNotFit, or a
 * UsageError for parameters or a load factor that the table does not take; then none of its memory is left.
 */
export async function createTable(type: TableType, gpu: Gpu, options: TableOptions): Promise<Owned<GpuTable>> {
  const params = resolve(type, options.params);
  const most = reachOf(type, params);
  if (options.loadFactor > most + ROUNDING) {
    throw new UsageError(`${type.id}: load factor ${options.loadFactor} is beyond its ${most.toFixed(3)}`);
  }
  return owned(gpu, (own) => type.create(own, { ...options, params }), described(type, params));
}

/** "dycuckoo with resize, tile=32": the table, and the parameters that have not their defaults. */
function described(type: TableType, params: Params): string {
  const others = type.parameters
    .filter((one) => params[one.name] !== one.default)
    .map(({ name }) => (params[name] === true ? name : `${name}=${params[name]}`));
  return `${type.id}${others.length > 0 ? ` with ${others.join(", ")}` : ""}`;
}
