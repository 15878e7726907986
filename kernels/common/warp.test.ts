import { expect, test, vi } from "vitest";
import { bucketed } from "../bucketed/bucketed.js";
import { createTable } from "../create.js";
import { FakeGpu } from "../device/fake.js";
import type { DeviceInfo } from "../device/gpu.js";
import { statusOf } from "../device/status.js";
import { radixSort } from "../radix-sort/radix-sort.js";
import type { TableType } from "../table.js";
import { checkSubgroups } from "./bulk.js";
import { subgroupLanes, warpConditions } from "./warp.js";

const adapter = (subgroupMin: number, subgroupMax: number, features = ["subgroups"]) => ({
  subgroupMin,
  subgroupMax,
  features,
});

test.each([
  ["one size", adapter(32, 32), 256, 32],
  ["a size that the driver chooses", adapter(8, 32), 256, 0],
  ["a size that does not divide the workgroup", adapter(24, 24), 256, 0],
  ["a size, but no feature", adapter(32, 32, []), 256, 0],
  ["no size", adapter(0, 0), 256, 0],
])("%s: lanes of subgroups that kernels count on", (_, info, groupLanes, lanes) => {
  expect(subgroupLanes(info, groupLanes)).toBe(lanes);
  expect(warpConditions(info, 4, "auto", groupLanes).conditions.SUBGROUPS).toBe(lanes > 0);
});

/** How the kernels with sums over a workgroup are compiled that a build takes. */
async function sums(type: TableType, params: TableType["mixedParams"], info: Partial<DeviceInfo>) {
  const fake = new FakeGpu();
  const gpu = Object.assign(fake, { info: { ...fake.info, ...info } });
  const kernel = vi.spyOn(gpu, "kernel");
  const options = { n: 5000, loadFactor: type.dense ? 1 : 0.5, seed: 1, params: params ?? {}, counting: false };
  const table = await createTable(type, gpu, options);
  await table.clear();
  const [keys, values] = [await gpu.alloc("keys", 20_000), await gpu.alloc("values", 20_000)];
  await table.insert((steps) => gpu.time(steps), { keys, values, n: 5000 });
  table.destroy();
  const sources = kernel.mock.calls.map(([source]) => source);
  return sources
    .filter(({ file }) => /partitioned\/scatter|sort-part/.test(file))
    .map(({ conditions, constants }) => ({ subgroups: conditions?.SUBGROUPS, lanes: constants?.SUBGROUP }));
}

test.each([
  ["bucketed, partitioned", bucketed, { partitioned: true }, 1],
  ["radix-sort, hybrid", radixSort, { sort: "hybrid" }, 2],
])(
  "%s: sums go through workgroup memory where a driver may choose the size of subgroups",
  async (_, type, params, kernels) => {
    const all = <T>(one: T) => Array.from({ length: kernels }, () => one);
    expect(await sums(type, params, adapter(32, 32))).toEqual(all({ subgroups: true, lanes: 32 }));
    expect(await sums(type, params, adapter(8, 32))).toEqual(all({ subgroups: false, lanes: undefined }));
  },
);

test("what a kernel says of its subgroups is an error, whatever it counted there before", () => {
  expect(() => checkSubgroups(statusOf(Uint32Array.of(1, 2, 3, 4, 0, 5, 6, 7)))).not.toThrow();
  expect(() => checkSubgroups(statusOf(new Uint32Array()))).not.toThrow();
  expect(() => checkSubgroups(statusOf(Uint32Array.of(0, 0, 0, 0, 1)))).toThrow(
    "in other subgroups than the adapter says",
  );
});
