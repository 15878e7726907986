/** DyCuckoo, and MegaKV's table. See README.md. */
import { Status } from "../common/bulk.js";
import { type Owner, owned } from "../device/owned.js";
import type { GpuTable, Params, TableOptions, TableParameter, TableType } from "../table.js";
import { Contents } from "./contents.js";
import { Kernels } from "./kernels.js";
import { Ordering, orderedAccess, orderingBytes } from "./order.js";
import { bucketsFor, type CuckooParams, conflict, dycuckooParameters, MAX_LOAD_FACTOR, tileOf } from "./parameters.js";
import { Resizer } from "./resizer.js";
import { bytesOf, SubTables } from "./sub-tables.js";
import { CuckooTable } from "./table.js";

interface Own extends Pick<TableType, "id" | "title" | "source"> {
  /** All sub-tables are resized at once, by rehashing. */
  readonly whole: boolean;
  readonly parameters: readonly TableParameter[];
  /** Values of the parameters, and of those that the table has not. */
  of(params?: Params): CuckooParams;
}

export function cuckooTable({ whole, of, ...own }: Own): TableType {
  const held = (n: number, loadFactor: number, given?: Params) => {
    const params = of(given);
    return bytesOf(bucketsFor(n, loadFactor, params), params.resize);
  };
  return {
    ops: ["insert", "find", "erase"],
    maxLoadFactor: MAX_LOAD_FACTOR,
    duplicates: true,
    wantsNewKeys: (params) => !of(params).unique,
    incremental: true,
    reusesSlots: true,
    conflict: (params) => conflict(of(params), whole),
    tile: (params) => tileOf(of(params).tile, "find"),
    access(op, params) {
      if (op === "find") return { pattern: "lookup128x4", why: "the keys of one 128-byte bucket, the key, the result" };
      if (op === "erase") return { pattern: "cas", why: "one random 32-bit CAS" };
      if (of(params).regionKiB > 0) return orderedAccess;
      return { pattern: "cas-write", why: "one random 32-bit CAS, and the value, in another array" };
    },
    bytes: (n, loadFactor, params) => held(n, loadFactor, params) + (of(params).regionKiB > 0 ? orderingBytes(n) : 0),
    held,
    create: (gpu, options) => create(gpu, options, of(options.params), whole),
    ...own,
  };
}

export const dycuckoo = cuckooTable({
  id: "dycuckoo",
  title: "DyCuckoo",
  source: "Li et al., Dynamic Hash Tables on GPUs, ICDE 2021",
  whole: false,
  parameters: dycuckooParameters.list,
  of: dycuckooParameters.of,
});

async function create(gpu: Owner, options: TableOptions, params: CuckooParams, whole: boolean): Promise<GpuTable> {
  const { n, loadFactor, seed, counting } = options;
  const { resize, alpha, beta, regionKiB } = params;
  const buckets = bucketsFor(n, loadFactor, params);
  const memory = await owned(gpu, (own) => SubTables.make(own, buckets, resize, seed));
  const status = await Status.make(gpu, { ahead: true });
  const kernels = new Kernels(gpu, { params, seed, counting }, memory, status.buffer);
  const contents = new Contents(gpu, seed, memory, kernels, status);
  const resizer = resize ? new Resizer(gpu, contents, kernels, { alpha, beta, whole }) : null;
  const ordering = regionKiB > 0 ? await Ordering.make(gpu, kernels, memory, regionKiB * 1024) : null;
  const table = new CuckooTable(contents, kernels, resizer, ordering);
  await table.clear();
  return table;
}
