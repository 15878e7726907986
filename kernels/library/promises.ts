/** The operations of a table that answer with a promise. */
import { GpuError, UsageError } from "../device/errors.js";
import type { Owned } from "../device/owned.js";
import type { Erasures, GpuTable, Lookups, Pairs, Recordable, RunSteps, TableOp, TableType } from "../table.js";
import { bufferCheck } from "./check.js";
import { failing, type UserDevice } from "./device.js";
import { type Erased, type Inserted, readOutcome } from "./types.js";

export type Operation = TableOp | "clear";

/** A table, and how its operations run. */
interface Running {
  /** The type, with the table's own parameters. */
  readonly type: TableType;
  readonly table: Owned<GpuTable>;
  readonly capacity: number;
  /** Left out: the host has a part in all operations. */
  readonly recordable?: Recordable | undefined;
  /** Recordable operations in which the host has a part all the same, where a promise wants them. */
  readonly hosted: readonly Operation[];
}

export function promises(gpu: UserDevice, { type, table, capacity, recordable, hosted }: Running) {
  const run: RunSteps = (...pass) => gpu.time(...pass);
  const { ops, incremental, params } = type;
  const check = bufferCheck(gpu.device.limits, gpu.label, Number(params.keyBytes ?? 4) / 4);
  /** Ends when what was called after an operation of the host's may be submitted; null: at once. */
  let queue: Promise<unknown> | null = null;
  /** Operations that were called and have not ended. */
  let under = 0;
  let destroyed = false;
  /** An insertion was made since the table was cleared. */
  let built = false;
  const alive = () => {
    if (destroyed) throw new UsageError(`${gpu.label}: the table was destroyed`);
  };
  const free = () => {
    table.destroy();
    gpu.destroy();
  };
  const ended = () => {
    under--;
    if (destroyed && under === 0) free();
  };
  /** Runs an operation after those called before. Destruction waits for what is under way. @param last nothing is submitted before its end */
  const ordered = <T>(op: string, work: () => Promise<T>, last: boolean): Promise<T> => {
    under++;
    const begin = () => {
      alive();
      const done = work();
      done.catch(() => undefined);
      return { done };
    };
    const begun = queue?.then(begin);
    const done = begun ? begun.then((one) => one.done) : work();
    done.then(ended, ended);
    const until = last ? done : begun;
    if (until) {
      const over = () => {
        if (queue === own) queue = null;
      };
      const own: Promise<void> = until.then(over, over);
      queue = own;
    }
    return done.catch((error: unknown) => {
      throw failing(`${gpu.label}.${op}`, error);
    });
  };
  /** The steps of an operation as one pass, which is submitted at once; undefined where the host has a part in it. */
  const direct = (op: Operation) => (hosted.includes(op) ? undefined : recordable);
  const counted = async (of: Recordable, steps: ReturnType<Recordable["clear"]>) => {
    const { failed, ...said } = readOutcome((await gpu.time(steps, of.status)).status);
    if (failed) throw new GpuError("a loop reached its bound, or lanes are in other subgroups than the device says");
    return said;
  };
  const clear = async () => {
    const own = direct("clear");
    built = false;
    await (own ? gpu.run(own.clear()) : table.clear());
  };
  /** Throws a UsageError for pairs of which the table cannot be built, or not now. */
  const begin = ({ first = 0 }: Pairs) => {
    const { label } = gpu;
    if (!incremental) {
      if (first !== 0) throw new UsageError(`${label}: first is ${first}; a build begins with the first pair`);
      if (built) throw new UsageError(`${label}: an insertion builds the table, which has to be cleared before`);
    }
    built = true;
  };
  const insert = async (pairs: Pairs): Promise<Inserted> => {
    const { n } = pairs;
    begin(pairs);
    const own = direct("insert");
    const refused = own ? (await counted(own, own.insert(pairs))).refused : (await table.insert(run, pairs)).count;
    // A build that was given up may have left some of its pairs.
    if (!incremental && refused === n) await clear();
    return { stored: n - refused, refused };
  };
  const find = async (lookups: Lookups) => {
    const own = direct("find");
    await (own ? gpu.time(own.find(lookups)) : table.find(run, lookups));
  };
  const { erase } = table;
  const destroy = () => {
    if (destroyed) return;
    destroyed = true;
    if (under === 0) free();
  };
  const operations = {
    capacity,
    get slots() {
      return table.slots;
    },
    get bytes() {
      return table.bytes;
    },
    async clear() {
      alive();
      await ordered("clear", clear, !direct("clear"));
    },
    async insert(pairs: Pairs): Promise<Inserted> {
      alive();
      const own = check.pairs("insert", pairs);
      return own.n === 0 ? { stored: 0, refused: 0 } : ordered("insert", () => insert(own), !direct("insert"));
    },
    async find(lookups: Lookups) {
      alive();
      const own = check.lookups("find", lookups);
      if (own.n > 0) await ordered("find", () => find(own), !direct("find"));
    },
    ...(erase &&
      ops.includes("erase") && {
        async erase(keys: Erasures): Promise<Erased> {
          alive();
          const own = check.erasures("erase", keys);
          if (own.n === 0) return { erased: 0 };
          const of = direct("erase");
          return ordered(
            "erase",
            async () => {
              if (of?.erase) return { erased: (await counted(of, of.erase(own))).erased };
              return { erased: (await erase.call(table, run, own)).count };
            },
            !of?.erase,
          );
        },
      }),
    destroy,
    // Where the runtime has no such symbol, nobody looks for the member that it names then.
    [Symbol.dispose]: destroy,
  };
  return {
    operations,
    state: {
      check,
      run,
      alive,
      inTurn<T>(op: string, work: () => Promise<T>) {
        alive();
        return ordered(op, work, true);
      },
      begin,
      cleared() {
        built = false;
      },
    },
  };
}

/** The state of a table that promises and recorded operations share. */
export type TableState = ReturnType<typeof promises>["state"];
