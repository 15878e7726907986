/** Whether the caller's buffers hold what an operation is about to read and write: WebGPU would clamp such accesses without a word. */
import { USAGE } from "../device/commands.js";
import { UsageError } from "../device/errors.js";
import { STATUS_BYTES } from "../device/status.js";
import type { Erasures, Lookups, MixedBatch, Pairs } from "../table.js";
import type { OutcomePlace } from "./types.js";

const WORD = 4;

/** A kernel cannot read and write one buffer. */
function apart(results: GPUBuffer, read: Readonly<Record<string, GPUBuffer>>): void {
  for (const [name, buffer] of Object.entries(read))
    if (buffer === results) throw new UsageError(`results and ${name} are one buffer; they have to be two`);
}

/** Checks that throw a UsageError which names the buffer. */
export function bufferCheck({ maxStorageBufferBindingSize: most }: GPUSupportedLimits) {
  const count = (name: string, n: number) => {
    if (!Number.isSafeInteger(n) || n < 0 || n >= 2 ** 32)
      throw new UsageError(`${name} is ${n}; it takes a whole number from 0 to 2^32 - 1`);
  };
  const holds = (name: string, buffer: GPUBuffer, end: number) => {
    if ((buffer.usage & USAGE.STORAGE) === 0) throw new UsageError(`${name}: the buffer lacks the usage STORAGE`);
    if (buffer.size < WORD * end)
      throw new UsageError(`${name}: the buffer has ${buffer.size} bytes; ${end} items take ${WORD * end}`);
    if (buffer.size > most)
      throw new UsageError(`${name}: the buffer has ${buffer.size} bytes; the device binds at most ${most}`);
  };
  return {
    pairs({ keys, values, n, first = 0 }: Pairs) {
      count("n", n);
      count("first", first);
      count("first + n", first + n);
      holds("keys", keys, first + n);
      holds("values", values, first + n);
    },
    lookups({ keys, results, n }: Lookups) {
      count("n", n);
      apart(results, { keys });
      holds("keys", keys, n);
      holds("results", results, n);
    },
    erasures({ keys, n }: Erasures) {
      count("n", n);
      holds("keys", keys, n);
    },
    batch({ kinds, keys, values, results, slices }: MixedBatch) {
      for (const slice of slices) {
        count("first", slice.first);
        count("count", slice.count);
        count("first + count", slice.first + slice.count);
      }
      apart(results, { kinds, keys, values });
      const end = Math.max(0, ...slices.map((slice) => slice.first + slice.count));
      for (const [name, buffer] of Object.entries({ kinds, keys, values, results })) holds(name, buffer, end);
    },
    /** @param usage by which it is written */
    outcome(place: OutcomePlace | undefined, usage: "STORAGE" | "COPY_DST") {
      if (!place) return;
      const { buffer, offset = 0 } = place;
      if ((buffer.usage & USAGE[usage]) === 0) throw new UsageError(`outcome: the buffer lacks the usage ${usage}`);
      if (offset < 0 || offset % WORD !== 0 || buffer.size < offset + STATUS_BYTES)
        throw new UsageError(`outcome: ${STATUS_BYTES} bytes from ${offset} on are not in a buffer of ${buffer.size}`);
    },
  };
}
