/** Operations on rows whose keys may be there. Their kernels are made when they are first wanted. */
import { UsageError } from "../device/errors.js";
import { type Recordable, type Rows, type RowsKind, RULES, TELLING } from "../table.js";
import { type BufferCheck, checkMembers, kindOf, WRITTEN } from "./check.js";
import type { Commands } from "./commands.js";
import { putting } from "./growing.js";
import type { Capacity, Having } from "./offers.js";
import type { Inserted, OutcomePlace, Recorded, UpsertKind, Upserts } from "./types.js";

const givenOf = (rule: Rows["rule"]) => (rule === "id" ? ["keys"] : ["keys", "values"]);
const MEMBERS = ["keys", "values", "n", "first", "rule", "combine", ...WRITTEN];

export function rowOperations(having: Having, operations: Capacity) {
  const { gpu, table, recordable, recorder, check, alive, inTurn } = having;
  if (!table.upsert) return {};
  const put = putting(having, operations);
  const settling = async (op: string, given: Rows, told: readonly string[]): Promise<Inserted> => {
    const rows = checkedRows(check, op, `${gpu.label}.${op}`, given, told);
    const refused = rows.n === 0 ? 0 : await inTurn(op, () => put.upsert(rows));
    return { stored: rows.n - refused, refused };
  };
  return {
    upsert: (rows: Upserts) => settling("upsert", rows, []),
    findOrInsert: (rows: Omit<Upserts, "rule">) => settling("findOrInsert", { ...rows, rule: "first" }, ["results"]),
    insertAndTell: (rows: Omit<Upserts, "rule">) => settling("insertAndTell", { ...rows, rule: "replace" }, ["states"]),
    ...(recordable?.upserting &&
      recorder && {
        async recordUpsert({ rule, combine = false, results = false, states = false }: UpsertKind) {
          alive();
          const told = [...(results ? ["results"] : []), ...(states ? ["states"] : [])];
          const op = "recordUpsert";
          checkRule(`${gpu.label}.${op}`, { rule, results, combine });
          const { status, upserting } = recordable as Required<Recordable>;
          const make = await upserting({ rule, combine, results, states });
          return (commands: Commands, given: Recorded<Omit<Rows, "rule" | "combine">>, outcome?: OutcomePlace) => {
            recorder.ready(op, commands, status);
            const rows = check.items(op, recorder.sized(op, given), [...givenOf(rule), ...told]);
            recorder.checkOutcome(op, commands, rows, outcome);
            recorder.recordCounted(commands, recorder.stepsOf(op, given, rows, make), outcome);
          };
        },
      }),
  };
}

function checkRule(whose: string, { rule, results, combine = false }: RowsKind): void {
  if (typeof combine !== "boolean")
    throw new UsageError(`${whose}: combine is ${kindOf(combine)}; it takes true or false`);
  if (!Object.hasOwn(RULES, rule))
    throw new UsageError(`${whose}: rule is ${rule}; it takes ${Object.keys(RULES).join(", ")}`);
  if (results && !TELLING.includes(rule)) throw new UsageError(`${whose}: rule ${rule} has no results`);
}

/** A copy. Throws a UsageError. @param told what the operation has to be given beside keys and values */
export function checkedRows(check: BufferCheck, op: string, whose: string, given: Rows, told: readonly string[]): Rows {
  const { rule, combine = false, ...rows } = checkMembers(whose, given, MEMBERS);
  checkRule(whose, { rule, combine, ...(rows.results && { results: true }) });
  const own = WRITTEN.filter((name) => told.includes(name) || rows[name] !== undefined);
  return { ...check.items(op, rows, [...givenOf(rule), ...own]), rule, combine };
}
