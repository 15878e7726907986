/** Worker thread of `pool.ts`: answers each block with its words, in the order of the requests. */
import { parentPort } from "node:worker_threads";
import { type BlockOf, type Kind, makeBlock } from "./makers.js";

parentPort?.on("message", ({ kind, block }: { kind: Kind; block: BlockOf<Kind> }) => {
  const words = makeBlock(kind, block);
  parentPort?.postMessage(words, [words.buffer as ArrayBuffer]);
});
