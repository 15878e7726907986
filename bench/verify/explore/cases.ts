/** What is explored of a table: operations that meet, and what they may come to. */
import { EMPTY } from "../../../kernels/common/steps.js";
import { configure, conflictOf } from "../../../kernels/define.js";
import { ownTables } from "../../../kernels/index.js";
import { type Params, STATES, type TableType, TELLING } from "../../../kernels/table.js";
import { hex } from "../../scenarios/workload/check.js";
import { answerOf } from "../harness.js";
import { MERGED, RULE_NAMES, type Rule } from "../rules.js";

export const KINDS = ["insert", "find", "erase", "upsert"] as const;
export type Kind = (typeof KINDS)[number];

/** All combinations of kinds of operations, one a lane. */
export function kindsMeeting(lanes: number): Kind[][] {
  let all: Kind[][] = [[]];
  for (let lane = 0; lane < lanes; lane++)
    all = all.flatMap((some) => KINDS.slice(KINDS.indexOf(some.at(-1) ?? "insert")).map((kind) => [...some, kind]));
  return all;
}

export interface Operation {
  readonly kind: Kind;
  readonly key: number;
  readonly value: number;
}

export interface ExploreCase {
  readonly name: string;
  /** Pairs that are inserted before, the first ones first. */
  readonly before: readonly (readonly [key: number, value: number])[];
  /** Keys of these that are then erased. */
  readonly erased: readonly number[];
  readonly operations: readonly Operation[];
  /** As an operation of one kind, in a mixed slice, or by functions that one kernel calls. */
  readonly by: "kind" | "mixed" | "functions";
  /** Of upserts, which are of one rule. */
  readonly rule?: Rule;
  readonly params: Params;
}

/** Of upserts that are functions; `insert` replaces. */
export type FunctionRule = Exclude<Rule, "replace" | "id">;
const FUNCTION_RULES: readonly FunctionRule[] = ["first", "add", "min", "max"];

/** What operations may answer together, and the pairs that are there afterwards. */
export interface Ending {
  /** As mixed batches have them; of upserts the states, and then the values that are told. */
  readonly answers: readonly number[];
  /** By key, what a search answers; of a key with several values, all of them in order. */
  readonly pairs: ReadonlyMap<number, readonly number[]>;
}

const KEYS = [7, 9, 12, 1001];
const valueFor = (i: number) => 100 + i;

/** Which of the operations share a key. */
const SHARING = [
  { name: "one key", number: () => 0 },
  { name: "two keys", number: (i: number) => Number(i > 1) },
  { name: "the first key apart", number: (i: number) => Number(i > 0) },
  { name: "keys of their own", number: (i: number) => i },
];

const TRIPLES = ["two keys", "the first key apart"];

/** The cases of these kinds of operations, one lane each; none where the table has not all of them. */
export function casesOf(type: TableType, kinds: readonly Kind[], params: Params = {}): ExploreCase[] {
  const one = kinds.every((kind) => kind === kinds[0]);
  const table = configured(type, params);
  const alone = one && table ? [{ by: "kind", params } as const] : [];
  const meeting = table && mayMeet(table, kinds) ? [{ by: "functions", params } as const] : [];
  if (kinds.includes("upsert")) {
    const ruled = alone.flatMap((how) => RULE_NAMES.map((rule) => ({ ...how, rule })));
    const rules = meeting.flatMap((how) => FUNCTION_RULES.map((rule) => ({ ...how, rule })));
    return [...ruled, ...rules].flatMap((how) => sharingOf(type, kinds, how));
  }
  const own = { ...type.mixedParams, ...params };
  const mixing = configured(type, own)?.ops.includes("mixed") ? [{ by: "mixed", params: own } as const] : [];
  return [...alone, ...mixing, ...meeting].flatMap((how) => sharingOf(type, kinds, how));
}

/** Whether the table has functions of these kinds, of several kernels, that may meet in one dispatch (kernels/library/README.md). */
function mayMeet({ id, ops }: TableType, kinds: readonly Kind[]): boolean {
  const has = ops.includes("upsert") && ownTables.some((one) => one.id === id);
  const several = kinds.some((kind) => kind !== kinds[0]);
  return has && several && (!kinds.includes("erase") || kinds.every((kind) => kind === "find" || kind === "erase"));
}

const NAMES = { kind: "", mixed: " mixed", functions: " in one kernel" } as const;

/** What the table holds before: the keys or not, and others. */
function statesFor({ incremental, ops }: TableType, kinds: readonly Kind[]) {
  const inserts = kinds.some(stores);
  const absent = { state: "absent", present: false, others: 0, erases: false };
  const present = { state: "present", present: true, others: 0, erases: false };
  if (!incremental) return inserts ? [absent] : [absent, present];
  const crowded = { state: "absent among many", present: false, others: MANY, erases: false };
  const behind = { state: "present, others erased", present: true, others: FEW, erases: true };
  const after = { state: "absent, others erased", present: false, others: FEW, erases: true };
  const erasing = ops.includes("erase") ? [...(inserts ? [after] : []), behind] : [];
  return [absent, present, ...(inserts ? [crowded] : []), ...erasing];
}

/** Other keys, and so many that lists get longer and evictions begin. */
const OTHERS = 301;
const MANY = 30;
const FEW = 4;

/** Pairs beside those of the operations. */
const othersOf = (count: number) => Array.from({ length: count }, (_, i) => [OTHERS + i, valueFor(20 + i)] as const);

