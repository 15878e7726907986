/** Races that are planted in kernels, and that exploring finds. */
import { expect, test } from "vitest";
import { mix32 } from "../../../kernels/common/random.js";
import { doubleHashing, linearProbing } from "../../../kernels/double-hashing/double-hashing.js";
import { dycuckoo } from "../../../kernels/dycuckoo/dycuckoo.js";
import { misra } from "../../../kernels/misra/misra.js";
import { mix32b } from "../../../kernels/quotient/testing.js";
import { slabHash } from "../../../kernels/slab-hash/slab-hash.js";
import { stash } from "../../../kernels/stash/stash.js";
import type { Params, TableType } from "../../../kernels/table.js";
import { warpcore } from "../../../kernels/warpcore/warpcore.js";
import { addPackageKernels } from "../../device/sources.js";
import { SEED } from "../bulk.js";
import { casesOf, type ExploreCase, type Kind, similarTo } from "./cases.js";
import { Explorer, type Placed } from "./explore.js";
import { scheduleOf } from "./schedule.js";
import { counted, edited, SHARING } from "./testing.js";

addPackageKernels();

interface Fault {
  readonly fault: string;
  readonly type: TableType;
  readonly params?: Params;
  readonly file: string;
  readonly edits: Readonly<Record<string, string>>;
  readonly ops: readonly Kind[];
  /** Of the names of the cases. */
  readonly among?: string;
  /** Keys of the cases, in place of theirs. */
  readonly keys?: readonly number[];
  /** In place of the cases of `ops`. Without the fault it holds. */
  readonly own?: ExploreCase | undefined;
  readonly relaxed?: true;
}

/**
 * Two lanes whose keys evict one pair of DyCuckoo, of four buckets. The first bucket has pairs that may move to the fourth, which is empty;
 * the second and third are full of pairs that cannot move. Each lane's own lock is of another bucket.
 */
function evictions(): ExploreCase {
  const [SLOTS, PAIRS] = [16, 6];
  /** Numbers of buckets, as of pairsOf; and where its key goes first. */
  const [AB, AC, BC, AD] = [0, 1, 2, 3];
  const keys = Array.from({ length: 40_000 }, (_, i) => i + 1);
  const placed = (pair: number, second: boolean) =>
    keys.filter((key) => {
      const hash = mix32b(key ^ SEED);
      const low = hash & 0xffff;
      return ((hash >>> 16) * PAIRS) >>> 16 === pair && (second ? low > 60_000 : low < 5000);
    });
  // Its second bucket is the first of all, where it begins at slot 0.
  const evicting = (key: number) => mix32(key) % (2 * SLOTS) === SLOTS;
  const [a = 0, b = 0] = [AB, AC].map((pair) => placed(pair, true).find(evicting));
  const before = [placed(AD, false), placed(BC, false), placed(BC, true)].flatMap((some) => some.slice(0, SLOTS));
  return {
    name: "two evictions of one pair",
    before: before.map((key) => [key, key]),
    erased: [],
    operations: [a, b].map((key, i) => ({ kind: "insert", key, value: 100 + i })),
    by: "kind",
    params: { bucketSlots: SLOTS },
  };
}

const TWO: readonly Kind[] = ["insert", "insert"];
const INSERT = { type: doubleHashing, file: "kernels/double-hashing/insert.wgsl", ops: TWO };
const REUSE = { type: doubleHashing, params: { reuse: true }, ops: TWO };
const WIDE = { type: linearProbing, params: { keyBytes: 8 }, keys: SHARING, ops: TWO };
const MIXED = { type: stash, file: "kernels/stash/mixed.wgsl" };
const LIST = { type: misra, file: "kernels/misra/list.wgsl" };
const UPDATE = { type: slabHash, file: "kernels/slab-hash/update.wgsl" };
const VICTIM = { type: dycuckoo, file: "kernels/dycuckoo/evict.wgsl", ops: TWO, own: evictions() };
/** As joins by chains build them. */
const CHAINED = casesOf(slabHash, TWO, { unique: false }).find(({ name }) => name.endsWith("one key, absent"));
const PUBLISH = "@if(ACCESS) publish(slot, info_of(key), seen & slice.zero);";
const VALUES =
  "for (var j = 0u; j < VALUE_WORDS; j++) { seen |= exchange_word(offset(pair, VALUE_AT + j), value_word(value, j)); }";

