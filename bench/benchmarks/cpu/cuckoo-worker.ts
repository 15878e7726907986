/** Worker thread of `threads.ts`. */
import { parentPort, workerData } from "node:worker_threads";
import { serve, type ThreadData } from "./threads.js";

if (parentPort) serve(workerData as ThreadData, parentPort);
