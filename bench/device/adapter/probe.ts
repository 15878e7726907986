/**
 * A process of its own that says which adapters Dawn finds in its environment: one JSON line each, so that a driver that
 * crashes costs only itself. Arguments: names of adapters to leave out. Run by probe-process.ts.
 */
import { writeSync } from "node:fs";
import { create, globals } from "webgpu";
import { messageOf } from "../../base/errors.js";
import type { ProbeLine } from "./probe-process.js";

Object.assign(globalThis, globals);
const skipped = new Set(process.argv.slice(2));

/** Synchronous: a line must be out before the next driver gets a chance to crash. */
function say(line: ProbeLine): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

/** Dawn crashes when an instance is garbage collected while its adapter is in use. */
const instances: GPU[] = [];

function request(name: string): Promise<GPUAdapter | null> {
  const instance = create([`adapter=${name}`]);
  instances.push(instance);
  return instance.requestAdapter({ powerPreference: "high-performance" });
}

/** Dawn has no call that lists adapters, but names them all where it rejects a name that none has. */
async function adapterNames(): Promise<string[]> {
  try {
    await request("<no such adapter>");
    return [];
  } catch (error) {
    const message = messageOf(error);
    const names = [...message.matchAll(/^ \* backend: '[^']*', name: '(.*)'$/gm)].map((match) => match[1] ?? "");
    return [...new Set(names)];
  }
}

for (const name of await adapterNames()) {
  if (skipped.has(name)) continue;
  say({ trying: name });
  try {
    const adapter = await request(name);
    if (adapter) {
      const { vendor, description: driver, isFallbackAdapter: fallback } = adapter.info;
      say({ adapter: { name, vendor, driver, fallback } });
    } else say({ problem: `${name}: Dawn does not accept this adapter` });
  } catch (error) {
    say({ problem: `${name}: ${messageOf(error)}` });
  }
}
say({ done: true });
// Without waiting for drivers to unload themselves: some hang there.
process.exit(0);
