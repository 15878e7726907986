/** Options of several commands. */
import type { Command } from "@commander-js/extra-typings";
import { IMPLEMENTATIONS, type Implementation } from "../device/adapter/deno.js";
import { distinct, list, number, oneOf, path } from "./parsers.js";

/** The options that a command declares, as commander parses them. */
export type FlagsOf<Declared extends (program: Command) => { opts(): unknown }> = ReturnType<
  ReturnType<Declared>["opts"]
>;

export const OUT_FLAG = "-o, --out <folder>";
export const QUIET = ["-q, --quiet", "print no progress and no notes, only results and errors"] as const;
export const JSON_FLAG = ["--json", "print one JSON object on stdout instead of text"] as const;
export const DEVICE = [
  "-d, --device <name>",
  "auto, software, lavapipe, swiftshader, or part of an adapter's name",
  "auto",
] as const;
const RUNS_WEBGPU =
  "what runs WebGPU: dawn, in Node; wgpu, in Deno (npm install --no-save deno); or a chromium or firefox of yours";
export const WEBGPU = [
  "--webgpu <name>",
  RUNS_WEBGPU,
  (name: string): Implementation => oneOf("--webgpu", IMPLEMENTATIONS)(name),
  "dawn",
] as const;
export const SEVERAL_WEBGPU = [
  "--webgpu <list>",
  `${RUNS_WEBGPU} (default: dawn). Several, such as dawn,wgpu, take turns on one GPU, with a results folder each in --out`,
  (names: string): readonly Implementation[] =>
    distinct(list("--webgpu")(names)).map(oneOf("--webgpu", IMPLEMENTATIONS)),
] as const;
export const MAX_NOISE = [
  "--max-noise <share>",
  "stop sampling when the 95 % interval is within this share of the median (default: 0.005)",
  number("--max-noise", 0, 1, true),
] as const;
export const PLUGIN = [
  "--plugin <module>",
  "module with tables, data sets, counters, experiments or claims of your own; may be repeated",
  (path: string, all: string[]) => [...all, path],
  [] as string[],
] as const;
export const NATIVE = [
  "--native <path>",
  "manifest of a native table, or a folder with manifests; may be repeated",
  (path: string, all: string[]) => [...all, path],
  [] as string[],
] as const;
export const OF_DEVICE = ["--of-device <text>", "only rows of devices whose name contains this", ""] as const;
/** @param what is given up after that many seconds */
export const timeout = (what: string) =>
  ["--timeout <seconds>", what, number("--timeout", 0, 86400, true), 120] as const;
export const CELL_TIMEOUT = timeout("give up a cell that makes no progress for this long");
export const DEFAULT_LIMITS = [
  "--default-limits",
  "open the device with the limits that WebGPU guarantees on phones too (8 storage buffers, 16 KiB of workgroup memory, 128 MiB per binding); results name it as the toggle limits=default",
] as const;
export const NO_SUBGROUPS = [
  "--no-subgroups",
  "open the device without subgroups, so that a warp is a workgroup, as on wgpu; results name it as the toggle subgroups=off",
] as const;
export const NO_LARGE_PAGES = [
  "--no-large-pages",
  "do not load the Vulkan layer that gives each large buffer its own allocation, or host memory (NVIDIA on Linux; without it tables beyond 2 GiB are slow, and none are in host memory; with it results name the toggle +large_pages)",
] as const;

/** Adds commands that work on a store of files: `hashbench baseline list --store folder`. */
export function ofStore(parent: Command, what: string, store: string) {
  return (name: string, description: string, example: string) =>
    parent
      .command(name)
      .description(description)
      .option("--store <folder>", `where ${what} are kept`, path("--store"), store)
      .option(...JSON_FLAG)
      .addHelpText("after", `\nExample: hashbench ${parent.name()} ${example}`);
}
