/**
 * The race that a shared slot makes possible. In one dispatch a key A is erased, and a key B of its bucket is inserted several
 * times with different values. An insertion that takes the first free slot without looking on may find B's slot behind the one
 * that A leaves at that moment, and B is in the table twice: once it is erased, it is still there.
 *
 * Many such races take turns in a table so small that A and B share a bucket, or meet on their probe sequences. On an adapter
 * where a table with that fault (mutant/) passes as well, the case does not pass: it says that the adapter does not show the race.
 *
 * Tables that erase and insert in dispatches of their own know no such moment, but lanes of one insertion race for the slots that were
 * erased before, and a key may lie behind one: that is a case of its own.
 */
import { keyOf } from "../../datasets/random.js";
import { type Uniform, uniform } from "../../datasets/rng.js";
import { EMPTY } from "../../kernels/common/steps.js";
import { conflictOf } from "../../kernels/define.js";
import type { Gpu } from "../../kernels/device/gpu.js";
import { MIXED_KINDS, type MixedSlice, type TableType } from "../../kernels/table.js";
import { type Case, Inconclusive } from "./case.js";
import { Harness, hex, Mismatch } from "./harness.js";
import { mutant } from "./mutant/mutant.js";

const { insert: INSERT, find: FIND, erase: ERASE } = MIXED_KINDS;

/** Where the operations of a race are: in neighbouring lanes, in lanes of one workgroup, in workgroups of their own. */
export const PLACEMENTS = ["one subgroup", "one workgroup", "different workgroups"] as const;
export type Placement = (typeof PLACEMENTS)[number];

/** How full the table is with keys that the races leave alone. */
const PREFILLED = [0, 0.5, 0.9];
/** Insertions of B beside the erasure of A. */
const INSERTIONS = [2, 4, 8];
/** Slots of the table, buckets where it has that parameter, and races at a time: these fit in even at 90 %. */
const SLOTS = 48;
const BUCKETS = 2;
const RACES = 2;
/** Software adapters take long for a dispatch, and find the mutant out in half as many (shared-slot.gpu.test.ts prints where). */
const roundsOn = (gpu: Gpu) => (gpu.info.software ? 12 : 48);
/** Lanes of a workgroup, and the distance of groups of neighbouring lanes: no subgroup is larger. */
const WORKGROUP = 256;
const WARP = 32;
/** Lanes that erase a B, of which one may succeed. */
const ERASURES = 3;

export interface Race {
  readonly placement: Placement;
  readonly prefilled: number;
  readonly insertions: number;
}

/** The races of a placement: those that the table's promises are about. */
export function racesOf(placement: Placement, { duplicates }: Pick<TableType, "duplicates">): Race[] {
  // Of a table that takes every key once, the one insertion may still take the slot that is being left.
  const times = duplicates ? INSERTIONS : [1];
  return PREFILLED.flatMap((prefilled) => times.map((insertions) => ({ placement, prefilled, insertions })));
}

const besideErasures: readonly Case[] = PLACEMENTS.map((placement) => ({
  name: `insertions of a key beside an erasure in its bucket, in ${placement}`,
  core: true,
  applies: inapplicable,
  async check(gpu, type) {
    for (const race of racesOf(placement, type)) await runRace(gpu, type, race);
    if (type.duplicates) await requireRace(gpu, placement);
  },
}));

export const sharedSlotCases: readonly Case[] = [
  ...besideErasures,
  {
    name: "insertions of a key into slots that were erased before",
    core: true,
    applies: (type) =>
      !type.reusesSlots || !type.ops.includes("erase") || !type.duplicates || type.answers
        ? "reuses no slots, or takes every key once"
        : "",
    async check(gpu, type) {
      for (const prefilled of PREFILLED) await intoErasedSlots(gpu, type, prefilled);
    },
  },
];

function inapplicable(type: TableType): string {
  if (type.answers && type.answers !== "member") return `answers with a ${type.answers}`;
  if (!type.ops.includes("mixed") || !type.ops.includes("erase")) return "does not insert and erase in one dispatch";
  if (!type.duplicates && !type.reusesSlots) return "promises no unique keys and reuses no slots";
  if (!type.reusesSlots && !hasBuckets(type)) return "cannot be made to have so few buckets that keys meet";
  return conflictOf(type, type.mixedParams ?? {});
}

const hasBuckets = ({ parameters }: TableType) => parameters.some(({ name }) => name === "buckets");

const shown = new WeakMap<Gpu, Map<Placement, boolean>>();

