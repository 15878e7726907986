import { expect, test } from "vitest";
import { testGpu } from "../../bench/device/testing.js";
import { uniform } from "../../datasets/rng.js";
import { dispatch } from "../device/bind.js";
import { warpConditions } from "./warp.js";

const gpu = testGpu();
const ITEMS = 1024;
const FIELDS = 12;
const WIDTHS = [1, 2, 4, 8, 16, 32];
const COLUMNS = "lane base ballot shuffle any all leader prefix nth tile-ballot tile-shuffle".split(" ");

interface Input {
  readonly predicate: boolean;
  readonly value: number;
  /** Lane of the warp to take a value from. */
  readonly from: number;
}

/** Warps with no, some and all predicates set. */
function inputsFor(width: number): Input[] {
  const draw = uniform(width);
  return Array.from({ length: ITEMS }, (_, i) => {
    const share = [0, 0.1, 0.5, 1][Math.floor(i / width) % 4] ?? 0;
    return { predicate: draw() < share, value: Math.floor(draw() * 2 ** 32), from: Math.floor(draw() * width) };
  });
}

/** What the primitives say, in the order of COLUMNS, computed plainly. */
function expected(inputs: readonly Input[], width: number, tile: number): number[][] {
  return inputs.map(({ from }, i) => {
    const lane = i % width;
    const warp = inputs.slice(i - lane, i - lane + width);
    const set = warp.flatMap(({ predicate }, at) => (predicate ? [at] : []));
    const bits = (lanes: readonly number[]) => lanes.reduce((mask, at) => mask + 2 ** at, 0);
    const first = lane - (lane % tile);
    return [
      lane,
      0,
      bits(set),
      warp[from]?.value ?? 0,
      set.length > 0 ? 1 : 0,
      set.length === width ? 1 : 0,
      set[0] ?? 32,
      set.filter((at) => at < lane).length,
      set[from] ?? 32,
      bits(set.filter((at) => at >= first && at < first + tile).map((at) => at - first)),
      warp[first + (from % tile)]?.value ?? 0,
    ];
  });
}

async function run(kind: "subgroups" | "virtual", width: number, tile: number, inputs: readonly Input[]) {
  const { conditions, constants, groupLanes } = warpConditions(gpu().info, width, kind);
  const file = "kernels/common/warp-check.wgsl";
  const takes = ["inputs", "outputs"] as const;
  const kernel = await gpu().kernel({ file, conditions, constants: { ...constants, TILE: tile }, takes });
  const given = await gpu().alloc("inputs", ITEMS * 16);
  const words = inputs.flatMap(({ predicate, value, from }) => [predicate ? 1 : 0, value, from, 0]);
  gpu().write(given, 0, Uint32Array.from(words));
  const outputs = await gpu().alloc("outputs", ITEMS * FIELDS * 4);
  await gpu().run([dispatch(kernel, ITEMS / groupLanes, { inputs: given, outputs })]);
  const read = await gpu().read(outputs, ITEMS * FIELDS);
  given.destroy();
  outputs.destroy();
  return inputs.map((_, i) => [...read.slice(i * FIELDS, i * FIELDS + COLUMNS.length)]);
}

const points = WIDTHS.flatMap((width) => WIDTHS.filter((tile) => tile <= width).map((tile) => ({ width, tile })));

// Virtual warps do not depend on subgroups: they are tested with 4 lanes.
test.skipIf(process.env.HASHBENCH_LANES === "8").each(points)(
  "a virtual warp of $width lanes in tiles of $tile does as a plain computation",
  async ({ width, tile }) => {
    const inputs = inputsFor(width);
    expect(await run("virtual", width, tile, inputs)).toEqual(expected(inputs, width, tile));
  },
);

test.each(points)(
  "subgroups as warps of $width lanes in tiles of $tile do as a plain computation",
  async ({ width, tile }) => {
    const inputs = inputsFor(width);
    const { subgroupMin, subgroupMax } = gpu().info;
    if (subgroupMin === subgroupMax && subgroupMin >= width) {
      expect(await run("subgroups", width, tile, inputs)).toEqual(expected(inputs, width, tile));
    } else {
      await expect(run("subgroups", width, tile, inputs)).rejects.toThrow(/the adapter has/);
    }
  },
);

test.runIf(process.env.HASHBENCH_LANES)("the adapter's subgroups are as wide as this step of the tests says", () => {
  const { subgroupMin, subgroupMax } = gpu().info;
  expect([subgroupMin, subgroupMax].map(String)).toEqual(Array(2).fill(process.env.HASHBENCH_LANES));
});
