/**
 * Random operations of the library's tables against a Map, for as many as are asked for of all tables together. After a build:
 *
 *     node dist/scripts/library-operations.js [--operations 50000000] [--tables quotient,gph] [--capacity 100000] [--seed 1] [--device auto]
 *
 * In the folder of a bundle it is `LD_LIBRARY_PATH=lib ./node dist/scripts/library-operations.js`. Ends with an error at the first wrong answer.
 */
import { parseArgs } from "node:util";
import { uniform } from "../datasets/rng.js";
import type * as Library from "../kernels/library/index.js";
import { compareWithMap } from "./against-map.js";
import { ADAPTER_OPTIONS, library, onAdapter } from "./on-adapter.js";

const { values: flags } = parseArgs({
  options: {
    operations: { type: "string", default: "50000000" },
    tables: { type: "string", default: library.tableNames.join() },
    capacity: { type: "string", default: "100000" },
    seed: { type: "string", default: "1" },
    ...ADAPTER_OPTIONS,
  },
});

await onAdapter(flags, async ({ device }) => {
  const names = flags.tables.split(",") as Library.TableName[];
  const random = uniform(Number(flags.seed));
  let all = 0;
  for (const name of names) {
    const operations = Number(flags.operations) / names.length;
    const done = await compareWithMap(device, { library, name, capacity: Number(flags.capacity), operations, random });
    all += done;
    console.log(`${name}: ${done} operations, 0 wrong`);
  }
  console.log(`${all} operations, 0 wrong`);
  return 0;
});
