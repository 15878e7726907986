/** Cooperative probing of WarpDrive and WarpCore. See README.md. */
import { bulk, Status } from "../common/bulk.js";
import { EMPTY, fillStep, inCache, nextPrime, variant, WORKGROUP } from "../common/steps.js";
import { tileConditions, WARP_KINDS, type WarpConditions } from "../common/warp.js";
import type { Kernel, Step } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";
import { defaultsOf, withDefaults } from "../parameters.js";
import type { GpuTable, Params, TableOptions, TableType } from "../table.js";

const PAIR_BYTES = 8;
/** Slots of a run in hybrid probing: what a warp of the paper looks at between two hashes. */
const RUN_SLOTS = 32;

export const GROUPS = [1, 2, 4, 8, 16, 32] as const;
export const SCHEMES = ["linear", "double", "hybrid"] as const;
/** Words that a lane of a search reads at a time, as far as the window has them. */
export const READS = { word: 1, vec4: 4, "2xvec4": 8 } as const;

const parameters: TableType["parameters"] = [
  { name: "group", default: 8, values: GROUPS, meaning: "slots of a window, which a group of lanes probes together" },
  { name: "scheme", default: "double", values: SCHEMES, meaning: "order of the windows that a key is looked for in" },
  {
    ...{ name: "read", default: "vec4", values: Object.keys(READS) },
    meaning: "what a lane of a search reads of a window's keys: word as in the papers",
  },
  { name: "warp", default: "auto", values: WARP_KINDS, meaning: "what a warp is made of" },
];

/** Windows for n pairs: the next prime, or prime number of runs, so that double hashing reaches all. */
function windowsFor(n: number, loadFactor: number, { group, scheme }: Params): number {
  const run = scheme === "hybrid" ? RUN_SLOTS / Number(group) : 1;
  return nextPrime(n / loadFactor / Number(group) / run) * run;
}

export const warpcore: TableType = {
  id: "warpcore",
  title: "WarpCore",
  source: "Jünger et al., WarpCore, HiPC 2020",
  ops: ["insert", "find", "erase"],
  maxLoadFactor: 1,
  duplicates: true,
  incremental: true,
  reusesSlots: true,
  parameters,
  access(op) {
    if (op === "find")
      return { pattern: "lookup32", why: "the keys of eight slots, the key, the result (its value not counted)" };
    if (op === "insert") return { pattern: "cas-write", why: "one random 32-bit CAS, and the value, in another array" };
    return { pattern: "cas", why: "one random 32-bit CAS" };
  },
  bytes(n, loadFactor, params = {}) {
    const all = { ...defaultsOf(parameters), ...params };
    return windowsFor(n, loadFactor, all) * Number(all.group) * PAIR_BYTES;
  },
  create,
};

/** The older table of the same authors: another order of the windows. */
export const warpdrive: TableType = {
  ...withDefaults(warpcore, { scheme: "hybrid" }),
  id: "warpdrive",
  title: "WarpDrive",
  source: "Jünger et al., WarpDrive, IPDPS 2018",
};

interface Compiled {
  readonly kernel: Kernel;
  readonly groupLanes: number;
}

async function create(gpu: Owner, options: TableOptions): Promise<GpuTable> {
  const { group, read } = options.params;
  const windows = windowsFor(options.n, options.loadFactor, options.params);
  const slots = windows * Number(group);
  const table = await gpu.alloc("table of kernels/warpcore", slots * PAIR_BYTES);
  const status = await Status.make(gpu);
  const fill = await fillStep(gpu, table, EMPTY);
  const words = Math.min(READS[read as keyof typeof READS], Number(group));
  const [insert, find, erase] = await Promise.all([
    compile(gpu, options, windows, "insert", 1),
    compile(gpu, options, windows, "find", words),
    compile(gpu, options, windows, "erase", 1),
  ]);
  const step = ({ kernel, groupLanes }: Compiled, n: number, bindings: Step["bindings"]): Step => ({
    ...{ kernel, bindings: { 0: table, ...bindings } },
    groups: Math.max(1, Math.ceil(n / groupLanes)),
  });
  return {
    slots,
    bytes: slots * PAIR_BYTES,
    marked: [table],
    clear: () => gpu.run([fill]),
    remember: () => () => undefined,
    async insert(run, { keys, values, n, first = 0 }) {
      const bindings = { 1: keys, 2: values, 3: gpu.constant(first, first + n), 4: status.buffer };
      const { ns, status: said } = await status.run(run, [step(insert, n, bindings)]);
      if (said[3] !== 0) throw new Error("warpcore: an insertion did not end");
      return { ns, count: said[0] ?? 0, restarts: 0 };
    },
    find: (run, { keys, results, n }) => bulk(run, step(find, n, { 1: keys, 2: results, 3: gpu.constant(n) })),
    erase: (run, { keys, n }) =>
      status.count(run, [step(erase, n, { 1: keys, 3: gpu.constant(n), 4: status.buffer })], 1),
  };
}

/** @param words That a lane reads of a window's keys. */
async function compile(
  gpu: Owner,
  { params, seed, counting }: TableOptions,
  windows: number,
  op: "insert" | "find" | "erase",
  words: number,
): Promise<Compiled> {
  const group = Number(params.group);
  const { conditions, constants, groupLanes } = tileOf(gpu, group / words, params);
  const source = {
    file: `kernels/warpcore/${op}.wgsl`,
    conditions: {
      ...conditions,
      ...{ LINEAR: params.scheme === "linear", HYBRID: params.scheme === "hybrid" },
      ...{ PAIR: words === 2, QUAD: words >= 4, WIDE: words === 8 },
    },
    constants: { ...constants, GROUP: group },
    ...{ sizes: { windows, seed }, fixed: inCache(windows * group * PAIR_BYTES) },
  };
  return { kernel: await variant(gpu, source, counting), groupLanes };
}

/** How lanes that look at a window together are compiled. A lane alone needs no warp. */
function tileOf(gpu: Owner, lanes: number, { warp = "auto" }: Params): WarpConditions {
  const alone = lanes === 1;
  if (!alone) {
    const { conditions, constants, groupLanes } = tileConditions(gpu.info, lanes, warp);
    return { conditions: { ...conditions, ALONE: false }, constants: { ...constants, TILE: lanes }, groupLanes };
  }
  return {
    conditions: { SUBGROUPS: false, COOPERATIVE: false, ALONE: true },
    constants: { WARP_GROUP: WORKGROUP, GROUP_LANES: WORKGROUP },
    groupLanes: WORKGROUP,
  };
}
