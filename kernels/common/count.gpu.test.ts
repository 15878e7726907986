/** The records of count.wgsl say what lanes and warps did, as a plain computation has it. */
import { expect, test } from "vitest";
import { testGpu } from "../../bench/device/testing.js";
import { RECORD_WORDS, REGIONS_AT } from "../../bench/measure/counting/sums.js";
import { REGION_NAMES } from "../../bench/measure/counting/weights.js";
import { uniform } from "../../datasets/rng.js";
import { dispatch } from "../device/bind.js";
import { ownWidth, variant } from "./steps.js";
import { warpConditions } from "./warp.js";

const gpu = testGpu();
const WARP = 32;
/** Not a multiple of a warp or a workgroup. */
const N = 1000;
/** Turns that have a bit: TURN_BITS of kernels/common/count.wgsl. */
const TURN_BITS = 256;

/** What a lane of count-check.wgsl does. */
interface Lane {
  readonly turns: number;
  /** It claims in every turn that is a multiple. */
  readonly claims: number;
  readonly ends: boolean;
}

/** Lanes of very different lengths, with and without turns; with `late`, some far beyond the turns that have bits. */
function lanesOf(late: boolean): Lane[] {
  const draw = uniform(late ? 2 : 1);
  return Array.from({ length: N }, () => ({
    turns: Math.floor(draw() < 0.05 && late ? 200 + 400 * draw() : 40 * draw() ** 3),
    claims: 1 + Math.floor(5 * draw()),
    ends: draw() < 0.3,
  }));
}

