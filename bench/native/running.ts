/** Programs of native tables: those at work, and those that wait for their next table. */
import { DoesNotFit } from "../../kernels/device/errors.js";
import type { Owner } from "../../kernels/device/owned.js";
import { KnownArrays } from "./known-arrays.js";
import { type Manifest, programBytes } from "./manifest.js";
import { Program } from "./program.js";

/** A program, and what it has as long as it runs. */
export interface Running {
  readonly program: Program;
  /** Whichever table it serves. */
  readonly arrays: KnownArrays;
  /** Gives back its memory. */
  readonly release: () => void;
}

/** Programs without a table, one at most for each table that there is: several libraries keep memory for their pool. */
const idle = new Map<string, Running>();

/** A program for one more table: one that waits, or else a new one. Throws as `Program.start` does. */
export async function running(manifest: Manifest, { device }: Owner): Promise<Running> {
  const waiting = idle.get(manifest.id);
  idle.delete(manifest.id);
  if (waiting?.program.alive) return waiting;
  waiting?.release();
  waiting?.arrays.end();
  const takes = async (bytes: number) => (bytes > 0 && (await device.elsewhere?.(bytes))) || (() => undefined);
  const release = await takes(programBytes(manifest));
  try {
    const program = await Program.start(manifest);
    const arrays = new KnownArrays(program, manifest.api === "cpu" ? () => takes(0) : takes);
    return { program, arrays, release };
  } catch (error) {
    release();
    throw error;
  }
}

/** Its table is closed: it waits for the next one, unless another one does. */
export function rest(manifest: Manifest, one: Running): void {
  if (one.program.alive && !idle.has(manifest.id)) {
    idle.set(manifest.id, one);
    return;
  }
  one.arrays.end();
  one.program.end();
  one.release();
}

/** Programs that wait keep arrays for these tables alone; whether others had some. Where memory is short: for none. */
export async function keepArrays(tables: ReadonlySet<string> = new Set()): Promise<boolean> {
  const others = [...idle].filter(([id]) => !tables.has(id)).map(([, { arrays }]) => arrays.keep(0));
  return (await Promise.all(others)).some(Boolean);
}

/** What `work` comes to; where it does not fit it is tried again without the arrays that no table has. */
export async function fitting<T>({ arrays }: Pick<Running, "arrays">, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DoesNotFit)) throw error;
    const freed = await Promise.all([arrays.keep(0), keepArrays()]);
    if (!freed.some(Boolean)) throw error;
    return work();
  }
}
