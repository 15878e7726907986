/** `webgpu-hash-table/dycuckoo`: see kernels/dycuckoo/README.md. */
import { kernel as fill } from "../../common/fill.wgsl.js";
import { kernel as refuse } from "../../common/refuse.wgsl.js";
import { Unsupported } from "../../device/errors.js";
import { dycuckooWith } from "../../dycuckoo/dycuckoo.js";
import { kernel as erase } from "../../dycuckoo/erase.wgsl.js";
import { kernel as evict } from "../../dycuckoo/evict.wgsl.js";
import { kernel as find } from "../../dycuckoo/find.wgsl.js";
import { kernel as insert } from "../../dycuckoo/insert.wgsl.js";
import { OTHER_BUFFERS } from "../../dycuckoo/sub-tables.js";
import { kernel as vacant } from "../../dycuckoo/vacant.wgsl.js";
import { storageLacks } from "../pipelines.js";
import { COMPARED, tableModule } from "../table.js";
import type { ErasableTable, TableModule } from "../types.js";

export * from "../shared.js";

/** Sub-tables of cuckoo hashing, which with `resize` grow and shrink; then there is nothing of it to record. */
export const dycuckoo: TableModule<ErasableTable> = tableModule(
  (_, { Resizer, orderingFor }) => dycuckooWith({ Resizer, orderingFor }),
  {
    only: {
      locks: { values: [false], why: COMPARED },
      swap: { values: [false], why: COMPARED },
      voter: { values: [true], why: COMPARED },
    },
    apart: ({ resize, regionKiB }) => (resize ? "resizing" : regionKiB !== 0 ? "ordered" : undefined),
    check({ resize, subTables }, { maxStorageBuffersPerShaderStage: most }) {
      const buffers = Number(subTables) + OTHER_BUFFERS;
      if (!resize || buffers <= most) return;
      const lacks = storageLacks(buffers, most);
      const fewer = most - OTHER_BUFFERS;
      throw new Unsupported("insert", fewer < 2 ? lacks : `${lacks}, or subTables: ${fewer}`, "dycuckoo with resize");
    },
    hosted: () => ["clear", "insert", "erase"],
    kernels: [fill, refuse, erase, evict, find, insert, vacant],
  },
);
