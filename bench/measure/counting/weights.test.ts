import { expect, test } from "vitest";
import { linkKernel } from "../../device/link.js";
import { addPackageKernels } from "../../device/sources.js";
import { REGION_NAMES, regionOperations } from "./weights.js";

/** Operations by region of `body`, the entry point of a module with a storage array and a few functions. */
function weigh(body: string, constants: Readonly<Record<string, number>> = {}) {
  const wgsl = `
    const PROLOGUE = 0u; const PROBE = 1u; const CLAIM = 2u; const STEP = 3u; const NEXT = 4u; const EPILOGUE = 5u;
    override FUNCTIONS: u32;
    const TWO = 2u;
    struct Pair { key: u32, value: u32 }
    @group(0) @binding(0) var<storage, read_write> table: array<atomic<u32>>;
    @group(0) @binding(1) var<storage, read> keys: array<u32>;
    struct Sizes { slots: u32, seed: u32 }
    @group(0) @binding(31) var<uniform> sizes: Sizes;
    var<private> mine: u32;
    fn count_region(region: u32) { mine += region * 7u; }
    fn count_once(region: u32) { mine += region * 7u; }
    fn count_step() { mine += 1u; }
    fn hash(x: u32) -> u32 { return (x ^ (x >> 16u)) * 5u; }
    fn claimed(slot: u32) -> bool { count_region(CLAIM); return atomicAnd(&table[slot + 1u], ~slot) == 0u; }
    @compute @workgroup_size(32) fn main(@builtin(local_invocation_index) lid: u32) { ${body} }`;
  const operations = regionOperations({ wgsl, entry: "main", constants });
  return Object.fromEntries(REGION_NAMES.flatMap((name, i) => (operations[i] ? [[name, operations[i]]] : [])));
}

test("operators, loads and stores count one each; moves, declarations and constructors nothing", () => {
  expect(weigh("let key = keys[lid + 1u]; let pair = Pair(key, 3u); mine = pair.value; mine += key;")).toEqual({
    prologue: 3,
  });
});

test("a called function counts as its body, a built-in one as one", () => {
  expect(weigh("mine = hash(lid);")).toEqual({ prologue: 3 });
  expect(weigh("mine = min(lid, 3u);")).toEqual({ prologue: 1 });
});

test("an atomic is one operation beside those of its address and operand", () => {
  expect(weigh("atomicAdd(&table[lid * 2u], lid + 1u);")).toEqual({ prologue: 3 });
});

test("counting itself weighs nothing, and begins the regions", () => {
  expect(
    weigh(
      "for (var i = 0u; i < lid; i++) { count_step(); mine ^= lid; { count_region(NEXT); mine = lid - 1u; } mine = ~lid; }",
    ),
  ).toEqual({ probe: 5, next: 1 });
});

test("a region ends with its block", () => {
  expect(weigh("if (lid > 1u) { count_once(EPILOGUE); mine = hash(lid); } mine += 1u;")).toEqual({
    prologue: 3,
    epilogue: 3,
  });
});

test("a loop of a constant number of turns counts as often, also through an override", () => {
  expect(weigh("for (var i = 0u; i < FUNCTIONS; i++) { mine += lid; }", { FUNCTIONS: 4 })).toEqual({ prologue: 16 });
  expect(weigh("for (var i = 0u; i < lid; i++) { mine += lid; }")).toEqual({ prologue: 4 });
  expect(weigh("for (var i = 0u; i < 4u; i++) { mine += lid; } mine += lid;")).toEqual({ prologue: 17 });
});

test("a loop in which regions begin is weighed once, however many turns it has", () => {
  const loop =
    "for (var i = 0u; i < FUNCTIONS; i++) { count_region(PROLOGUE); mine += lid; if (claimed(i)) { return; } }";
  expect(weigh(loop, { FUNCTIONS: 4 })).toEqual({ prologue: 5, claim: 4 });
});

test("conditions on constants are decided", () => {
  expect(weigh("if (TWO > 1u) { mine += 1u; } else { mine = hash(hash(lid)); }")).toEqual({ prologue: 1 });
  expect(weigh("if (TWO > 2u) { mine = hash(lid); } else { mine += 1u; }")).toEqual({ prologue: 1 });
});

test("what is made of sizes and constants alone counts nothing, what a lane makes of it does", () => {
  expect(weigh("mine = sizes.slots * TWO - 1u;")).toEqual({});
  expect(weigh("mine = lid * (sizes.slots - 1u) + sizes.seed;")).toEqual({ prologue: 2 });
});

test("a division counts as the instructions that it is compiled to, one by a constant as one", () => {
  expect(weigh("mine = lid / 7u + lid % TWO;")).toEqual({ prologue: 3 });
  expect(weigh("mine = lid / keys[0];")).toEqual({ prologue: 21 });
  expect(weigh("mine = (lid + 1u) % sizes.slots;")).toEqual({ prologue: 21 });
  expect(weigh("mine = lid % FUNCTIONS;", { FUNCTIONS: 4 })).toEqual({ prologue: 1 });
});

test("a condition on sizes is not decided", () => {
  expect(weigh("if (sizes.slots > 1u) { mine += lid; } else { mine -= lid; }")).toEqual({ prologue: 3 });
});

test("a region that begins in several places weighs their mean", () => {
  expect(weigh("if (claimed(lid)) { return; } while (claimed(mine)) { mine += 1u; }")).toEqual({
    prologue: 3,
    claim: 4,
  });
});

test("an unknown region is an error", () => {
  expect(() => weigh("count_region(lid);")).toThrow(/which region/);
  expect(() => weigh("count_region(77u);")).toThrow(/which region/);
});

test("a wait of Misra's set weighs by the turns that it takes, not by its bound", async () => {
  addPackageKernels();
  const { dest } = await linkKernel({ file: "kernels/misra/misra.wgsl", conditions: { COUNT: true } });
  const operations = regionOperations({ wgsl: dest, entry: "mixed", constants: {} });
  expect(Math.max(...operations)).toBeLessThan(100);
  expect(operations[REGION_NAMES.indexOf("wait")]).toBeGreaterThan(0);
});

test("what GPH does a turn of its lookup groups weighs by the turn", async () => {
  addPackageKernels();
  const conditions = {
    COUNT: true,
    SUBGROUPS: true,
    COOPERATIVE: true,
    REQUESTER: true,
    VECTORS_2: true,
  };
  const { dest } = await linkKernel({ file: "kernels/gph/find.wgsl", conditions });
  const constants = { TILE: 4, R: 8, M: 16, CELL_BITS: 8 };
  const operations = regionOperations({ wgsl: dest, entry: "main", constants });
  expect(operations[REGION_NAMES.indexOf("probe")]).toBeGreaterThan(50);
});
