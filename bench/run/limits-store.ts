/** The limits of a device, kept on disk per device and driver. */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { Access } from "../scenarios/benchmark.js";
import { Limits, type Rates } from "./limits.js";

const fileSchema = z.record(z.string(), z.array(z.tuple([z.number().positive(), z.number().positive()])));

export class LimitsStore extends Limits {
  private readonly file: string;

  /** @param configuration what the rates depend on: device, driver, Dawn, toggles. */
  constructor(
    configuration: readonly string[],
    folder = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "hashbench", "limits"),
  ) {
    // Readable, and by the hash different for every configuration.
    const name = configuration.join(" ").replace(/[^A-Za-z0-9.+-]+/g, "_");
    const hash = createHash("sha256").update(JSON.stringify(configuration)).digest("hex");
    const file = join(folder, `${name.slice(0, 180)}-${hash.slice(0, 16)}.json`);
    super(load(file));
    this.file = file;
  }

  /** Notes one measured rate and keeps it on disk (if it can be written: a read-only home is accepted). */
  override set(access: Access, mops: number): void {
    super.set(access, mops);
    try {
      mkdirSync(join(this.file, ".."), { recursive: true });
      const partial = `${this.file}.${process.pid}`;
      writeFileSync(partial, JSON.stringify(this.all));
      renameSync(partial, this.file);
    } catch {
      // It would only have saved later runs the measurement.
    }
  }
}

function load(file: string): Rates {
  try {
    return fileSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return {};
  }
}
