import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../bench/base/paths.js";
import { linkKernel } from "../../bench/device/link.js";
import { WgslModule } from "../../bench/device/module.js";
import { addPackageKernels } from "../../bench/device/sources.js";
import { createTable } from "../create.js";
import { FakeGpu } from "../device/fake.js";
import type { DeviceInfo, Kernel, KernelSource, Step } from "../device/gpu.js";
import { idleBuffer } from "../device/idle.js";
import { scoped } from "../device/owned.js";
import { makeDistinct } from "../group-by/distinct.js";
import { makeGroupBy } from "../group-by/group-by.js";
import { makeSampling } from "../group-by/sampling.js";
import { tableType } from "../index.js";
import { JOIN_KINDS, makeJoin } from "../join/join.js";
import type { Params, RunSteps } from "../table.js";
import { tableNames } from "./index.js";
import { type Declaration, type KernelFile, linkEntry } from "./link.js";

addPackageKernels();

/** A device that notes what kernels it is asked for. */
class Asked extends FakeGpu {
  readonly sources: KernelSource[] = [];
  constructor(
    override readonly info: DeviceInfo,
    override readonly maxBinding: number,
  ) {
    super();
  }
  override kernel<const Takes extends string>(source: KernelSource<Takes>): Promise<Kernel<Takes>> {
    this.sources.push(source);
    return super.kernel(source);
  }
}

const DEVICES = [
  { subgroups: 0, buffers: 8, maxBinding: 2 ** 31 - 16 },
  { subgroups: 32, buffers: 10, maxBinding: 2 ** 17 },
];
const PARAMS: Readonly<Record<string, readonly Params[]>> = {
  bucketed: [{ reuse: true, keyed: true }, { partitioned: true }],
  quotient: [{ passes: 2, keyed: true }, { partitioned: true }],
  "double-hashing": [
    { reuse: true, keyed: true },
    { reuse: true, keyed: true, keyBytes: 8 },
  ],
  warpcore: [{ keyBytes: 8 }, { group: 32 }, { group: 1, scheme: "hybrid" }, { read: "2xvec4", scheme: "linear" }],
  dycuckoo: [{ resize: true }, { regionKiB: 4 }, { bucketSlots: 16, pairs: "beside" }],
  gph: [{ pairBytes: 4, cellBits: 16 }],
  "slab-hash": [{ unique: false, tile: 32 }, { overwrite: true }],
  stash: [{ access: true, passed: true, ticket: 4 }],
};

const infoOf = ({ subgroups, buffers }: (typeof DEVICES)[number]): DeviceInfo => ({
  ...new FakeGpu().info,
  subgroupMin: subgroups,
  subgroupMax: subgroups,
  features: subgroups > 0 ? ["subgroups"] : [],
  limits: { maxStorageBuffersPerShaderStage: buffers },
});

/** All kernels of the operations that the library has. */
async function kernelsOf(
  id: string,
  params: Params,
  device: (typeof DEVICES)[number],
): Promise<readonly KernelSource[]> {
  const inOne = params.partitioned || params.regionKiB || params.pairs === "beside";
  const gpu = new Asked(infoOf(device), inOne ? (DEVICES[0]?.maxBinding ?? 0) : device.maxBinding);
  // The harness makes keys of two words.
  const n = params.keyBytes === 8 ? 10_000 : 20_000;
  const type = tableType(id);
  const loadFactor = Math.min(0.5, type.maxLoadFactor);
  const table = await createTable(type, gpu, { n, loadFactor, seed: 1, counting: false, params });
  const [keys, values, kinds, results] = Array.from({ length: 4 }, () => idleBuffer("the caller's", 4 * n)) as never[];
  const run: RunSteps = (steps) => gpu.time(steps);
  await (await table.recordable?.())?.moving?.pieces(n);
  await table.clear();
  await table.insert(run, { keys: keys!, values: values!, n });
  await table.find(run, { keys: keys!, results: results!, n });
  if (type.ops.includes("erase")) await table.erase?.(run, { keys: keys!, n });
  const kindsOfUpsert = [
    { rule: "first", combine: false },
    { rule: "first", combine: true },
    { rule: "id", combine: true },
  ] as const;
  for (const kind of type.ops.includes("upsert") ? kindsOfUpsert : [])
    await table.upsert?.(run, { keys: keys!, values: values!, n, ...kind, results: results!, states: kinds! });
  for (const room of type.ops.includes("export") ? [null, { keys: keys!, values: values!, n }] : [])
    await table.export?.(run, room);
  const batch = { kinds: kinds!, keys: keys!, values: values!, results: results! };
  if (type.ops.includes("mixed") && type.incremental)
    await table.mixed?.(run, { ...batch, slices: [{ first: 0, count: n }] });
  return gpu.sources;
}

/** The words and signs of a function, its own names by the order in which they appear. */
function withOwnNames(words: string): string {
  if (!/\bfn \w/.test(words)) return words;
  const own = new Set([...words.matchAll(/\b(?:let|var|const) (\w+)|\b([A-Za-z]\w*) :/g)].map(([, a, b]) => a ?? b));
  const order: string[] = [];
  return words.replace(/(?<!\. )\b[A-Za-z_]\w*/g, (name) => {
    if (!own.has(name)) return name;
    if (!order.includes(name)) order.push(name);
    return `own_${order.indexOf(name)}`;
  });
}

