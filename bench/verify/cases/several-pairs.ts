/** Conformance of tables in which a key may have several pairs, and of flushes. */
import { uniform } from "../../../datasets/rng.js";
import { DELETED, EMPTY } from "../../../kernels/common/steps.js";
import type { Gpu } from "../../../kernels/device/gpu.js";
import type { TableType } from "../../../kernels/table.js";
import { type Case, isSlow, type PartEnded, roundSeed } from "../case.js";
import { keysFrom, valuesFor } from "../draw.js";
import { Harness } from "../harness.js";
import { Multimap } from "../multimap.js";

/** Keys that may be there, and operations of a batch, at most; half as many on average. */
const SMALL = { keys: 200, batch: 800 };
const LARGE = { keys: 20_000, batch: 100_000 };
type Size = typeof SMALL;
const sizesFor = (gpu: Gpu, type: TableType) => (isSlow(gpu, type) ? [SMALL] : [SMALL, LARGE]);

/** Batches of a history, done twice; the last one leaves nothing. */
const HISTORY = "insert insert erase insert eraseAll flush insert erase flush clear".split(" ");

export const cases: readonly Case[] = [
  {
    name: "keys with several pairs: a random history of insertions, searches, erasures and flushes",
    core: true,
    random: true,
    needs: ["several pairs"],
    async check(gpu, type, round, ended) {
      for (const size of sizesFor(gpu, type)) await severalPairs(gpu, type, size, round, ended);
    },
  },
  {
    name: "flushes between insertions and erasures",
    core: true,
    random: true,
    applies: (type) => {
      if (!type.flushes) return "has nothing to flush";
      return type.duplicates ? "" : "keeps several pairs of a key: the case before flushes them";
    },
    async check(gpu, type, round, ended) {
      for (const size of sizesFor(gpu, type)) await flushes(gpu, type, size, round, ended);
    },
  },
];

const keysFor = (first: number, count: number) => keysFrom(first, count, 83);

async function severalPairs(gpu: Gpu, type: TableType, size: Size, round: number, ended: PartEnded): Promise<void> {
  const draw = uniform(roundSeed(size.keys, round));
  const below = (count: number) => Math.floor(draw() * count);
  const universe = keysFor(0, size.keys);
  const reserved = [EMPTY, DELETED];
  const asked = [...universe, ...reserved, ...universe.slice(0, 40), ...keysFor(size.keys, 100)];
  let serial = round;
  await Multimap.on(gpu, type, size.batch, async (it) => {
    for (const what of [...HISTORY, ...HISTORY]) {
      // The first keys come most often: they have so many pairs that these fill several slabs.
      const some = Array.from(
        { length: 1 + below(size.batch) },
        () => universe[Math.floor(size.keys * draw() ** 2)] ?? 0,
      );
      if (what === "insert") {
        await it.insert(
          some,
          some.map(() => Math.imul(++serial, 0x9e3779b1) >>> 1),
        );
      } else if (what === "erase") {
        await it.erase([...some.slice(0, some.length / 2), ...reserved]);
      } else if (what === "eraseAll") {
        await it.eraseAll([...universe.filter(() => draw() < 0.5), ...universe.slice(0, 20), ...reserved]);
      } else if (what === "flush") {
        await it.flush();
      } else {
        await it.eraseAll(asked);
        await it.flush();
      }
      await it.check(asked);
      ended();
    }
  });
}

async function flushes(gpu: Gpu, type: TableType, size: Size, round: number, ended: PartEnded): Promise<void> {
  const draw = uniform(roundSeed(2 * size.keys, round));
  // Few lists of many nodes.
  const n = Math.ceil(size.batch / 10);
  const universe = keysFor(0, size.batch);
  await Harness.on(gpu, type, n, 0.9, async (table) => {
    for (const kept of [0.8, 0.5, 0.1, 0.3, 0]) {
      const some = universe.filter(() => draw() < 0.7);
      await table.insert(some, valuesFor(some, size.batch * kept));
      await table.erase(universe.filter(() => draw() >= kept));
      await table.flush();
      await table.find([...universe, EMPTY, DELETED]);
      ended();
    }
  });
}
