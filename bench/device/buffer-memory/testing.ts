/** Processes that load the layer, for tests of it. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { packageRoot } from "../../base/paths.js";
import { device, temporary } from "../../cli/e2e/testing.js";
import { findLayer } from "../adapter/layer.js";
import { spared } from "../testing.js";

/** Whether this is Linux with a C compiler that works, so that the layer is built. */
export const compiles =
  process.platform === "linux" &&
  spawnSync("cc", ["-x", "c", "-fsyntax-only", "-"], { input: "#include <pthread.h>\n" }).status === 0;

export const MIB = 2 ** 20;
export const host = { platform: process.platform, env: process.env, exists: existsSync };
export const built = (path: string) => join(packageRoot, "dist", path);
const dawn = built("bench/device/dawn.js");
export const folder = join(packageRoot, "bench", "device", "buffer-memory");
export const place = ["--device", device];
export const forced = 'HASHBENCH_LARGE_PAGES=1 exec "$@"';
/** Dawn's options for the tests' adapter. */
export const adapterFlags = process.env.HASHBENCH_ADAPTER ? [`adapter=${process.env.HASHBENCH_ADAPTER}`] : [];
export const withLayer = test.skipIf(!compiles);
/** What commands and rows make of it, whatever the driver. */
export const withLayerOnce = test.skipIf(!compiles || spared);

/**
 * Runs the text, with `open()` for a device, in a process that loads the layer; gives what it printed, and the layer's log of what is
 * larger than Dawn's own buffers.
 */
export function inProcess(text: string, env: NodeJS.ProcessEnv = {}) {
  const log = join(temporary(), "log");
  const head = `
    import { openDawn } from ${JSON.stringify(dawn)};
    const open = () => openDawn({ adapter: ${JSON.stringify(process.env.HASHBENCH_ADAPTER ?? "")}, robust: true, toggles: [] });
    const MIB = ${MIB};`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--input-type=module", "-e", `${head}\n${text}\nprocess.exit(0);`],
    {
      encoding: "utf8",
      env: { ...process.env, ...findLayer(host).env, HASHBENCH_LARGE_PAGES_LOG: log, ...env },
      timeout: 100_000,
    },
  );
  if (status !== 0) throw new Error(stderr);
  const lines = existsSync(log) ? readFileSync(log, "utf8").trimEnd().split("\n") : [];
  return { stdout, lines };
}

/** Writes numbers at both ends of a buffer, and reads them back. */
export const USE = `
  async function use(gpu, bytes, memory) {
    const buffer = await gpu.alloc("large", bytes, memory);
    gpu.write(buffer, 0, new Uint32Array([bytes, 2]));
    gpu.write(buffer, bytes - 8, new Uint32Array([3, 4]));
    const [first, last] = [await gpu.read(buffer, 2), await gpu.read(buffer, 2, bytes / 4 - 2)];
    console.log(...first, ...last);
    return buffer;
  }`;