const faults: readonly Fault[] = [
  {
    fault: "what a lost compare-exchange found is not looked at",
    ...INSERT,
    edits: { "seen = got.found;": "" },
  },
  {
    fault: "a slot is claimed by a store",
    ...INSERT,
    edits: {
      "@if(!REUSE) let got = swap_word(word, EMPTY, key);":
        "store_word(word, key); @if(!REUSE) let got = Swapped(true, EMPTY);",
      "{load_word, store_word, swap_word}": "{load_word, store_word, swap_word, Swapped}",
    },
  },
  {
    fault: "a value is published before its key",
    ...INSERT,
    edits: {
      "  store_word(offset(word, 1u), value);": "",
      "@if(!REUSE) let got = swap_word(word, EMPTY, key);":
        "store_word(offset(word, 1u), value); @if(!REUSE) let got = swap_word(word, EMPTY, key);",
    },
  },
  {
    fault: "the slot of an erased key is taken at once",
    ...REUSE,
    file: "kernels/double-hashing/insert-reuse.wgsl",
    edits: {
      "if (seen >= DELETED && free.probe == reach) { free = Place(probe, slot); }":
        "if (seen >= DELETED) { return Place(probe, slot); }",
    },
  },
  {
    fault: "the second word of a key is stored without a compare-exchange",
    ...WIDE,
    file: "kernels/wide-keys/claim.wgsl",
    edits: {
      "let got = swap_word(offset(word, apart), EMPTY, key.y);":
        "store_word(offset(word, apart), key.y); let got = Swapped(true, EMPTY);",
      "{load_word, swap_word}": "{load_word, store_word, swap_word, Swapped}",
    },
    among: "keys of their own, absent",
  },
  {
    fault: "a search looks at the first word of a key alone",
    ...WIDE,
    file: "kernels/wide-keys/find.wgsl",
    edits: { "slot.x == key.x && slot.y == key.y": "slot.x == key.x" },
    among: "keys of their own, absent",
  },
  {
    fault: "a slot whose first word alone is there is passed",
    ...WIDE,
    params: { keyBytes: 8, reuse: true },
    file: "kernels/wide-keys/insert-reuse.wgsl",
    edits: { "seen >= DELETED || (seen == key.x && second == EMPTY)": "seen >= DELETED" },
    among: "one key, absent, others erased",
  },
  {
    fault: "a tile passes a slot whose first word alone is there",
    ...WIDE,
    type: warpcore,
    params: { keyBytes: 8, group: 2 },
    file: "kernels/wide-windows/insert.wgsl",
    edits: { "seen >= DELETED || (has_first && second == EMPTY)": "seen >= DELETED" },
    among: "one key, absent",
  },
  {
    fault: "a new key's value is stored after a look",
    type: doubleHashing,
    file: "kernels/double-hashing/upsert.wgsl",
    edits: {
      "return settle(value_slot(key), value, rule);":
        "let word = value_slot(key); if (load_word(word) == EMPTY) { store_word(word, value); return Settled(value, 1u); } return settle(word, value, rule);",
      "import package::kernels::common::keys::{EMPTY, is_pair};":
        "import package::kernels::common::keys::{EMPTY, is_pair};\nimport package::kernels::common::words::{load_word, store_word};",
    },
    ops: ["upsert", "upsert"],
  },
  {
    fault: "a row is not told the id of a key that came with it",
    type: doubleHashing,
    file: "kernels/double-hashing/upsert.wgsl",
    edits: { "results[item] == SOON": "false" },
    ops: ["upsert", "upsert"],
    among: "by id, one key, absent",
  },
  {
    fault: "a search sees what an erasure leaves",
    ...REUSE,
    file: "kernels/double-hashing/erase.wgsl",
    edits: { "store_word(offset(word, 1u), EMPTY);": "store_word(offset(word, 1u), 0u);" },
    ops: ["find", "erase"],
    among: "in one kernel, one key, present",
  },
  {
    fault: "a search sees half of an insertion",
    ...INSERT,
    edits: {
      "  store_word(offset(word, 1u), value);":
        "  store_word(offset(word, 1u), 0u); store_word(offset(word, 1u), value);",
    },
    ops: ["insert", "find"],
  },
  {
    fault: "an allocation looks at its word before the OR",
    ...UPDATE,
    params: { buckets: 1 },
    among: "insert, one key, absent among many",
    file: "kernels/slab-hash/alloc.wgsl",
    edits: {
      "let before = atomicOr(&pool[word], 1u << unit);": "let before = bits; atomicOr(&pool[word], 1u << unit);",
    },
    ops: TWO,
  },
  {
    fault: "a lane loses the tail of a list",
    ...UPDATE,
    edits: {
      "  if (got.done) {\n    (*op).slab = address_of(number);\n  } else {\n    deallocate(number);":
        "  store_word(word_in(slab, NEXT), address_of(number));\n  if (true) {\n    (*op).slab = address_of(number);\n  } else {\n    deallocate(number);",
    },
    ops: TWO,
    among: "insert, one key, absent among many",
  },
  {
    fault: "two pairs of one key share a slot of a multimap",
    ...UPDATE,
    edits: { "@if(UNIQUE) mine = mine || got.found == (*op).key;": "mine = mine || got.found == (*op).key;" },
    ops: TWO,
    own: CHAINED,
  },
  {
    fault: "an erasure leaves a hole in a mixed slice",
    ...UPDATE,
    edits: {
      "@else let got = exchange_word(word_in(slab, word), DELETED);":
        "@else let got = exchange_word(word_in(slab, word), EMPTY);",
    },
    ops: ["insert", "erase", "insert"],
    among: "one key, present, others",
  },
  {
    fault: "a bucket stays locked",
    type: dycuckoo,
    params: { locks: true },
    among: "one key, absent",
    file: "kernels/dycuckoo/insert.wgsl",
    edits: { "unlock(first, found & batch.zero);": "" },
    ops: TWO,
  },
  {
    fault: "a victim is not looked at again after its lock",
    ...VICTIM,
    edits: { "if (both_locked && load_key(victim + after_both) == moved) {": "if (both_locked) {" },
  },
  {
    fault: "a pair can be read before its value is there",
    ...MIXED,
    edits: { [`${VALUES}\n  ${PUBLISH}`]: `${PUBLISH}\n  ${VALUES}` },
    ops: ["insert", "find"],
  },
  {
    fault: "a search does not look at the key again after the value",
    ...MIXED,
    edits: { "if (!holds(slot, key, seen & slice.zero)) {\n      *value": "if (seen != seen) {\n      *value" },
    ops: ["insert", "find", "erase"],
    among: "the first key apart",
  },
  {
    fault: "an erasure does not look again once it has the slot",
    ...MIXED,
    edits: { "if (!holds(slot, key, locked & slice.zero)) {": "if (locked != locked) {" },
    ops: ["insert", "erase", "erase"],
    among: "the first key apart, present",
  },
  {
    fault: "a slot stays locked",
    ...MIXED,
    edits: { "    unlock(slot);\n": "" },
    ops: ["insert", "erase", "erase"],
    among: "the first key apart, present",
  },
  {
    fault: "both of two erasures say that they erased the key",
    ...LIST,
    edits: { "  if (!is_live(next)) { return false; }\n": "" },
    ops: ["erase", "erase"],
  },
  {
    fault: "a node is linked by a store",
    ...LIST,
    edits: {
      "if (atomicCompareExchangeWeak(&words[at], from_link, to_link).exchanged) { return true; }":
        "atomicStore(&words[at], to_link); if (true) { return true; }",
    },
    ops: TWO,
  },
  {
    fault: "a search does not order the value's load behind the ticket's",
    ...MIXED,
    edits: {
      "if (!holds(slot, key, ticket & slice.zero)) { return beyond(ticket); }\n  let value_at":
        "if (!holds(slot, key, 0u)) { return beyond(ticket); }\n  let value_at",
    },
    ops: ["insert", "find"],
    relaxed: true,
  },
  {
    fault: "a ticket is published before the pair is there for certain",
    ...MIXED,
    edits: { [PUBLISH]: "@if(ACCESS) publish(slot, info_of(key), 0u);" },
    ops: ["insert", "find"],
    relaxed: true,
  },
  {
    fault: "a search does not order its second look at the key behind the value",
    ...MIXED,
    edits: { "if (!holds(slot, key, seen & slice.zero)) {": "if (!holds(slot, key, 0u)) {" },
    ops: ["insert", "find", "erase"],
    among: "the first key apart",
    relaxed: true,
  },
  {
    fault: "an erasure does not order its second look at the key behind its lock",
    ...MIXED,
    edits: { "if (!holds(slot, key, locked & slice.zero)) {": "if (!holds(slot, key, 0u)) {" },
    ops: ["insert", "erase", "erase"],
    among: "the first key apart, present",
    relaxed: true,
  },
];