/** Cases that stand for one another: other keys, near its own or of those that are given, and of many other pairs some less. */
export function similarTo(one: ExploreCase, given?: readonly number[]): ExploreCase[] {
  const { before, erased, operations } = one;
  const count = new Set(operations.map(({ key }) => key)).size;
  const many = before.length >= MANY;
  if (count === 1 && !many && erased.length === 0) return [one];
  return Array.from({ length: TRIES }, (_, i) => {
    const near = Array.from({ length: count }, (_, j) => (KEYS[j] ?? 0) + i * (j + 1));
    const keys = given?.slice(count * i, count * (i + 1)) ?? near;
    const own = withKeys(one, keys);
    return many ? { ...own, before: own.before.slice(i) } : own;
  });
}

const TRIES = 10;

/** The case with these keys in place of its own. */
function withKeys(one: ExploreCase, keys: readonly number[]): ExploreCase {
  const own = [...new Set(one.operations.map(({ key }) => key))];
  const of = (key: number) => keys[own.indexOf(key)] ?? key;
  return {
    ...one,
    before: one.before.map(([key, value]) => [of(key), value]),
    operations: one.operations.map((operation) => ({ ...operation, key: of(operation.key) })),
  };
}

function configured(type: TableType, params: Params): TableType | null {
  return conflictOf(type, params) ? null : configure(type, params);
}

/** Whether a key has a pair for each insertion of it, with these parameters. */
export function isMultimap({ multimapParams: own }: TableType, params: Params): boolean {
  return own !== undefined && Object.entries(own).every(([name, value]) => params[name] === value);
}

const stores = (kind: Kind): boolean => kind === "insert" || kind === "upsert";

function sharingOf(
  type: TableType,
  kinds: readonly Kind[],
  how: Pick<ExploreCase, "by" | "rule" | "params">,
): ExploreCase[] {
  const table = configure(type, how.params);
  if (kinds.some((kind) => !table.ops.includes(kind))) return [];
  // Which of a key's pairs a search finds, or an erasure takes, is left to it.
  const multimap = isMultimap(type, how.params);
  if (multimap && kinds.some((kind) => kind !== "insert")) return [];
  const duplicates = table.duplicates || multimap;
  // Searches that answer with places of a list are looked at after each insertion.
  if (kinds.includes("find") && (table.answers === "id" || table.answers === "range")) return [];
  const found: ExploreCase[] = [];
  for (const { name, number } of SHARING.filter(({ name }) => kinds.length > 2 || !TRIPLES.includes(name))) {
    const operations = kinds.map((kind, i) => ({ kind, key: KEYS[number(i)] ?? 0, value: valueFor(i) }));
    const inserted = operations.filter(({ kind }) => stores(kind)).map(({ key }) => key);
    if (!duplicates && new Set(inserted).size < inserted.length) continue;
    // Keys that the table must not have twice are there only if none of the operations inserts them.
    const keys = [...new Set(operations.map(({ key }) => key))].filter((key) => duplicates || !inserted.includes(key));
    const own = keys.map((key, i) => [key, valueFor(10 + i)] as const);
    for (const { state, present, others, erases } of statesFor(table, kinds)) {
      if (present && keys.length === 0) continue;
      const beside = othersOf(others);
      const what = `${kinds.join(" ")}${NAMES[how.by]}${how.rule ? ` by ${how.rule}` : ""}, ${name}, ${state}`;
      const erased = erases ? beside.map(([key]) => key) : [];
      found.push({ ...how, name: what, before: [...beside, ...(present ? own : [])], erased, operations });
    }
  }
  return found;
}

/** The endings of all orders of the operations, each once. */
export function endingsOf(type: TableType, { before, erased, operations, rule, params }: ExploreCase): Ending[] {
  const several = type.answers === "range" || isMultimap(type, params);
  const answerFor = type.answers === "id" ? () => 1 : answerOf(type, params);
  const endings = orders(operations.map((_, i) => i)).map((order) => {
    let ids = 0;
    const pairs = new Map(before.map(([key, value]) => [key, [answerFor(key, value)]]));
    for (const key of erased) pairs.delete(key);
    const answers = new Array<number>(operations.length * (rule && TELLING.includes(rule) ? 2 : 1)).fill(0);
    for (const i of order) {
      const { kind, key, value } = operations[i] as Operation;
      if (kind === "find") answers[i] = pairs.get(key)?.[0] ?? EMPTY;
      else if (kind === "erase") answers[i] = Number(pairs.delete(key));
      else if (rule && kind === "upsert") {
        const old = pairs.get(key)?.[0];
        const next = old !== undefined ? MERGED[rule](old, value) : rule === "id" ? ids++ : value;
        pairs.set(key, [next]);
        answers[i] = old === undefined ? STATES.new : STATES.found;
        if (TELLING.includes(rule)) answers[operations.length + i] = next;
      } else {
        answers[i] = 1;
        const others = several ? (pairs.get(key) ?? []) : [];
        pairs.set(
          key,
          [...others, answerFor(key, value)].toSorted((a, b) => a - b),
        );
      }
    }
    return { answers, pairs };
  });
  return [...new Map(endings.map((one) => [textOf(one), one])).values()];
}

function orders(items: readonly number[]): number[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((first) => orders(items.filter((one) => one !== first)).map((rest) => [first, ...rest]));
}

/** In words: which answers and pairs. */
export function textOf({ answers, pairs }: Ending): string {
  return `answers ${answers.map((one) => (one === EMPTY ? "none" : one < 2 ** 16 ? one : hex(one))).join(" ")}; pairs ${pairsText(pairs)}`;
}

export function pairsText(pairs: Ending["pairs"]): string {
  const own = [...pairs].toSorted(([a], [b]) => a - b).map(([key, values]) => `${key}=${values.join("+")}`);
  return own.join(" ") || "none";
}
