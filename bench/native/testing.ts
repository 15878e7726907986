/** A native table in JavaScript for the tests beside, and what may be wrong with one. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../base/paths.js";
import { type Manifest, PROTOCOL, readManifests } from "./manifest.js";

const PROGRAM = join(packageRoot, "bench", "native", "fixtures", "program.mjs");

/** Writes a manifest of the program with this fault, and these members changed; its path. */
export function manifestIn(folder: string, fault = "", change: object = {}, id = "map"): string {
  const file = join(folder, `${id}.table.json`);
  const manifest = {
    protocol: PROTOCOL,
    id,
    title: "A Map",
    api: "cpu",
    command: [process.execPath, PROGRAM, ...(fault ? [fault] : [])],
    ops: ["insert", "find", "erase", "upsert"],
    ownSize: true,
    reusesSlots: true,
    ...change,
  };
  writeFileSync(file, JSON.stringify(manifest));
  return file;
}

export function manifestOf(folder: string, fault = "", change: object = {}): Manifest {
  const [manifest] = readManifests(manifestIn(folder, fault, change));
  if (!manifest) throw new Error("no manifest");
  return manifest;
}

/** Processes whose command line has this, dead ones that wait for their parent left out. */
export function running(text: string): string[] {
  const all = execFileSync("ps", ["-eo", "stat=,args="], { encoding: "utf8" });
  return all.split("\n").filter((line) => line.includes(text) && !/^\s*Z/.test(line));
}