/** Rows of lanes that run together. */
function warpsOf(lanes: readonly Lane[], width: number): Lane[][] {
  return Array.from({ length: Math.ceil(lanes.length / width) }, (_, i) => lanes.slice(i * width, (i + 1) * width));
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const longest = (warp: readonly Lane[]) => Math.max(...warp.map(({ turns }) => turns));
const turnsOf = ({ turns }: Lane) => Array.from({ length: turns }, (_, i) => i + 1);
/** The turns in which a lane executes each region; outside the loop it is turn 0. */
const executions: Record<string, (lane: Lane) => number[]> = {
  prologue: () => [0],
  probe: turnsOf,
  claim: (lane) => turnsOf(lane).filter((turn) => turn % lane.claims === 0),
  next: (lane) => turnsOf(lane).slice(0, -1),
  epilogue: ({ ends }) => (ends ? [0] : []),
};

/** Executions of each region by lanes, and by warps: once for all lanes that execute it in the same turn. */
function expectedRegions(lanes: readonly Lane[]): [lanes: number, warps: number][] {
  return REGION_NAMES.map((name) => {
    const of = executions[name] ?? (() => []);
    const byWarps = warpsOf(lanes, WARP).map((warp) => new Set(warp.flatMap(of)).size);
    return [sum(lanes.map((lane) => of(lane).length)), sum(byWarps)];
  });
}

async function counted(lanes: readonly Lane[], kind: "alone" | "subgroups" | "virtual", width = WARP) {
  const alone = { conditions: { COOPERATIVE: false, SUBGROUPS: false }, constants: {}, groupLanes: 256 };
  const { conditions, constants, groupLanes } = kind === "alone" ? alone : warpConditions(gpu().info, width, kind);
  const file = "kernels/common/count-check.wgsl";
  const kernel = await variant(gpu(), { file, conditions, constants, takes: ["lanes", "n"] }, true);
  const groups = Math.ceil(N / groupLanes);
  const given = await gpu().alloc("lanes", N * 12);
  const words = lanes.flatMap(({ turns, claims, ends }) => [turns, claims, ends ? 1 : 0]);
  gpu().write(given, 0, Uint32Array.from(words));
  const counters = await gpu().alloc("counters", groups * RECORD_WORDS * 4);
  const all = { buffer: counters, offset: 0, size: counters.size };
  await gpu().run([{ ...dispatch(kernel, groups, { lanes: given, n: N }), counters: all }]);
  const read = await gpu().read(counters, groups * RECORD_WORDS);
  given.destroy();
  counters.destroy();
  const records = Array.from({ length: groups }, (_, i) => [...read.slice(i * RECORD_WORDS, (i + 1) * RECORD_WORDS)]);
  const total = (word: number) => sum(records.map((record) => record[word] ?? 0));
  return {
    items: total(0),
    steps: total(1),
    warpSteps: total(2),
    ownWarpSteps: total(8),
    longest: Math.max(...records.map((record) => record[7] ?? 0)),
    regions: REGION_NAMES.map((_, region) => [total(REGIONS_AT + 2 * region), total(REGIONS_AT + 2 * region + 1)]),
  };
}

function expectedSums(lanes: readonly Lane[]) {
  return {
    items: N,
    steps: sum(lanes.map(({ turns }) => turns)),
    warpSteps: sum(warpsOf(lanes, WARP).map(longest)),
    longest: longest(lanes),
  };
}

test("lanes that run alone: steps, warp steps and regions are those of warps in lockstep", async () => {
  const lanes = lanesOf(false);
  expect(await counted(lanes, "alone")).toEqual({
    ...expectedSums(lanes),
    ownWarpSteps: sum(warpsOf(lanes, ownWidth(gpu().info)).map(longest)),
    regions: expectedRegions(lanes),
  });
});

test("lanes that cooperate: as if they ran alone, but a warp's lanes are in its loop until the last one is done", async () => {
  const lanes = lanesOf(true);
  const { ownWarpSteps, ...others } = await counted(lanes, "virtual");
  expect(others).toEqual({ ...expectedSums(lanes), regions: expectedRegions(lanes) });
  // Every part of the virtual warp as wide as the adapter's own takes all its turns.
  const parts = (warp: readonly Lane[]) => Math.ceil(WARP / ownWidth(gpu().info)) * longest(warp);
  expect(ownWarpSteps).toBe(sum(warpsOf(lanes, WARP).map(parts)));
});

test("subgroups as warps count the same lane executions as lanes that run alone", async () => {
  const { subgroupMin, subgroupMax } = gpu().info;
  const lanes = lanesOf(true);
  const run = () => counted(lanes, "subgroups", Math.min(subgroupMin || WARP, WARP));
  if (subgroupMin === subgroupMax && subgroupMin > 0) {
    const { regions, items, steps } = await run();
    expect({ items, steps }).toEqual({ items: N, steps: expectedSums(lanes).steps });
    expect(regions.map(([byLanes]) => byLanes)).toEqual(expectedRegions(lanes).map(([byLanes]) => byLanes));
  } else {
    await expect(run()).rejects.toThrow(/the adapter has/);
  }
});

test("turns without a bit: a region of every turn is exact, others are never too few and hardly too many", async () => {
  const lanes = lanesOf(true);
  const { regions, ...others } = await counted(lanes, "alone");
  expect(others).toMatchObject(expectedSums(lanes));
  const late = (turns: readonly number[]) => turns.filter((turn) => turn >= TURN_BITS).length;
  const tooMany: Record<string, number> = {
    // As if no two lanes ever claimed in the same late turn.
    claim: sum(lanes.map((lane) => late(executions.claim?.(lane) ?? []))),
    // The longest lane's last turn.
    next: warpsOf(lanes, WARP).filter((warp) => longest(warp) >= TURN_BITS).length,
  };
  for (const [region, [byLanes, byWarps]] of expectedRegions(lanes).entries()) {
    const name = REGION_NAMES[region] ?? "";
    const [lanesCounted, warpsCounted = 0] = regions[region] ?? [];
    expect(lanesCounted, name).toBe(byLanes);
    expect(warpsCounted, name).toBeGreaterThanOrEqual(byWarps);
    expect(warpsCounted, name).toBeLessThanOrEqual(byWarps + (tooMany[name] ?? 0));
  }
});