/** Declarations of a module, as sets of words and signs: neither white space nor their order matters, nor whether a number has a name. */
function declarationsOf(wgsl: string): Set<string> {
  let code = wgsl.replace(/\/\/.*|\/\*[\s\S]*?\*\//g, "");
  // A number may have a name that has another name.
  for (let i = 0; i < 3; i++) {
    const named = code.matchAll(/\bconst (\w+)\s*=\s*([\d.]\w*);/g);
    const numbers = new Map([...named].map(([, name, number]) => [name, number]));
    code = code.replace(/\w+/g, (name) => numbers.get(name) ?? name);
  }
  const parts: string[] = [];
  let [depth, begin] = [0, 0];
  for (let i = 0; i < code.length; i++) {
    const sign = code[i];
    if (sign === "{") depth++;
    if (sign === "}") depth--;
    if (depth > 0 || (sign !== ";" && sign !== "}")) continue;
    parts.push(code.slice(begin, i + 1));
    begin = i + 1;
  }
  const words = parts.map((part) =>
    withOwnNames((part.match(/\w+|[^\s\w]/g) ?? []).join(" "))
      // Names that two modules have are told apart in another order.
      .replace(/([a-z])0\b/g, "$1")
      .replace(/, (?=[)}>])/g, ""),
  );
  return new Set(words.filter((one) => one !== ";"));
}

const cases = tableNames.flatMap((id) =>
  [{}, ...(PARAMS[id] ?? [])].flatMap((params) => DEVICES.map((device) => ({ id, params, device }))),
);

test.each(cases)(
  "$id with $params on $device: the text is that of the harness' linker",
  async ({ id, params, device }) => {
    await compare(await kernelsOf(id, params, device));
  },
);

test("group-bys, distinct and joins: the text is that of the harness' linker", async () => {
  const gpu = new Asked(infoOf({ subgroups: 32, buffers: 8, maxBinding: 0 }), 2 ** 31 - 16);
  const [keys, said] = [idleBuffer("the caller's", 80_000), (steps: readonly Step[]) => gpu.time(steps)];
  const rows = { keys, n: 20_000 };
  await scoped(gpu, async (own) => {
    for (const plan of ["few", "local", "partition", "sort"] as const) {
      const columns = plan === "few" || plan === "local" ? [keys, keys, keys, keys] : [keys];
      const aggregates = plan === "sort" ? (["sum"] as const) : (["sum64", "min", "max", "count"] as const);
      const by = await makeGroupBy(own, { aggregates, plan, columns: columns.length });
      await by.run(said, { ...rows, columns });
    }
    await (await makeSampling(own, 1)).count(said, rows);
    const firsts = await makeDistinct(own, { plan: "local" });
    await firsts.run(said, rows);
    await firsts.steps({ n: 20_000, distinct: 20_000 });
    for (const kind of JOIN_KINDS) {
      const join = await makeJoin(own, { kind });
      await join.run(said, rows, rows);
      await join.steps({ build: 20_000, probe: 20_000, results: 20_000 });
    }
  });
  await compare(gpu.sources);
});

test("rows that come again, and rows that win: the text is that of the harness' linker", async () => {
  const conditions = { STATES: true, RESULTS: true, VALUES: true };
  const [again, winners] = ["kernels/common/again.wgsl", "kernels/common/winners.wgsl"];
  await compare([
    { file: again },
    { file: again, conditions },
    { file: again, conditions, entry: "tell" },
    { file: winners },
    { file: winners, entry: "keep" },
  ]);
});

/** Compares the text of the library's linker with that of the harness'. */
async function compare(sources: readonly KernelSource[]): Promise<void> {
  expect(sources.length).toBeGreaterThan(2);
  const texts = sources.map(({ file, entry = "main", conditions = {} }) => JSON.stringify({ file, entry, conditions }));
  for (const text of new Set(texts)) {
    const { file, entry, conditions } = JSON.parse(text) as Required<KernelSource>;
    const { kernel } = (await import(/* @vite-ignore */ join(packageRoot, `${file}.js`))) as { kernel: KernelFile };
    const own = linkEntry(kernel, entry, conditions);
    const { dest } = await linkKernel({ file, conditions });
    const whole = new WgslModule(dest);
    expect(own.resources, file).toEqual(whole.resources(entry));
    const extensions = (text: string) => text.match(/\benable \w+/g);
    expect(extensions(own.code), file).toEqual(extensions(dest));
    const all = declarationsOf(dest);
    expect(
      [...declarationsOf(own.code)].filter((one) => !all.has(one)),
      `${file} ${entry}`,
    ).toEqual([]);
  }
}

test("declarations of one name in two files have two names", () => {
  const [one, other]: Declaration[] = [1, 2].map((value) => ["value", `(){${value}}`]);
  if (!one || !other) throw new Error("no declarations");
  const main: Declaration = ["main", (of) => of`{${one} ${other} ${one}}`];
  const file: KernelFile = { file: "x.wgsl", entries: { main } };
  expect(linkEntry(file, "main", {}).code.split("\n")[1]).toBe("struct main{value value0 value}");
});

test("sizes are compiled in, but for the seed", () => {
  const Sizes: Declaration = [
    "Sizes",
    {
      text: "struct Sizes{slots:u32,seed:u32}",
      fields: [
        ["slots", 0, 1],
        ["seed", 1, 1],
      ],
    },
  ];
  const sizes: Declaration = ["sizes", { bound: ["uniform", 31, () => Sizes] }];
  const linked = (member: string, seed: number) => {
    const main: Declaration = ["main", (of) => of`(){${sizes}.${member}}`];
    return linkEntry({ file: "x.wgsl", entries: { main } }, "main", {}, { slots: 7, seed });
  };
  expect(linked("seed", 3)).toEqual(linked("seed", 4));
  expect(linked("seed", 3).code).toContain("@binding(31)var<uniform> sizes_given:Sizes;");
  expect([...linked("seed", 3).resources.keys()]).toEqual(["sizes"]);
  expect(linked("slots", 3).code).toContain("const sizes=Sizes(7u,0u);");
  expect(linked("slots", 3).resources.size).toBe(0);
});
