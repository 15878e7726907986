/** What the classes of all tables do alike: bulk operations in one pass, status words, builds in several attempts. */
import { dispatch } from "../device/bind.js";
import type { Bindings, Kernel, Pass, Step } from "../device/gpu.js";
import type { Owner } from "../device/owned.js";
import { STATUS_BYTES, type StatusWord, type StatusWords, statusOf } from "../device/status.js";
import type { Erasures, Lookups, OpResult, Pairs, Recordable, RunSteps } from "../table.js";
import { groupsFor } from "./steps.js";

/** A step with a lane an item, which binds by the names in the kernel's WGSL. Throws GpuError for a name that is missing or unknown. */
export function step<Takes extends string>(
  kernel: Kernel<Takes>,
  items: number,
  bindings: Bindings<NoInfer<Takes>>,
): Step {
  return dispatch(kernel, groupsFor(items), bindings);
}

/** A bulk operation that has nothing to say, such as a retrieval. */
export async function bulk(run: RunSteps, ...steps: readonly Step[]): Promise<OpResult> {
  const { ns } = await run(steps);
  return { ns, count: 0, restarts: 0 };
}

/** What makes the steps of an operation, once its kernels are there. */
export type Made<Input> = () => Promise<(input: Input) => readonly Step[]>;

/** The operation that has these steps, and nothing to say. */
export function answering(steps: Made<Lookups>) {
  return async (run: RunSteps, lookups: Lookups) => bulk(run, ...(await steps())(lookups));
}

/** What makes the steps of a table's operations. */
interface Operations {
  readonly clear: Made<void>;
  readonly insert: Made<Pairs>;
  readonly find: Made<Lookups>;
  readonly erase?: Made<Erasures>;
}

/** Operations as a program records them; all that is made is there, or has failed, when it resolves. */
export async function recorded({ buffer }: Status, made: Operations, most?: number): Promise<Recordable> {
  const making = [made.clear(), made.insert(), made.find(), made.erase?.()] as const;
  await Promise.allSettled(making);
  const [clear, insert, find, erase] = await Promise.all(making);
  return { status: buffer, ...(most && { most }), clear, insert, find, ...(erase && { erase }) };
}

/** The words in which the kernels of a pass say what happened: `Status` of status.wgsl. */
export class Status {
  private constructor(readonly buffer: GPUBuffer) {}

  /** @param options.own Words behind those that have a name, which the kernels have for themselves; they begin at zero too. */
  static async make(gpu: Owner, { own = 0 } = {}): Promise<Status> {
    return new Status(await gpu.alloc("status", STATUS_BYTES + own * 4));
  }

  /** Runs the steps; the words begin at zero. @param more what else is read after them */
  async run(run: RunSteps, steps: readonly Step[], more?: GPUBuffer): Promise<Said> {
    const pass = await run(steps, this.buffer, more);
    return { ...pass, said: statusOf(pass.status) };
  }

  /** A bulk operation whose result counts what this word says. */
  async count(run: RunSteps, steps: readonly Step[], word: StatusWord | number): Promise<OpResult> {
    const { ns, said, status } = await this.run(run, steps);
    return { ns, count: typeof word === "number" ? (status[word] ?? 0) : said[word], restarts: 0 };
  }

  /**
   * An insertion, whose result counts the pairs that were refused. Throws an Error, which begins with `whose`, if a loop reached its bound
   * or lanes were in other subgroups than the adapter says.
   */
  async insert(run: RunSteps, steps: readonly Step[], whose: string): Promise<OpResult> {
    const { ns, said } = await this.run(run, steps);
    checkSubgroups(said);
    if (said.bound) throw new Error(`${whose}: an insertion did not end`);
    return { ns, count: said.refused, restarts: 0 };
  }
}

/** What a pass took, and what its kernels said. */
export interface Said extends Pass {
  readonly said: StatusWords;
}

/** Throws an Error if a kernel that counts on subgroups found its lanes in others than the adapter says. */
export function checkSubgroups({ misplaced }: Pick<StatusWords, "misplaced">): void {
  if (misplaced > 0) throw new Error("the lanes of a workgroup are in other subgroups than the adapter says");
}

/** Builds tried before the input is given up as unbuildable. */
export const MAX_ATTEMPTS = 25;

/** What became of a build. */
export interface Attempt extends Omit<OpResult, "restarts"> {
  readonly failed: boolean;
}

/** Builds of n pairs, by their number, until one does not fail; their times are added. If all fail, all n are refused. */
export async function inAttempts(n: number, build: (attempt: number) => Promise<Attempt>): Promise<OpResult> {
  let sum = 0;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const { failed, ns, ...said } = await build(attempt);
    sum += ns;
    if (!failed) return { ...said, ns: sum, restarts: attempt };
  }
  return { ns: sum, count: n, restarts: MAX_ATTEMPTS };
}

/** Members of a uniform, by name. */
type Drawn = Readonly<Record<string, number | readonly number[]>>;

type Functions<Own> = Own & { readonly n: number };

/** How a table draws its hash functions, and what its kernels say of a build with them. */
export interface Drawing<Own extends Drawn = Drawn> {
  /** By the number of the attempt. */
  draw(attempt: number): Own;
  judge(said: StatusWords): Omit<Attempt, "ns">;
}

/** Builds with hash functions that are drawn anew until one succeeds. */
export class Builds<Own extends Drawn> {
  /** For the build that stands. */
  private drawn: Own;
  /** Builds that were recorded. */
  private recorded = 0;

  private constructor(
    private readonly drawing: Drawing<Own>,
    readonly status: Status,
  ) {
    this.drawn = drawing.draw(0);
  }

  static async make<Own extends Drawn>(gpu: Owner, drawing: Drawing<Own>): Promise<Builds<Own>> {
    return new Builds(drawing, await Status.make(gpu));
  }

  /** The value of the uniform that has the members which were drawn, and the number of items `n`. */
  functions(n: number): Functions<Own> {
    return { n, ...this.drawn };
  }

  /** Functions for a build of n items that is recorded, which stands from now on: others than those of the one recorded before. */
  record(n: number): Functions<Own> {
    this.drawn = this.drawing.draw(this.recorded++);
    return this.functions(n);
  }

  /**
   * Runs the steps, which build the table of n items with these functions, until they succeed; `again` comes before later attempts, and
   * counts.
   */
  attempts(
    run: RunSteps,
    steps: (functions: Functions<Own>) => readonly Step[],
    n: number,
    again: readonly Step[] = [],
  ): Promise<OpResult> {
    return inAttempts(n, async (attempt) => {
      this.drawn = this.drawing.draw(attempt);
      const own = steps(this.functions(n));
      const { ns, said } = await this.status.run(run, attempt === 0 ? own : [...again, ...own]);
      return { ns, ...this.drawing.judge(said) };
    });
  }
}
