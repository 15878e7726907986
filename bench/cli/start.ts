/** Runs the command line of this process. */
import { watchOutput } from "./output.js";
import { errorLine, main } from "./program.js";

watchOutput();
// What the code of a plug-in throws in a callback of its own.
process.on("uncaughtException", (error) => {
  console.error(errorLine(error));
  process.exit(70);
});
process.exitCode = await main(process.argv.slice(2), true);
// Timers or sockets of a plug-in do not keep the command alive.
setTimeout(() => process.stdout.write("", () => process.exit()), 500).unref();
