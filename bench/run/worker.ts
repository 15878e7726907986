/** The worker process: opens the device and measures cells until its parent lets it go. A hang or crash ends only it. */

import { UsageError } from "../../kernels/device/errors.js";
import type { Gpu } from "../../kernels/device/gpu.js";
import { countAhead } from "../counting/counters.js";
import { messageOf } from "../errors.js";
import { openDawn } from "../gpu/dawn.js";
import { checkTimer } from "../gpu/timer.js";
import { loadNative } from "../native/load.js";
import { loadPlugins } from "../plugins.js";
import { Cells } from "./cells.js";
import { runChecks } from "./checks.js";
import type { FromWorker, ToWorker, WorkerOptions } from "./protocol.js";
import { Reporter } from "./reporter.js";

function say(message: FromWorker): void {
  process.send?.(message);
}

const reporter = new Reporter(say);

interface Open {
  readonly gpu: Gpu;
  readonly cells: Cells;
}

async function open(options: WorkerOptions): Promise<Open | null> {
  try {
    await loadPlugins(options.plugins);
    loadNative(options.native);
    const gpu = await openDawn(options.open);
    gpu.device.lost.then(({ reason, message }) => {
      if (reason !== "destroyed") {
        console.error(`device lost: ${message.split("\n")[0]}`);
        process.exit(70);
      }
    });
    const problem = await checkTimer(gpu.device);
    if (problem) throw new Error(problem);
    // On a software adapter memory is allocated quickly and the compiler takes the cores that kernels run on; and there a buffer
    // that is used after it was freed is reported as an error.
    if (!gpu.info.software) {
      gpu.keepSpares(options.memory);
      if (options.counting) gpu.onTimed = countAhead(gpu);
    }
    const cells = new Cells(gpu, options, reporter);
    gpu.onFull = () => cells.release();
    say({ type: "ready", device: gpu.info });
    return { gpu, cells };
  } catch (error) {
    say({ type: "unusable", reason: messageOf(error), usage: error instanceof UsageError });
    return null;
  }
}

let worker: Open | null = null;
process.on("message", async (message: ToWorker) => {
  if (message.type === "open") {
    worker = await open(message.options);
  } else if (worker) {
    // A software adapter's compiler takes the cores that its kernels run on.
    const together = message.type === "cells" && message.together && !worker.gpu.info.software;
    if (message.type === "cells") {
      reporter.experiments = new Map(message.cells.map(({ index, spec }) => [index, spec.experiment]));
      await worker.cells.run(message.cells, message.budgetMs, together);
    } else {
      // Cases need the cores that other workers wait on, and no clock.
      await import("../gpu/polling.js");
      await runChecks(worker.gpu, message.cells, reporter);
    }
    reporter.done();
  }
});
// Ctrl-C reaches all processes of a terminal: the command ends its workers itself, and none of their cells is a crash.
process.on("SIGINT", () => undefined);
// A kernel that hangs would keep the exit waiting for the driver.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
