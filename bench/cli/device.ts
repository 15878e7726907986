import type { Command } from "@commander-js/extra-typings";
import { onDevice } from "../run/open.js";
import { DEFAULT_LIMITS, DEVICE, JSON_FLAG, NO_LARGE_PAGES } from "./options.js";

/** Those that decide which tables and sizes the device takes. */
const LIMITS = [
  "maxBufferSize",
  "maxStorageBufferBindingSize",
  "maxStorageBuffersPerShaderStage",
  "maxComputeWorkgroupStorageSize",
  "maxComputeInvocationsPerWorkgroup",
  "maxComputeWorkgroupsPerDimension",
] as const;

export function addDevice(program: Command): void {
  program
    .command("device")
    .option(...DEVICE)
    .option(...DEFAULT_LIMITS)
    .option(...NO_LARGE_PAGES)
    .option(...JSON_FLAG)
    .addHelpText("after", "\nExample: hashbench device --device software")
    .action(({ device: wanted, defaultLimits = false, largePages, json }) =>
      onDevice(
        { device: wanted, largePages },
        () => ({ open: { defaultLimits } }),
        async ({ device, choice, notes }) => {
          for (const line of notes) console.error(line);
          const facts = { ...device, kind: choice.kind, source: choice.source, environment: choice.env, timer: "ok" };
          if (json) return console.log(JSON.stringify(facts, null, 1));
          const { name, driver, vendor, architecture, toggles, subgroupMin, subgroupMax, features, limits } = device;
          console.log(`adapter    ${name} (${choice.kind}, ${choice.source} driver)`);
          console.log(`driver     ${driver}`);
          console.log(`vendor     ${vendor}${architecture ? `, ${architecture}` : ""}`);
          console.log(`subgroups  ${subgroupMin}${subgroupMax === subgroupMin ? "" : ` to ${subgroupMax}`} lanes`);
          console.log(`toggles    ${toggles}`);
          console.log("timer      ok: stamps are finer than Dawn's quantum");
          for (const [key, value] of Object.entries(choice.env)) console.log(`env        ${key}=${value}`);
          console.log(`features   ${features.join(", ")}`);
          console.log("limits     (--json shows all)");
          for (const key of LIMITS) console.log(`  ${key.padEnd(42)} ${limits[key]}`);
        },
      ),
    );
}
