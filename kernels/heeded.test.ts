/** No table takes a parameter that it does not heed: with another value it asks something else of the device, or says something else of itself. */
import { expect, test } from "vitest";
import { globals } from "webgpu";
import { createTable } from "./create.js";
import type { Params, Scalar } from "./declare.js";
import { configure, conflictOf } from "./define.js";
import { FakeGpu } from "./device/fake.js";
import type { KernelSource, MemoryKind, Step } from "./device/gpu.js";
import { idleBuffer } from "./device/idle.js";
import { hostTable } from "./host-memory.js";
import { allTables } from "./index.js";
import { Traffic } from "./out-of-core/pcie.js";
import type { TableParameter, TableType } from "./table.js";

Object.assign(globalThis, globals);

/** Large enough for builds by partitions. Tables in host memory take a while. */
const sizeOf = ({ hostMemory }: TableType) => (hostMemory ? 100_000 : 4_000_000);

/** Where a parameter is of another one's values only, those; and a value of it, where its ends are none for so few pairs. */
const WITH: Readonly<Record<string, Params>> = {
  "dycuckoo alike": { resize: true },
  "dycuckoo pairs": { bucketSlots: 16 },
  "gph cells": { cells: 2 ** 20, refusals: true },
  "gph routing": { index: "workgroup" },
};

/** They decide by what a device says that the table holds: when it is resized (bench/verify/cases/resizing.gpu.test.ts), and which rounds of requests there are. */
const BY_CONTENTS = [
  ...["dycuckoo alpha", "dycuckoo beta", "megakv alpha", "megakv beta"],
  ...["clstash batches, in host memory", "stash-hybrid batches, in host memory"],
];

/** Notes what is asked of it. */
class Noting extends FakeGpu {
  readonly log: string[] = [];

  constructor() {
    super();
    Object.assign(this.info, { software: false, subgroupMin: 32, subgroupMax: 32, features: ["subgroups"] });
  }

  override alloc(label: string, bytes: number, memory?: MemoryKind) {
    this.log.push(`${label}: ${bytes}`);
    return super.alloc(label, bytes, memory);
  }

  override kernel<const Takes extends string>(source: KernelSource<Takes>) {
    this.log.push(JSON.stringify({ ...source, bound: Object.keys(source.bound ?? {}) }));
    return super.kernel(source);
  }

  override uniform(words: readonly number[]) {
    this.log.push(`uniform: ${words}`);
    return super.uniform(words);
  }

  override time(steps: readonly Step[]) {
    this.log.push(`groups: ${steps.map(({ groups }) => groups)}`);
    return super.time(steps);
  }
}

/** What the table says of itself, and asks of a device as it is made and used. */
async function told(type: TableType, params: Params): Promise<string> {
  const gpu = new Noting();
  const configured = configure(type, params);
  const { ops, maxLoadFactor, api } = configured;
  const loadFactor = Math.min(0.5, maxLoadFactor);
  const n = sizeOf(type);
  const [keys, values, results] = ["keys", "values", "results"].map((name) => idleBuffer(name, 4 * n)) as [
    GPUBuffer,
    GPUBuffer,
    GPUBuffer,
  ];
  const run = (steps: readonly Step[]) => gpu.time(steps);
  try {
    const table = await createTable(configured, gpu, { n, loadFactor, seed: 1, counting: false, insertions: n });
    await table.clear();
    await table.insert(run, { keys, values, n });
    await table.find(run, { keys, results, n });
    await table.recordable?.();
  } catch (error) {
    // What a device that does nothing leaves undone is wrong in the end; what was asked for is known.
    gpu.log.push(String(error));
  }
  return [...gpu.log, JSON.stringify([ops, maxLoadFactor, api, configured.bytes(n, loadFactor)])].join("\n");
}

function valuesOf(parameter: TableParameter): readonly Scalar[] {
  return "values" in parameter ? parameter.values : [parameter.from, parameter.to];
}

const hosted = allTables().flatMap((type) => hostTable(type.id, new Traffic()) ?? []);
const parameters = [
  ...allTables().map((type) => ({ type, where: "" })),
  ...hosted.map((type) => ({ type, where: ", in host memory" })),
].flatMap(({ type, where }) => type.parameters.map((parameter) => ({ type, parameter, where })));
const cases = parameters
  .map((one) => ({ ...one, name: `${one.type.id} ${one.parameter.name}${one.where}` }))
  .filter(({ name }) => !BY_CONTENTS.includes(name));

test.each(cases)("$name", async ({ type, parameter, name }) => {
  const given = WITH[name] ?? {};
  const own = given[parameter.name];
  const others = (own === undefined ? valuesOf(parameter) : [own]).filter(
    (value) => value !== parameter.default && conflictOf(type, { ...given, [parameter.name]: value }) === "",
  );
  expect(others).not.toEqual([]);
  const usual = await told(type, { ...given, [parameter.name]: parameter.default });
  const changed = await Promise.all(others.map((value) => told(type, { ...given, [parameter.name]: value })));
  expect(changed.some((one) => one !== usual)).toBe(true);
});
