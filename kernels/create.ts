import { configure } from "./define.js";
import { UsageError } from "./device/errors.js";
import type { Gpu } from "./device/gpu.js";
import { type Owned, owned } from "./device/owned.js";
import type { GpuTable, Making, Params, TableType } from "./table.js";

/** Load factors come rounded, from texts and from whole numbers of slots. */
const ROUNDING = 1e-3;

/**
 * A table on the device, not yet cleared. Parameters that are not given are the type's. Throws DoesNotFit, or a UsageError for
 * parameters or a load factor that the table does not take; then none of its memory is left.
 */
export async function createTable(
  type: TableType,
  gpu: Gpu,
  { params = {}, ...making }: Making & { readonly params?: Params },
): Promise<Owned<GpuTable>> {
  const own = configure(type, params);
  if (making.loadFactor > own.maxLoadFactor + ROUNDING) {
    const most = Math.round(1000 * own.maxLoadFactor) / 1000;
    throw new UsageError(`${own.id}: load factor ${making.loadFactor} is beyond its ${most}`);
  }
  return owned(gpu, (owner) => own.create(owner, making), described(own));
}

/** "dycuckoo with resize, tile=32": the table, and the parameters that have not their defaults. */
function described({ id, parameters, params }: TableType): string {
  const others = parameters
    .filter((one) => params[one.name] !== one.default)
    .map(({ name }) => (params[name] === true ? name : `${name}=${params[name]}`));
  return `${id}${others.length > 0 ? ` with ${others.join(", ")}` : ""}`;
}
