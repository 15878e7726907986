/** Faults that are planted in kernels: each scenario finds each of them. */
import { expect, test } from "vitest";
import type { Gpu } from "../../kernels/device/gpu.js";
import { MIXED_KINDS } from "../../kernels/table.js";
import type { CellSpec } from "../base/experiment.js";
import { testGpu, withEdits } from "../device/testing.js";
import { cellOf, cellsOn } from "./testing.js";

const gpu = testGpu();
let faulty: Gpu | null = null;
const { measured } = cellsOn(() => faulty ?? gpu());

/** Keys for which a kernel is at fault. */
const SOME = "% 64u == 3u";
type Fault = readonly [file: string, sound: string, faulty: string];

const ERASED = "if (exchange_word(word, DELETED) != key) { return false; }";
const apart: Readonly<Record<string, Fault>> = {
  "an insertion that loses pairs": [
    "kernels/bucketed/insert.wgsl",
    "if (has_item && !insert(keys[item], values[item]))",
    `if (has_item && !(keys[item] ${SOME}) && !insert(keys[item], values[item]))`,
  ],
  "an insertion that stores other values": [
    "kernels/bucketed/insert.wgsl",
    "!insert(keys[item], values[item])",
    `!insert(keys[item], values[item] ^ u32(keys[item] ${SOME}))`,
  ],
  "a search that misses keys": [
    "kernels/bucketed/find.wgsl",
    "if (any(hit)) {",
    `if (any(hit)) { if (key ${SOME}) { return EMPTY; }`,
  ],
  "an erasure that leaves keys": ["kernels/bucketed/erase.wgsl", ERASED, `if (key ${SOME}) { return true; } ${ERASED}`],
};

const OPERATED = "results[item] = operate(kinds[item], keys[item], item);";
/** Says that it did it, and does not. */
const pretended = (kind: number): Fault => [
  "kernels/stash/mixed.wgsl",
  OPERATED,
  `let fake = kinds[item] == ${kind}u && keys[item] ${SOME};
   let answer = operate(select(kinds[item], ${MIXED_KINDS.find}u, fake), keys[item], item);
   results[item] = select(answer, 1u, fake);`,
];
const mixed: Readonly<Record<string, Fault>> = {
  "an insertion that loses pairs": pretended(MIXED_KINDS.insert),
  "an erasure that leaves keys": pretended(MIXED_KINDS.erase),
  "a search that misses keys": [
    "kernels/stash/mixed.wgsl",
    OPERATED,
    `${OPERATED} if (kinds[item] == ${MIXED_KINDS.find}u && keys[item] ${SOME}) { results[item] = 0xffffffffu; }`,
  ],
};

const bucketed = { table: "bucketed", loadFactor: 0.5 };
const stash = { table: "stash", loadFactor: 0.7 };
const { "an erasure that leaves keys": _, ...inserting } = apart;
interface Planted {
  readonly name: string;
  readonly change: Partial<CellSpec>;
  readonly known: Readonly<Record<string, Fault>>;
}
const cells = (
  [
    ["aging", { ...bucketed, bench: "aging", op: "aging", params: { batch: 400, round: 2 } }, apart],
    ["aging, mixed", { ...stash, bench: "aging", op: "aging", params: { batch: 300, round: 2, mixed: true } }, mixed],
    ["gamma", { ...stash, bench: "gamma", op: "mixed", params: { updates: 0.6, batch: 2000 } }, mixed],
    [
      "dynamic",
      { ...bucketed, bench: "dynamic", op: "dynamic", params: { batchSize: 700, r: 0.3, start: 6000 } },
      apart,
    ],
    ["incremental", { ...bucketed, bench: "incremental", params: { batch: 1000 } }, inserting],
    ["chunks", { ...bucketed, params: { chunk: 3, chunks: 3 } }, inserting],
  ] as const
).map(([name, change, known]): Planted => ({ name, change, known }));
const faults = cells.flatMap((cell) =>
  Object.entries(cell.known).map(([fault, planted]) => ({ ...cell, fault, planted })),
);

test.each(cells)("$name is right without a fault", async ({ change }) => {
  faulty = null;
  expect((await measured(cellOf(change))).wrong).toBe("");
});

test.each(faults)("$name finds $fault", async ({ planted: [file, sound, other], change }) => {
  faulty = withEdits(gpu(), file, { [sound]: other });
  const said = measured(cellOf(change)).then(({ wrong }) => wrong);
  // Some are seen by what the table says itself.
  expect(await said.catch((error: Error) => error.message)).toMatch(/ results are wrong| keys were erased/);
});
