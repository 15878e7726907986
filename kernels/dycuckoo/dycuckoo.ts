/** DyCuckoo, and MegaKV's table. See README.md. */
import { Status } from "../common/bulk.js";
import { defineTable } from "../define.js";
import { DoesNotFit, UsageError } from "../device/errors.js";
import { type Owner, owned } from "../device/owned.js";
import type { Description, GpuTable, Making, TableType } from "../table.js";
import { Contents } from "./contents.js";
import { Kernels } from "./kernels.js";
import { orderedAccess, orderingBytes, orderingFor } from "./order.js";
import { bucketsFor, type CuckooParams, conflict, mostFilled, parameters, tileOf } from "./parameters.js";
import { Resizer } from "./resizer.js";
import { beyondOneArray, bytesOf, SubTables } from "./sub-tables.js";
import { cuckooOf } from "./table.js";

/** What tables have that are resized, or order their batches. */
export interface Beside {
  readonly Resizer?: typeof Resizer | undefined;
  readonly orderingFor?: typeof orderingFor | undefined;
}

/** @param whole All sub-tables are resized at once, by rehashing. */
export function cuckooTable(
  about: Pick<Description, "id" | "title" | "source" | "standsInFor"> & { readonly parameters: typeof parameters },
  whole: boolean,
  beside: Beside,
): TableType {
  return defineTable({
    ...about,
    conflict: (params) => conflict(params, whole),
    configure(params) {
      const { unique, regionKiB, resize, bucketSlots } = params;
      const inOne = params.pairs === "beside";
      const held = (n: number, loadFactor: number) => bytesOf(bucketsFor(n, loadFactor, params), resize, bucketSlots);
      return {
        ops: ["insert", "find", "erase"],
        maxLoadFactor: mostFilled(params),
        duplicates: unique,
        incremental: true,
        reusesSlots: true,
        access(op) {
          if (op === "find") {
            const bytes = bucketSlots * (inOne ? 8 : 4);
            return {
              pattern: `lookup${bytes}x4`,
              lanes: tileOf(params, "find"),
              why: `the ${inOne ? "pairs" : "keys"} of one ${bytes}-byte bucket, the key, the result`,
            };
          }
          if (op === "erase" || inOne) return { pattern: "cas", why: "one random 32-bit CAS" };
          if (regionKiB > 0) return orderedAccess;
          return { pattern: "cas-write", why: "one random 32-bit CAS, and the value, in another array" };
        },
        bytes: (n, loadFactor) => held(n, loadFactor) + (regionKiB > 0 ? orderingBytes(n) : 0),
        sizing: { held },
        create: (gpu, making) => create(gpu, making, { params, whole, ...beside }),
      };
    },
  });
}

export const dycuckooWith = (beside: Beside) =>
  cuckooTable(
    {
      id: "dycuckoo",
      title: "DyCuckoo",
      source: "Li et al., Dynamic Hash Tables on GPUs (manuscript; as DyCuckoo: ICDE 2021)",
      parameters,
    },
    false,
    beside,
  );
export const dycuckoo = /* @__PURE__ */ dycuckooWith({ Resizer, orderingFor });

async function create(
  gpu: Owner,
  options: Making,
  { params, whole, Resizer, orderingFor }: Beside & { readonly params: CuckooParams; readonly whole: boolean },
): Promise<GpuTable> {
  const { n, loadFactor, seed, counting } = options;
  const { resize, alpha, beta, regionKiB, bucketSlots } = params;
  const beside = params.pairs === "beside";
  const buckets = bucketsFor(n, loadFactor, params);
  if ((resize && !Resizer) || (regionKiB > 0 && !orderingFor))
    throw new UsageError(`the option kernels is not of ${resize ? "resize" : "regionKiB"}`);
  const several = resize || beyondOneArray(buckets, gpu.maxBinding / (beside ? 2 : 1), bucketSlots);
  if (several && beside)
    throw new DoesNotFit(
      `${bytesOf(buckets, false, bucketSlots)} bytes: pairs beside each other are of one array, which binds ${gpu.maxBinding}`,
    );
  if (several && regionKiB > 0)
    throw new DoesNotFit(
      `${bytesOf(buckets, false, bucketSlots)} bytes: batches are ordered for tables of one array, which binds ${gpu.maxBinding}`,
    );
  const memory = await owned(gpu, (own) => SubTables.make(own, buckets, { several, bucketSlots, beside }, seed));
  const status = await Status.make(gpu);
  const kernels = new Kernels(gpu, { params, seed, counting }, memory, status.buffer);
  const contents = new Contents(gpu, seed, memory, kernels, status);
  const resizer = resize && Resizer ? new Resizer(gpu, contents, kernels, { alpha, beta, whole }) : null;
  const ordering = regionKiB > 0 ? ((await orderingFor?.(gpu, kernels, memory, regionKiB * 1024)) ?? null) : null;
  const table = cuckooOf(gpu, { contents, kernels, status, resizer, ordering, most: n });
  await table.clear();
  return table;
}
