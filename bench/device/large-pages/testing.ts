import { spawnSync } from "node:child_process";

/** Whether this is Linux with a C compiler that works, so that the layer is built. */
export const compiles =
  process.platform === "linux" &&
  spawnSync("cc", ["-x", "c", "-fsyntax-only", "-"], { input: "#include <pthread.h>\n" }).status === 0;
