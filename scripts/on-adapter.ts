/** What programs on one adapter share: a process of its own has the adapter's driver in its environment. */
import { spawnSync } from "node:child_process";
import { chooseAdapter } from "../bench/device/adapter/adapter.js";
import { openDawn } from "../bench/device/dawn.js";
import type { WebGpu } from "../bench/device/gpu.js";
import type * as Library from "../kernels/library/index.js";

/** As users have it, where the compiler does not find it before it is built. */
export const library: typeof Library = await import("webgpu-hash-table" as string);

/** Of every such program; `adapter` is for that process. */
export const ADAPTER_OPTIONS = { device: { type: "string", default: "auto" }, adapter: { type: "string" } } as const;

interface Flags {
  readonly device: string;
  readonly adapter?: string | undefined;
}

/** Ends the process with the status that `work` has. */
export async function onAdapter({ device, adapter }: Flags, work: (gpu: WebGpu) => Promise<0 | 1>): Promise<void> {
  if (adapter !== undefined) process.exit(await work(await openDawn({ adapter, robust: false, toggles: [] })));
  const { name, env } = await chooseAdapter({ device });
  const args = [...process.argv.slice(1), "--adapter", name];
  const { status } = spawnSync(process.execPath, args, { env: { ...process.env, ...env }, stdio: "inherit" });
  process.exitCode = status ?? 1;
}
