#!/usr/bin/env node
import { errorLine, main } from "./program.js";

// A reader that goes away (`hashbench list | head`) ends the output, not in an error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
});
// What the code of a plug-in throws in a callback of its own.
process.on("uncaughtException", (error) => {
  console.error(errorLine(error));
  process.exit(70);
});
process.exitCode = await main(process.argv.slice(2));
// Timers or sockets of a plug-in do not keep the command alive.
setTimeout(() => process.stdout.write("", () => process.exit()), 500).unref();
