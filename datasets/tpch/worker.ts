/** Worker thread of `pool.ts`: answers each `KeyBlock` with its keys, in the order of the requests. */
import { parentPort } from "node:worker_threads";
import { blockKeys, type KeyBlock } from "./keys.js";

parentPort?.on("message", (block: KeyBlock) => {
  const keys = blockKeys(block);
  parentPort?.postMessage(keys, [keys.buffer as ArrayBuffer]);
});
