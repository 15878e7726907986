/** A worker's answers to messages, in a process or a page: it opens the device, and measures cells until it is ended. */
import { UsageError } from "../../kernels/device/errors.js";
import type { Gpu } from "../../kernels/device/gpu.js";
import { messageOf } from "../base/errors.js";
import type { WebGpu } from "../device/gpu.js";
import { countAhead } from "../measure/counting/counters.js";
import { apiOf, benchmarks } from "../scenarios/index.js";
import { Cells } from "./cells.js";
import { CompiledAhead } from "./compiled-ahead.js";
import type { CheckJob, FromWorker, ToWorker, WorkerOptions } from "./protocol.js";
import { Reporter } from "./reporter.js";

export interface Surroundings {
  say(message: FromWorker): void;
  /** The device, with a clock that can be trusted, and the tables that were asked for. Throws an Error that says what is missing. */
  open(options: WorkerOptions): Promise<WebGpu>;
  /** Brings those of these tables that nobody has asked for yet. */
  bring?(tables: ReadonlySet<string>): Promise<void>;
  /** The device is gone: nobody hears of the worker any more. */
  lost(why: string): void;
  /** Waiting programs of native tables keep arrays for these tables alone. Returns whether others had some. */
  keepArrays?(tables: ReadonlySet<string>): Promise<boolean>;
  /** Runs conformance cases; missing where none are asked for. */
  check?(gpu: Gpu, jobs: readonly CheckJob[], to: Reporter, together: boolean): Promise<void>;
}

interface Open {
  readonly gpu: Gpu;
  readonly cells: Cells;
}

/** Takes the messages of a worker in turn. */
export function answering(surroundings: Surroundings): (message: ToWorker) => Promise<void> {
  const { say, open, bring, lost, check, keepArrays } = surroundings;
  const reporter = new Reporter(say);
  let worker: Open | null = null;

  const start = async (options: WorkerOptions): Promise<Open | null> => {
    try {
      const gpu = await open(options);
      gpu.device.lost.then(({ reason, message }) => {
        if (reason !== "destroyed") lost(`device lost: ${message.split("\n")[0]}`);
      });
      // On a software adapter memory is allocated quickly and the compiler takes the cores that kernels run on; and there a buffer
      // that is used after it was freed is reported as an error.
      if (!gpu.info.software) {
        gpu.keepSpares(options.memory);
        if (options.counting) gpu.onTimed = countAhead(gpu);
      }
      gpu.compiling = (work) => reporter.watch.during("compile", work);
      const ahead = gpu.info.software ? undefined : new CompiledAhead(gpu);
      const cells = new Cells(gpu, options, reporter, ahead);
      gpu.onFull = async () => {
        const own = cells.release();
        return (await keepArrays?.(new Set())) || own;
      };
      say({ type: "ready", device: gpu.info });
      return { gpu, cells };
    } catch (error) {
      say({ type: "unusable", reason: messageOf(error), usage: error instanceof UsageError });
      return null;
    }
  };

  return async (message) => {
    if (message.type === "open") {
      worker = await start(message.options);
    } else if (worker) {
      // A software adapter's compiler takes the cores that its kernels run on.
      const together = message.together && !worker.gpu.info.software;
      const soon = message.type === "cells" ? message.soon : [];
      await bring?.(new Set([...message.cells.map(({ spec }) => spec), ...soon].map(({ table }) => table)));
      if (message.type === "cells") {
        reporter.experiments = new Map(message.cells.map(({ index, spec }) => [index, spec.experiment]));
        const native = message.cells.filter(
          ({ spec }) => benchmarks[spec.bench]?.clock !== "cpu" && apiOf(spec) !== "webgpu",
        );
        reporter.native = new Set(native.map(({ index }) => index));
        await keepArrays?.(new Set(message.cells.map(({ spec }) => spec.table)));
        await worker.cells.run(message.cells, message.budgetMs, together, message.soon);
      } else {
        await check?.(worker.gpu, message.cells, reporter, together);
      }
      reporter.done();
    }
  };
}
