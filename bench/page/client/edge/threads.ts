/** In place of datasets/blocks/threads.ts: the worker makes all blocks by itself. */
type Threads = typeof import("../../../../datasets/blocks/threads.js");

export const WORKER: Threads["WORKER"] = new URL("about:blank");
export const spareThreads: Threads["spareThreads"] = () => 0;
export const canStart: Threads["canStart"] = () => false;

/** Never made, since none can start. */
export class GeneratorThread implements Pick<InstanceType<Threads["GeneratorThread"]>, "generate" | "end"> {
  async generate(): Promise<Uint32Array> {
    throw new Error("no threads");
  }
  async end(): Promise<void> {}
}