/** Throws Inconclusive if this adapter does not show the race of several insertions: then nothing is known of any table. */
async function requireRace(gpu: Gpu, placement: Placement): Promise<void> {
  const known = shown.get(gpu) ?? new Map<Placement, boolean>();
  shown.set(gpu, known);
  if (!known.has(placement)) known.set(placement, (await wrongRaces(gpu, placement)).length > 0);
  if (known.get(placement)) return;
  throw new Inconclusive(
    `inconclusive: a table that stores keys twice is not found out in ${placement} on this adapter`,
  );
}

/** The races that find the mutant out. */
export async function wrongRaces(gpu: Gpu, placement: Placement): Promise<Race[]> {
  const wrong: Race[] = [];
  for (const race of racesOf(placement, mutant)) {
    await runRace(gpu, mutant, race).catch((error: unknown) => {
      if (!(error instanceof Mismatch)) throw error;
      wrong.push(race);
    });
  }
  return wrong;
}

/**
 * Rounds of a table that was full once, so that searches stop at no slot: some keys are erased, others inserted by many lanes, new
 * ones and (last) some that are there, behind slots that are free now. Throws Mismatch if one is in the table twice: once it is
 * erased, it is still found; or it is erased twice.
 */
async function intoErasedSlots(gpu: Gpu, type: TableType, prefilled: number): Promise<void> {
  const draw = uniform(1 + prefilled);
  const rounds = roundsOn(gpu);
  const some = <T>(items: readonly T[], count: number): T[] =>
    items
      .map((item) => ({ item, at: draw() }))
      .sort((a, b) => a.at - b.at)
      .slice(0, count)
      .map(({ item }) => item);
  await Harness.on(gpu, type, SLOTS, 1, async (harness) => {
    const slots = Math.floor(harness.table.slots * Math.min(1, type.safeLoadFactor));
    let next = 0;
    const fresh = (count: number) => Array.from({ length: count }, () => keyOf(next++, 78));
    let there = fresh(slots);
    const put = async (keys: readonly number[], copies: number) => {
      const lanes = some(Array.from({ length: copies }, () => keys).flat(), copies * keys.length);
      await harness.insert(
        lanes,
        lanes.map((key) => (key ^ next) >>> 1),
      );
    };
    await put(there, 1);
    for (let round = 0; round < rounds; round++) {
      const kept = some(there, Math.floor(slots * prefilled));
      const gone = there.filter((key) => !kept.includes(key));
      await harness.erase(gone);
      const coming = fresh(Math.ceil((slots - kept.length) / 2));
      await put([...coming, ...some(kept, Math.ceil(kept.length / 2))], INSERTIONS[round % INSERTIONS.length] ?? 2);
      await harness.find([...kept, ...coming, ...gone]);
      // Those that came, by several lanes each: all others are still there, and then none of them.
      await harness.erase([...coming, ...coming]);
      await harness.find([...kept, ...coming]);
      there = [...kept, ...fresh(slots - kept.length)];
      await put(there, 1);
    }
    await harness.erase(there);
    await harness.find(there);
  });
}

/** All rounds of a race in one batch. Throws Mismatch if the table is wrong. */
export async function runRace(gpu: Gpu, type: TableType, race: Race): Promise<void> {
  const rounds = roundsOn(gpu);
  const insertions = SLOTS + rounds * RACES * (1 + race.insertions);
  const params = { ...type.mixedParams, ...(hasBuckets(type) ? { buckets: BUCKETS } : {}) };
  const work = async (harness: Harness) => {
    const slots = type.reusesSlots ? harness.table.slots : SLOTS;
    const kept = Array.from({ length: Math.floor(slots * race.prefilled) }, (_, i) => keyOf(i, 77));
    await harness.insert(
      kept,
      kept.map((key) => key >>> 1),
    );
    const all = new Rounds(race, kept, type.answers === "member");
    for (let round = 0; round < rounds; round++) all.add(round);
    all.check(await harness.mixed(all.batch()));
    await harness.find(kept);
  };
  await Harness.on(gpu, type, type.reusesSlots ? SLOTS : insertions, 1, work, { params, insertions });
}

/** An operation, and its answer: one of these, or whatever `Rounds.check` finds out about it. */
interface Operation {
  readonly kind: number;
  readonly key: number;
  readonly value?: number;
  readonly answers?: readonly number[];
}

class Rounds {
  private readonly operations: Operation[] = [];
  private readonly slices: MixedSlice[] = [];
  private readonly draw: Uniform;

  constructor(
    private readonly race: Race,
    /** Keys that no race touches; their values are halves of them. */
    private readonly kept: readonly number[],
    private readonly member: boolean,
  ) {
    this.draw = uniform(race.insertions);
  }

