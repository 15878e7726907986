/** What insertions of a table have by its further operations: `onFull`, and `wins`. */
import { UsageError } from "../device/errors.js";
import type { Pairs } from "../table.js";
import { againKernel, putting } from "./growing.js";
import type { Capacity, Having } from "./offers.js";
import type { DeviceOptions, Inserted, Insertion, ShaderTable, UpsertingTable } from "./types.js";
import { insertWinners, WINNING, winnersKernel } from "./winners.js";

/** Of insertions of a table that has upserts, too. */
export const insertingKernels = [againKernel, winnersKernel] as const;

/** Throws a UsageError for another value of `onFull`. */
export function insertOperations(having: Having, operations: Capacity) {
  const { gpu, table, making, check, alive, inTurn } = having;
  const { onFull = "refuse" } = making;
  if (onFull !== "refuse" && onFull !== "grow")
    throw new UsageError(`${gpu.label}: onFull is ${JSON.stringify(onFull)}; it takes "refuse" or "grow"`);
  if (onFull === "grow" && !table.export)
    throw new UsageError(`${gpu.label}: onFull is "grow"; with these params it takes "refuse"`);
  const put = putting(having, operations);
  const usual = operations as Capacity & ShaderTable & UpsertingTable;
  /** As `putting` does it. */
  const inserting = async (pairs: Pairs, insert: (pairs: Pairs) => Promise<number>): Promise<Inserted> => {
    alive();
    const own = check.pairs("insert", pairs);
    const refused = own.n === 0 ? 0 : await inTurn("insert", () => insert(own));
    return { stored: own.n - refused, refused };
  };
  const growing = onFull === "grow" ? growOperations(having, usual) : {};
  const { insert } = usual;
  const any = onFull === "grow" ? (pairs: Pairs) => inserting(pairs, put.insert) : insert;
  if (!table.upsert) return { ...growing, insert: any };
  return {
    ...growing,
    async insert(given: Insertion): Promise<Inserted> {
      if (given?.wins === undefined) return any(given);
      const { wins, ...pairs } = given;
      if (wins === "any") return any(pairs);
      if (!Object.hasOwn(WINNING, wins))
        throw new UsageError(`${gpu.label}.insert: wins is ${JSON.stringify(wins)}; it takes "any", "first" or "last"`);
      return inserting(pairs, (own) => insertWinners(having, put, own, WINNING[wins]));
    },
  };
}

/** What cannot grow says so. */
function growOperations({ gpu }: Having, { device, recordUpsert }: Partial<ShaderTable & UpsertingTable>) {
  const cannot = (op: string) =>
    new UsageError(`${gpu.label}.${op}: only promises can make the table larger, which has onFull: "grow"`);
  return {
    encodeInsert() {
      throw cannot("encodeInsert");
    },
    ...(recordUpsert && {
      async recordUpsert() {
        throw cannot("recordUpsert");
      },
    }),
    ...(device && {
      device(options: DeviceOptions) {
        if (options?.functions?.some((name) => name !== "find" && name !== "erase")) throw cannot("device");
        return device(options);
      },
    }),
  };
}
