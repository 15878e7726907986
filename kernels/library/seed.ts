/** What decides hash functions. */
import { UsageError } from "../device/errors.js";
import { shown } from "../parameters.js";

/** Default: one that is drawn, so that nobody can make keys beforehand that all meet. Throws a UsageError for what is no u32. */
export function seedOf(whose: string, given: number | undefined): number {
  const seed = given ?? crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
  if (Number(seed) >>> 0 !== seed) throw new UsageError(`${whose}: seed is ${shown(seed)}; it takes a u32`);
  return seed;
}

/** Of a keyed hash: drawn, unless there is a seed to make it of. */
export function secretOf(seed: number | undefined): readonly [number, number] | undefined {
  if (seed !== undefined) return undefined;
  const [low = 0, high = 0] = crypto.getRandomValues(new Uint32Array(2));
  return [low, high];
}
