import type { Command } from "@commander-js/extra-typings";
import { adapterName } from "../results/device-name.js";
import { dawnVersion } from "../results/environment.js";
import { onDevice } from "../run/open.js";
import { DEFAULT_LIMITS, DEVICE, JSON_FLAG, NO_LARGE_PAGES, NO_SUBGROUPS, WEBGPU } from "./options.js";
import { fitted } from "./status-line.js";

/** Those that decide which tables and sizes the device takes. */
const LIMITS = [
  "maxBufferSize",
  "maxStorageBufferBindingSize",
  "maxStorageBuffersPerShaderStage",
  "maxComputeWorkgroupStorageSize",
  "maxComputeInvocationsPerWorkgroup",
  "maxComputeWorkgroupsPerDimension",
] as const;

const say = (line: string, indent?: string) => console.log(fitted(line, process.stdout, indent));

export function add(program: Command): void {
  program
    .command("device")
    .option(...DEVICE)
    .option(...WEBGPU)
    .option(...DEFAULT_LIMITS)
    .option(...NO_SUBGROUPS)
    .option(...NO_LARGE_PAGES)
    .option(...JSON_FLAG)
    .addHelpText("after", "\nExample: hashbench device --device software")
    .action(({ device: wanted, webgpu, defaultLimits = false, subgroups, largePages, json }) =>
      onDevice(
        { device: wanted, largePages, webgpu },
        () => ({ open: { defaultLimits, subgroups } }),
        async ({ device, choice, notes }) => {
          for (const line of notes) console.error(fitted(line, process.stderr));
          const facts = { ...device, kind: choice.kind, source: choice.source, environment: choice.env, timer: "ok" };
          if (json) return console.log(JSON.stringify(facts, null, 1));
          const { name, driver, vendor, architecture, toggles, subgroupMin, subgroupMax, features, limits } = device;
          const lanes = `${subgroupMin}${subgroupMax === subgroupMin ? "" : ` to ${subgroupMax}`} lanes`;
          const lines: readonly (readonly [name: string, value: string])[] = [
            ["adapter", `${adapterName(name)} (${choice.kind}, ${choice.source} driver)`],
            ["driver", driver],
            ["WebGPU", device.implementation ?? `Dawn of ${dawnVersion()}`],
            ["vendor", `${vendor}${architecture ? `, ${architecture}` : ""}`],
            ["subgroups", lanes],
            ["toggles", toggles],
            ["timer", "ok: stamps are finer than Dawn's quantum"],
            ...Object.entries(choice.env).map(([key, value]) => ["env", `${key}=${value}`] as const),
            ["features", features.join(", ")],
            ["limits", "(--json shows all)"],
          ];
          for (const [key, value] of lines) say(`${key.padEnd(10)} ${value}`, " ".repeat(11));
          for (const key of LIMITS) say(`  ${key.padEnd(42)} ${limits[key]}`);
        },
      ),
    );
}