/** For a case: schedules and endings. */
const BUDGET = 4000;

const settings = (relaxed: boolean) => ({ preemptions: 3, failures: 1, old: 2, relaxed });
async function* casesFor({ type, ops, params, among = "", keys, own }: Fault): AsyncGenerator<Placed> {
  const explorer = new Explorer(type, settings(false));
  if (own) yield* (await explorer.placed([own])).filter(({ apart }) => apart > 1);
  else
    for (const one of casesOf(type, ops, params).filter(({ name }) => name.includes(among)))
      yield* await explorer.placed(similarTo(one, keys));
}

test.each(faults.map((fault) => [fault.fault, fault] as const))("%s", async (_, fault) => {
  const bounds = { ...settings(fault.relaxed === true), ...(fault.own && { preemptions: 1 }) };
  const explorer = new Explorer(fault.type, bounds, edited(fault), counted());
  const sound = new Explorer(fault.type, settings(false), edited(fault), counted());
  let found = "";
  for await (const one of casesFor(fault)) {
    const { failure } = await explorer.explore(one, BUDGET);
    if (!failure) continue;
    expect(failure.trace.length).toBeGreaterThan(0);
    expect((await explorer.replay(one, failure.schedule)).why).toBe(failure.why);
    if (fault.own)
      expect(
        (await new Explorer(fault.type, bounds, undefined, counted()).explore(one, BUDGET)).failure,
      ).toBeUndefined();
    // It takes the memory model.
    if (fault.relaxed) expect((await sound.explore(one, BUDGET)).failure).toBeUndefined();
    found = failure.why;
    break;
  }
  expect(found).not.toBe("");
});

/** Found with one preemption and one old value, where nothing orders the second look at the victim behind its lock. */
const OLD_VICTIM = "@/1x5,2x3,1x6,2,2b1,2x8,1@3.513,0.0,0.48,0.49,0.1,0.3,0.2,0.3,0.4";

test("an eviction that has both locks sees no old word of its victim", async () => {
  const edits = { "let after_both = u32(both_locked) & batch.zero;": "let after_both = 0u;" };
  const fault: Fault = { fault: "a look that is not ordered", ...VICTIM, edits };
  const { value: one } = await casesFor(fault).next();
  const why = async (device?: ReturnType<typeof edited>) => {
    const explorer = new Explorer(dycuckoo, settings(true), device);
    return one && (await explorer.replay(one, scheduleOf(OLD_VICTIM))).why;
  };
  expect(await why(edited(fault))).toMatch("no order of the operations leaves that");
  expect(await why()).toBeNull();
});
