#!/usr/bin/env node
import { main } from "./program.js";

// A reader that goes away (`hashbench list | head`) ends the output, not in an error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
});
process.exitCode = await main(process.argv.slice(2));
