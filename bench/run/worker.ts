/** The worker process: opens the device and measures cells until its parent lets it go. A hang or crash ends only it. */

import { openDawn } from "../gpu/dawn.js";
import { sleepInWaits } from "../gpu/polling.js";
import { checkTimer } from "../gpu/timer.js";
import { loadNative } from "../native/load.js";
import { keepArrays } from "../native/running.js";
import { loadPlugins } from "../plugins.js";
import { runChecks } from "./checks.js";
import { session } from "./session.js";

process.on(
  "message",
  session({
    say: (message) => void process.send?.(message),
    async open({ plugins, native, open }) {
      await loadPlugins(plugins);
      loadNative(native);
      const gpu = await openDawn(open);
      const problem = await checkTimer(gpu.device);
      if (problem) throw new Error(problem);
      return gpu;
    },
    lost(why) {
      console.error(why);
      process.exit(70);
    },
    keepArrays,
    async check(...checks) {
      // Cases need the cores that other workers wait on, and no clock.
      sleepInWaits();
      await runChecks(...checks);
    },
  }),
);
// Ctrl-C reaches all processes of a terminal: the command ends its workers itself, and none of their cells is a crash.
process.on("SIGINT", () => undefined);
// A kernel that hangs would keep the exit waiting for the driver.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
