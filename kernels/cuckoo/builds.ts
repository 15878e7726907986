/** Builds of cuckoo tables: hash functions, drawn anew until no chain of evictions is too long. */
import type { Gpu, Step } from "../device/gpu.js";
import type { OpResult, RunSteps } from "../table.js";

/** Builds tried before the input is given up as unbuildable. */
export const MAX_ATTEMPTS = 25;

/** Time and the words of the status buffer; [0] is chains that were too long. */
interface Tried {
  readonly ns: number;
  readonly status: Uint32Array;
}

export class Builds {
  /** The functions' constants of the build that stands, drawn from the seed and the number of the attempt. */
  private constants: readonly number[] = [];
  /** `Functions` of functions.wgsl. */
  readonly parameters: GPUBuffer;

  private constructor(
    private readonly gpu: Gpu,
    readonly status: GPUBuffer,
    private readonly chain: number,
    private readonly seed: number,
  ) {
    this.parameters = gpu.uniform(new Array(24).fill(0));
    this.draw(0);
  }

  /** Of a table with chains of at most `chain` evictions. */
  static async make(gpu: Gpu, chain: number, seed: number): Promise<Builds> {
    return new Builds(gpu, await gpu.alloc("status", 16), chain, seed);
  }

  /** The next step has n items; the functions stay. */
  setItems(n: number): void {
    this.gpu.write(this.parameters, 0, new Uint32Array([n, this.chain, 0, 0, ...this.constants]));
  }

  /**
   * Runs the steps, which put n items into what `clear` empties, until no chain is too long; at last gives up all n.
   * `count` of the result is word 1 of the status, `distinct` word 2.
   */
  async attempts(run: RunSteps, steps: readonly Step[], clear: Step, n: number): Promise<OpResult> {
    let sum = 0;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      this.draw(attempt);
      this.setItems(n);
      // The first attempt finds the table cleared; a later one has to clear it, and that counts.
      const { ns, status } = await this.once(run, attempt === 0 ? steps : [clear, ...steps]);
      sum += ns;
      const [failed = 0, count = 0, distinct = 0] = status;
      if (failed === 0) return { ns: sum, count, distinct, restarts: attempt };
    }
    return { ns: sum, count: n, restarts: MAX_ATTEMPTS };
  }

  /** Runs the steps once, with a status that begins at zero. */
  async once(run: RunSteps, steps: readonly Step[]): Promise<Tried> {
    await this.gpu.zero(this.status);
    return run(steps, this.status);
  }

  destroy(): void {
    this.status.destroy();
    this.parameters.destroy();
  }

  private draw(attempt: number): void {
    this.constants = drawFunctions(this.seed, attempt).flat();
  }
}

/** (a, b, 0, 0) of five hash functions, for the attempt of this number to build the table. */
export function drawFunctions(seed: number, attempt: number): [a: number, b: number, number, number][] {
  // Not the generator's own step: attempts would be the same words, shifted.
  const next = generator(seed + attempt * 0x85ebca6b);
  return Array.from({ length: 5 }, () => [next(), next() >>> 4, 0, 0]);
}

/** u32 words from a seed: splitmix32. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let z = state;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return (z ^ (z >>> 16)) >>> 0;
  };
}
