#!/usr/bin/env node
// Modules are loaded inside: what the system has against their files is one line too.
import { tooFewFiles } from "./open-files.js";

try {
  await import("./start.js");
} catch (error) {
  if (!tooFewFiles(error)) throw error;
  console.error("hashbench: this process may not open enough files; raise its limit (ulimit -n 1024)");
  process.exitCode = 2;
}
