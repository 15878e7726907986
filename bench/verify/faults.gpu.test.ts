/** Faults that are planted in kernels, and the cases that find them. */
import { expect, test } from "vitest";
import { bucketed } from "../../kernels/bucketed/bucketed.js";
import { cuckoo } from "../../kernels/cuckoo/cuckoo.js";
import { cuckooSet } from "../../kernels/cuckoo/set.js";
import { configure } from "../../kernels/define.js";
import { doubleHashing } from "../../kernels/double-hashing/double-hashing.js";
import { dycuckoo } from "../../kernels/dycuckoo/dycuckoo.js";
import { fingerprints } from "../../kernels/fingerprints/fingerprints.js";
import { quotient } from "../../kernels/quotient/quotient.js";
import { slabHash, slabSet } from "../../kernels/slab-hash/slab-hash.js";
import { stash } from "../../kernels/stash/stash.js";
import type { TableType } from "../../kernels/table.js";
import { testGpu, withEdits } from "../device/testing.js";
import { Mismatch } from "./bulk.js";
import { checkCase } from "./case.js";
import { caseNamed } from "./testing.js";

const gpu = testGpu();

interface Fault {
  readonly fault: string;
  readonly type: TableType;
  readonly file: string;
  readonly sound: string;
  readonly faulty: string;
  /** Of the name of the case. */
  readonly found: string;
}

const SEVERAL = "keys with several pairs";
const FLUSHES = "flushes between";
const OUT = "slabs that run out";
const FLUSH = { type: slabSet, file: "kernels/slab-hash/flush.wgsl", found: FLUSHES };
const UPDATE = { type: slabHash, file: "kernels/slab-hash/update.wgsl" };
const FIND_ALL = { type: slabHash, file: "kernels/slab-hash/find-all.wgsl", found: SEVERAL };

const HISTORY = "a random history of insertions";

