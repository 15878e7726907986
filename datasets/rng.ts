/** The pseudo-random stream of host-side data sets. */
import { mix } from "./random.js";

/** Draws of the stream, each a double uniform on [0, 1) with 53 random bits. */
export type Uniform = () => number;

/**
 * sfc32 (C. Doty-Humphrey, PractRand): 128 bits of state, period at least 2^32, passes PractRand's and TestU01's
 * batteries. The first draws after seeding are dropped, as its author does.
 */
export function uniform(seed: number): Uniform {
  let a = mix(seed) | 0;
  let b = mix(seed + 1) | 0;
  let c = mix(seed + 2) | 0;
  let counter = 1;
  const next = () => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let i = 0; i < 15; i++) next();
  return () => ((next() >>> 5) * 2 ** 26 + (next() >>> 6)) * 2 ** -53;
}
