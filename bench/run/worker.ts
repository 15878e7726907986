/** The worker process: opens the device and measures cells until its parent lets it go. A hang or crash ends only it. */

import { sleepInWaits } from "../device/polling.js";
import { checkTimer } from "../device/timer.js";
import { loadPlugins } from "../plugins/plugins.js";
import { allSeries } from "../scenarios/index.js";
import { answering } from "./messages.js";

/** The code of native tables is a third of all modules, so it is loaded only if they are measured. */
let manifests: readonly string[] = [];
let programs: Pick<typeof import("../native/running.js"), "keepArrays"> | null = null;

process.on(
  "message",
  answering({
    say: (message) => void process.send?.(message),
    async open({ plugins, native, open }) {
      await loadPlugins(plugins, { measuring: true });
      manifests = native;
      const gpu = process.versions.deno
        ? await (await import("../device/wgpu.js")).openWgpu(open)
        : await (await import("../device/dawn.js")).openDawn(open);
      const problem = await checkTimer(gpu.device);
      if (problem) throw new Error(problem);
      return gpu;
    },
    async bring(tables) {
      const known = new Set(allSeries().map(({ id }) => id));
      if (programs || manifests.length === 0 || [...tables].every((id) => known.has(id))) return;
      (await import("../native/load.js")).loadNative(manifests);
      programs = await import("../native/running.js");
    },
    lost(why) {
      console.error(why);
      process.exit(70);
    },
    keepArrays: async (tables) => (await programs?.keepArrays(tables)) ?? false,
    async check(...checks) {
      // Cases need the cores that other workers wait on, and no clock.
      sleepInWaits();
      await (await import("./checks.js")).runChecks(...checks);
    },
  }),
);
// Ctrl-C reaches all processes of a terminal: the command ends its workers itself, and none of their cells is a crash.
process.on("SIGINT", () => undefined);
// A kernel that hangs would keep the exit waiting for the driver.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
