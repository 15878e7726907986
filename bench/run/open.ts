/** A pool with the default options, for the commands that do not measure. */
import type { FoundAdapter } from "../device/adapter/adapter.js";
import { defaultStopping } from "../measure/stopping.js";
import { forkPool, type PoolOptions } from "./fork.js";
import type { Pool } from "./pool.js";

export function openPool(choice: FoundAdapter, options: Partial<PoolOptions> = {}): Pool {
  return forkPool({
    env: choice.env,
    timeoutMs: 120_000,
    open: { adapter: choice.adapterFlag, robust: true, toggles: [] },
    stopping: defaultStopping,
    memory: (choice.kind === "software" ? 1 : 4) * 2 ** 30,
    counting: true,
    plugins: [],
    native: [],
    ...options,
  });
}
