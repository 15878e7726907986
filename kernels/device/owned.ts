/** Ownership of a table's buffers: what was made before an error is freed, and everything else by one `destroy`. */
import type { Gpu } from "./gpu.js";

/** Something made of buffers, which `destroy` frees, all of them. */
export type Owned<T> = T & { destroy(): void };

/** Makes buffers, as `Gpu` does, for one owner. */
export interface Allocator extends Pick<Gpu, "alloc" | "uniform" | "staging"> {
  /** Hands over what was made elsewhere. Returns it. */
  adopt<P extends { destroy(): void }>(part: P): P;
}

/**
 * What `make` returns, as the owner of all that it allocated or adopted. Where it throws, all of that is freed before the
 * error goes on.
 */
export async function owned<T extends object>(gpu: Gpu, make: (own: Allocator) => Promise<T>): Promise<Owned<T>> {
  const parts: { destroy(): void }[] = [];
  const adopt = <P extends { destroy(): void }>(part: P): P => {
    parts.push(part);
    return part;
  };
  const destroy = (): void => {
    for (const part of parts.splice(0)) part.destroy();
  };
  try {
    const made = await make({
      adopt,
      alloc: async (label, bytes) => adopt(await gpu.alloc(label, bytes)),
      uniform: (words) => adopt(gpu.uniform(words)),
      staging: async (label, mode, bytes) => adopt(await gpu.staging(label, mode, bytes)),
    });
    return Object.assign(made, { destroy });
  } catch (error) {
    destroy();
    throw error;
  }
}
