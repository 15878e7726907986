import type { Experiment } from "../../base/experiment.js";
import { each, plain } from "../helpers.js";
import { BY_SIZE } from "./settings.js";

const lookups = { table: "lookup32", label: "Lookups, 32 B", bench: "limit", only: { op: ["lookup"] } };
const cas = { table: "cas", label: "atomicCompareExchange, 4 B", bench: "limit", only: { op: ["modify"] } };

export const large: Experiment = {
  id: "device/large",
  title: "Random accesses to tables of more than 2 GiB, with large pages and without",
  setting: "Random accesses to a table of 2 to 24 GiB, in bindings of 2 GiB",
  series: [
    { table: "lookup4", label: "Lookups, 4 B", bench: "limit", only: { op: ["lookup"] } },
    lookups,
    cas,
    // A quarter of the accesses, as these may take a thousand times as long.
    ...each(plain([lookups, cas]), { at: { share: 0.25 } }),
  ],
  axes: {
    n: [2 ** 26],
    op: ["lookup", "modify"],
    params: { tableMiB: [2048, 2560, 3072, 4096, 6144, 8192, 10240, 12000, 16384, 20480, 24576] },
  },
  quick: { params: { tableMiB: [2048, 4096] } },
  software: { n: [2 ** 16], params: { tableMiB: [16, 64] } },
  figure: { ...BY_SIZE, y: { title: "Accesses", scale: "log10" }, beside: { references: true } },
  notes:
    "Ours: whether a large table is slow, or how its memory was allocated. With large pages a buffer is a dedicated Vulkan allocation " +
    "(bench/device/buffer-memory); plain allocations are what WebGPU makes of it. Sizes up to 4 GiB with more patterns are in device/limits. An " +
    "access chooses its binding among up to 13, as those of tables do (kernels/common/parts.wgsl).",
};