  /** Inserts the As; races; finds the Bs, erases each of them, and finds neither As nor Bs. */
  add(round: number): void {
    const pairs = Array.from({ length: RACES }, (_, i) => {
      const number = 2 * (round * RACES + i);
      return { a: keyOf(1000 + number, 77), b: keyOf(1001 + number, 77), values: this.values(number) };
    });
    this.slice(pairs.map(({ a }) => ({ kind: INSERT, key: a, value: this.value(a), answers: [1] })));
    this.slice(
      this.placed(
        pairs.map(({ a, b, values }) => [
          { kind: ERASE, key: a, answers: [1] },
          ...values.map((value) => ({ kind: INSERT, key: b, value, answers: [1] })),
        ]),
      ),
    );
    this.slice(pairs.map(({ b, values }) => ({ kind: FIND, key: b, answers: values })));
    this.slice(pairs.flatMap(({ b }) => Array.from({ length: ERASURES }, () => ({ kind: ERASE, key: b }))));
    this.slice([
      ...pairs.flatMap(({ a, b }) => [a, b].map((key) => ({ kind: FIND, key, answers: [EMPTY] }))),
      ...this.kept.map((key) => this.search(key)),
    ]);
  }

  private slice(operations: readonly Operation[]): void {
    this.slices.push({ first: this.operations.length, count: operations.length });
    this.operations.push(...operations);
  }

  /** Values of the insertions of one B. */
  private values(number: number): number[] {
    const { insertions } = this.race;
    return Array.from({ length: insertions }, (_, i) => (this.member ? 1 : number * 16 + i));
  }

  private value(key: number): number {
    return this.member ? 1 : key >>> 1;
  }

  private search(key: number): Operation {
    return { kind: FIND, key, answers: [this.value(key)] };
  }

  /** The races in their lanes, in random order; lanes between them search for keys that no race touches. */
  private placed(races: readonly (readonly Operation[])[]): Operation[] {
    const { placement, insertions } = this.race;
    const workgroups = placement === "different workgroups" ? insertions + 1 : 1;
    const lanes = new Array<Operation | undefined>(workgroups * WORKGROUP).fill(undefined);
    for (const [number, race] of races.entries()) {
      for (const [i, operation] of this.shuffled(race).entries()) {
        let lane = this.lane(placement, number, i);
        while (lanes[lane]) lane = this.lane(placement, number, i);
        lanes[lane] = operation;
      }
    }
    return lanes.map((operation) => operation ?? this.bystander());
  }

  private lane(placement: Placement, race: number, operation: number): number {
    if (placement === "one subgroup") return race * WARP + operation;
    const group = placement === "one workgroup" ? 0 : operation;
    return group * WORKGROUP + this.below(WORKGROUP);
  }

  private bystander(): Operation {
    const key = this.kept[this.below(this.kept.length)];
    return key === undefined ? { kind: FIND, key: keyOf(0, 77), answers: [EMPTY] } : this.search(key);
  }

  private below(count: number): number {
    return Math.floor(this.draw() * count);
  }

  private shuffled(operations: readonly Operation[]): Operation[] {
    return operations
      .map((operation) => ({ operation, at: this.draw() }))
      .sort((a, b) => a.at - b.at)
      .map(({ operation }) => operation);
  }

  batch() {
    const words = (of: (operation: Operation) => number) => Uint32Array.from(this.operations, of);
    const [kinds, keys] = [words(({ kind }) => kind), words(({ key }) => key)];
    return { kinds, keys, values: words(({ value = 0 }) => value), slices: this.slices };
  }

  /** Throws Mismatch at the first wrong answer, or if not exactly one of the lanes that erase a B did. */
  check(results: Uint32Array): void {
    const erased = new Map<number, number>();
    for (const [at, { kind, key, answers }] of this.operations.entries()) {
      const answer = results[at] ?? 0;
      if (!answers) erased.set(key, (erased.get(key) ?? 0) + answer);
      else if (!answers.includes(answer)) {
        const name = kind === INSERT ? "insert" : kind === ERASE ? "erase" : "find";
        throw new Mismatch(
          `${this.where}: ${name}(${hex(key)}), operation ${at}: ${hex(answer)}, not ${answers.map(hex)}`,
        );
      }
    }
    for (const [key, times] of erased) {
      if (times !== 1) throw new Mismatch(`${this.where}: ${hex(key)} was erased ${times} times`);
    }
  }

  private get where(): string {
    const { placement, prefilled, insertions } = this.race;
    return `${insertions} insertions beside an erasure in ${placement}, ${100 * prefilled} % full`;
  }
}
