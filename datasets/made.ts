/** A data set of a plug-in: a function that gives keys, as a source of keys. */
import { UsageError } from "../kernels/device/errors.js";
import { DELETED, type KeySource, type KeySourceOptions } from "./dataset.js";
import { remembering } from "./keyset.js";

/** What a plug-in says of a data set of its own. */
export interface DatasetDescription {
  /** As `--datasets` spells it: lower-case letters, digits and dashes. */
  readonly name: string;
  readonly description: string;
  /** The paper, specification or package that defines it. */
  readonly source?: string;
  /**
   * At least n keys, which may repeat, in arrays of any size; those beyond n are left out. None of them is EMPTY or DELETED, the
   * two largest u32. Equal n and seed give equal keys: each process asks anew.
   */
  keys(options: KeySourceOptions): Keys | Promise<Keys>;
}

type Keys = Uint32Array | Iterable<Uint32Array> | AsyncIterable<Uint32Array>;

/** Its first n keys. `chunks` throws a UsageError where there are fewer, or one of them is none. */
export function madeKeys({ name, description, keys }: DatasetDescription, { n, seed }: KeySourceOptions): KeySource {
  return remembering({ id: name, n, seed, note: description }, async function* (seen) {
    let done = 0;
    const given = await keys({ n, seed });
    for await (const chunk of given instanceof Uint32Array ? [given] : given) {
      if (!(chunk instanceof Uint32Array))
        throw new UsageError(`${name}: its keys are not in arrays of type Uint32Array`);
      const some = chunk.slice(0, n - done);
      const odd = some.findIndex((key) => key >= DELETED);
      if (odd >= 0)
        throw new UsageError(`${name}: its key ${done + odd + 1} is ${some[odd]}; the two largest u32 mark slots`);
      seen.addAll(some.slice());
      done += some.length;
      yield some;
      if (done === n) return;
    }
    throw new UsageError(`${name} has ${done} keys, ${n} are wanted`);
  });
}