const faults: readonly Fault[] = [
  {
    fault: "a fingerprint is taken for its key",
    type: configure(fingerprints, { bits: 8 }),
    file: "kernels/fingerprints/find.wgsl",
    sound: "if (pair.x == key) { return pair.y; }",
    faulty: "return pair.y;",
    found: "many pairs at the usual load factor",
  },
  {
    fault: "an erased slot ends searches",
    type: fingerprints,
    file: "kernels/fingerprints/erase.wgsl",
    sound: "(ERASED << shift)",
    faulty: "(FREE << shift)",
    found: HISTORY,
  },
  {
    fault: "a slot is claimed whose fingerprint another lane put",
    type: fingerprints,
    file: "kernels/fingerprints/insert-reuse.wgsl",
    sound: "if (got.exchanged) {",
    faulty: "if (got.exchanged || tries == 0u) {",
    found: "insertions that race for the last slots",
  },
  {
    fault: "no pass serves hashes near its ends",
    type: configure(fingerprints, { passes: 3 }),
    file: "kernels/fingerprints/find.wgsl",
    sound: "is_served(hash_of(key))",
    faulty: "is_served(hash_of(key) & 0xffe00000u) && is_served(hash_of(key) | 0x1fffffu)",
    found: "many pairs at the usual load factor",
  },
  {
    fault: "a flush loses the last key of a slab",
    ...FLUSH,
    sound: "for (var slot = 0u; slot < SLOTS; slot++)",
    faulty: "for (var slot = 0u; slot < SLOTS - 1u; slot++)",
  },
  {
    fault: "a flush leaves a key in a slab that it frees",
    ...FLUSH,
    sound: "empty_words(slab, 0u);",
    faulty: "empty_words(slab, 1u);",
  },
  {
    fault: "a flush keeps the first slab that it unlinks",
    ...FLUSH,
    sound: "deallocate(number_of(slab));",
    faulty: "if (given > 0u) { deallocate(number_of(slab)); }",
  },
  {
    fault: "a flush moves keys without their values",
    ...FLUSH,
    type: slabHash,
    sound:
      "@if(!KEYS) store_word(word_in(to.slab, PITCH * to.slot + 1u), load_word(word_in(slab, PITCH * slot + 1u)));",
    faulty: "",
  },
  {
    fault: "eraseAll takes one pair",
    ...UPDATE,
    found: SEVERAL,
    sound: "@if(UNIQUE && !ALL) (*op).waits = false;",
    faulty: "(*op).waits = false;",
  },
  {
    fault: "findAll takes one pair of the two that a lane reads",
    ...FIND_ALL,
    sound: "found += countOneBits(low) + countOneBits(high);",
    faulty: "found += countOneBits(low | high);",
  },
  {
    fault: "findAll stops at the end of a slab",
    ...FIND_ALL,
    sound: "if (next == EMPTY) { queue &= queue - 1u; }",
    faulty: "queue &= queue - 1u;",
  },
  {
    fault: "an insertion without a slab is noted by its number in the slice",
    ...UPDATE,
    found: OUT,
    sound: "if (batch.retry == 0u) { set_pending(item, batch.blocks); }",
    faulty: "if (batch.retry == 0u) { set_pending(item / 32u * 32u + (item - batch.first) % 32u, batch.blocks); }",
  },
  {
    fault: "a slice after one that ran out of slabs is begun",
    ...UPDATE,
    found: OUT,
    sound: "if (halted != 0u && halted != batch.slice) { return op; }",
    faulty: "",
  },
  {
    fault: "insertions after the pool ran out are lost",
    ...UPDATE,
    found: OUT,
    sound: "if (batch.retry == 0u) { set_pending(item, batch.blocks); }",
    faulty: "",
  },
  {
    fault: "a downsize drops one residual of eight",
    type: dycuckoo,
    file: "kernels/dycuckoo/downsize.wgsl",
    sound: "if (!settle(upper, value, at)) {",
    faulty: "if (value % 8u != 0u && !settle(upper, value, at)) {",
    found: "downsizings whose pairs",
  },
  {
    fault: "one key of 512 cannot be erased",
    type: quotient,
    file: "kernels/quotient/erase.wgsl",
    sound: "if (key >= DELETED) { return false; }",
    faulty: "if (key >= DELETED || key % 512u == 0u) { return false; }",
    found: HISTORY,
  },
  {
    fault: "one insertion of 512 stores another value",
    type: quotient,
    file: "kernels/quotient/insert.wgsl",
    sound: "!insert(key, value)",
    faulty: "!insert(key, select(value, 1u, key % 512u == 0u))",
    found: "insertions that race for the last slots",
  },
  {
    fault: "insertions begin at the first pair of their buffers",
    type: bucketed,
    file: "kernels/bucketed/insert.wgsl",
    sound: "let item = range.first + at.index;",
    faulty: "let item = at.index;",
    found: "pairs in the middle of their buffers",
  },
  {
    fault: "the value EMPTY is stored",
    type: bucketed,
    file: "kernels/bucketed/insert.wgsl",
    sound: "return is_pair(key, value) && ",
    faulty: "return key < DELETED && ",
    found: "whose value is EMPTY",
  },
  {
    fault: "rows that were combined come to the table once more",
    type: doubleHashing,
    file: "kernels/double-hashing/upsert.wgsl",
    sound: "if (has_item && row.asks)",
    faulty: "if (has_item)",
    found: "a random history of upserts",
  },
  {
    fault: "ids begin at 0 in each workgroup",
    type: doubleHashing,
    file: "kernels/double-hashing/upsert.wgsl",
    sound: "numbered(settled, lid)",
    faulty: "numbered(settled, lid + 1u)",
    found: "a random history of upserts",
  },
  {
    fault: "an erased key leaves its value to the next one",
    type: configure(bucketed, { reuse: true }),
    file: "kernels/bucketed/erase.wgsl",
    sound: "@if(REUSE) store_word(offset(word, 4u), EMPTY);",
    faulty: "",
    found: "a random history of upserts",
  },
  {
    fault: "pairs of a second bucket are exported as if they were in their first",
    type: quotient,
    file: "kernels/quotient/export.wgsl",
    sound: "if (number == 1u) { own = neighbour_of(bucket); }",
    faulty: "",
    found: "all pairs are exported",
  },
  {
    fault: "the value EMPTY is stored in a mixed slice",
    type: stash,
    file: "kernels/stash/mixed.wgsl",
    sound: "if (kind == INSERT) { taken = takes(key, values[item]); }",
    faulty: "",
    found: "slices in the middle of a batch",
  },
  {
    fault: "a search for DELETED finds the value of an erased key",
    type: bucketed,
    file: "kernels/bucketed/find.wgsl",
    sound: "if (key >= DELETED) { return EMPTY; }",
    faulty: "",
    found: "reserved keys are refused",
  },
  {
    fault: "a search does not come to the last slot",
    type: doubleHashing,
    file: "kernels/double-hashing/find.wgsl",
    sound: "probe < sizes.slots; probe++",
    faulty: "probe + 1u < sizes.slots; probe++",
    found: "small tables are filled",
  },
  {
    fault: "an insertion of a reserved key is not refused in a mixed slice",
    type: cuckoo,
    file: "kernels/cuckoo/insert-slice.wgsl",
    sound: "atomicAdd(&status.refused, 1u);",
    faulty: "",
    found: "slices in the middle of a batch",
  },
  {
    fault: "a chain that is too long loses its key",
    type: cuckooSet,
    file: "kernels/cuckoo/set.wgsl",
    sound: "atomicAdd(&status.failed, 1u);",
    faulty: "",
    found: "builds that start again",
  },
];

/** A round of random operations may miss a fault: one in ten misses that of slices that are begun too early. */
const ROUNDS = { first: 0, count: 3 };

test.each(faults)("$type.id: $fault", async ({ type, file, sound, faulty, found }) => {
  const device = withEdits(gpu(), file, { [sound]: faulty });
  await expect(checkCase(caseNamed(type, found), device, type, ROUNDS)).rejects.toThrow(Mismatch);
});
