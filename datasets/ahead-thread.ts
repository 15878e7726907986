/** Thread of `ahead.ts`: makes one data set, and says its keys chunk by chunk. */
import { parentPort, workerData } from "node:worker_threads";
import type { Said, Told } from "./ahead.js";
import { openDataset } from "./index.js";

const { dataset, n, seed, absent, plugin } = workerData as Told;
const say = (said: Said, words: Uint32Array) => parentPort?.postMessage(said, [words.buffer as ArrayBuffer]);

if (plugin !== undefined)
  await (await import("../bench/plugins/plugins.js")).loadPlugins([plugin], { measuring: true });
const source = await openDataset(dataset, { n, seed });
for await (const chunk of source.chunks()) {
  // A chunk may be part of what its maker goes on with.
  const keys = chunk.slice();
  say({ keys }, keys);
}
const others = (await source.absent(absent)).slice();
say({ unique: source.unique(), absent: others }, others);
