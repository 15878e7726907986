/** Worker threads of Node that make blocks. */
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

/** The compiled worker. */
export const WORKER = new URL("./worker.js", import.meta.url);

/** Threads that may run beside the consumer's. */
export function spareThreads(): number {
  return Math.max(1, availableParallelism() - 1);
}

/** Whether the worker is there. */
export function canStart(worker: URL): boolean {
  return existsSync(worker);
}

/** One worker and the requests it has yet to answer, oldest first. */
export class GeneratorThread {
  private readonly worker: Worker;
  private readonly waiting: { resolve(words: Uint32Array): void; reject(error: unknown): void }[] = [];

  constructor(script: URL) {
    this.worker = new Worker(script);
    this.worker.on("message", (words: Uint32Array) => this.waiting.shift()?.resolve(words));
    this.worker.on("error", (error) => {
      for (const request of this.waiting.splice(0)) request.reject(error);
    });
  }

  generate(request: unknown): Promise<Uint32Array> {
    const reply = new Promise<Uint32Array>((resolve, reject) => this.waiting.push({ resolve, reject }));
    // A reply that is never awaited, as another one failed first, must not end the process as unhandled.
    reply.catch(() => {});
    this.worker.postMessage(request);
    return reply;
  }

  async end(): Promise<void> {
    await this.worker.terminate();
  }
}
