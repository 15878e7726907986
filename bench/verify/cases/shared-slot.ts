/**
 * The race that a shared slot makes possible. In one dispatch a key A is erased, and a key B of its bucket is inserted several
 * times with different values. An insertion that takes the first free slot without looking on may find B's slot behind the one
 * that A leaves at that moment. Then B is in the table twice: once it is erased, it is still there.
 *
 * Many such races take turns in a table so small that A and B share a bucket, or meet on their probe sequences. On an adapter
 * where a table with that fault (mutant/) passes as well, the case does not pass: it says that the adapter does not show the race.
 *
 * Tables that erase and insert in separate dispatches do not have this race. But lanes of one insertion race for slots that were
 * erased before, and a key may lie behind one: a separate case checks that.
 */
import { shuffle } from "simple-statistics";
import { keyOf } from "../../../datasets/random.js";
import { type Uniform, uniform } from "../../../datasets/rng.js";
import type { Gpu } from "../../../kernels/device/gpu.js";
import { MIXED_KINDS, type MixedSlice, type TableType } from "../../../kernels/table.js";
import { Mismatch } from "../bulk.js";
import { type Case, Inconclusive, isInHostMemory } from "../case.js";
import { keysFrom, valuesFor } from "../draw.js";
import { Harness } from "../harness.js";
import { type HostBatch, MixedOracle } from "../mixed-oracle.js";
import { mutant } from "../mutant/mutant.js";

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
/**
 * Half as many as on a software adapter detect the mutant's fault (shared-slot.gpu.test.ts prints where). The kernels of tables in host memory
 * are those of tables on the device, and every round is many trips of theirs to the host.
 */
const roundsOn = (gpu: Gpu, type: TableType) => (isInHostMemory(gpu, type) ? 4 : gpu.info.software ? 12 : 48);
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
  needs: ["values", "mixed", "erase", "races"],
  applies: withoutRace,
  async check(gpu, type) {
    for (const race of racesOf(placement, type)) await runRace(gpu, type, race);
    if (type.duplicates) await requireRace(gpu, placement);
  },
}));

export const cases: readonly Case[] = [
  ...besideErasures,
  {
    name: "insertions of a key into slots that were erased before",
    core: true,
    needs: ["values", "erase", "duplicates", "reuse"],
    applies: ({ answers }) => (answers ? `answers with a ${answers}` : ""),
    async check(gpu, type) {
      for (const prefilled of PREFILLED) await intoErasedSlots(gpu, type, prefilled);
    },
  },
];

function withoutRace(type: TableType): string {
  if (!type.duplicates && !type.reusesSlots) return "promises no unique keys and reuses no slots";
  return type.reusesSlots || hasBuckets(type) ? "" : "cannot be made to have so few buckets that keys meet";
}

const hasBuckets = ({ parameters }: TableType) => parameters.some(({ name }) => name === "buckets");

const shown = new WeakMap<Gpu, Map<Placement, boolean>>();

/** Throws Inconclusive if this adapter does not show the race of several insertions: then nothing is known of any table. */
async function requireRace(gpu: Gpu, placement: Placement): Promise<void> {
  const known = shown.get(gpu) ?? new Map<Placement, boolean>();
  shown.set(gpu, known);
  if (!known.has(placement)) known.set(placement, (await wrongRaces(gpu, placement)).length > 0);
  if (known.get(placement)) return;
  throw new Inconclusive(`inconclusive: a table that stores keys twice passes in ${placement} on this adapter`);
}

/** The races that detect the mutant's fault. */
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
 * Rounds of a table that was full once, so that searches stop at no slot. Some keys are erased, others inserted by many lanes, new
 * ones and (last) some that are there, behind slots that are free now. Throws Mismatch if one is in the table twice: once it is
 * erased, it is still found; or it is erased twice.
 */
async function intoErasedSlots(gpu: Gpu, type: TableType, prefilled: number): Promise<void> {
  const draw = uniform(1 + prefilled);
  const rounds = roundsOn(gpu, type);
  const some = (items: readonly number[], count: number) => shuffle([...items], draw).slice(0, count);
  await Harness.on(gpu, type, SLOTS, 1, async (harness) => {
    const slots = Math.floor(harness.table.slots * Math.min(1, type.safeLoadFactor));
    let next = 0;
    const fresh = (count: number) => {
      next += count;
      return keysFrom(next - count, count, 78);
    };
    let there = fresh(slots);
    const put = async (keys: readonly number[], copies: number) => {
      const lanes = some(Array.from({ length: copies }, () => keys).flat(), copies * keys.length);
      await harness.insert(lanes, valuesFor(lanes, next));
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

/** Of a key that no race touches, and of every A. */
const keptValue = (key: number) => key >>> 1;

/** All rounds of a race in one batch. Throws Mismatch if the table is wrong. */
export async function runRace(gpu: Gpu, type: TableType, race: Race): Promise<void> {
  const rounds = roundsOn(gpu, type);
  const insertions = SLOTS + rounds * RACES * (1 + race.insertions);
  const params = { ...type.mixedParams, ...(hasBuckets(type) ? { buckets: BUCKETS } : {}) };
  const work = async (harness: Harness) => {
    const slots = type.reusesSlots ? harness.table.slots : SLOTS;
    const kept = keysFrom(0, Math.floor(slots * race.prefilled), 77);
    await harness.insert(kept, kept.map(keptValue));
    const all = new Rounds(race, kept, type.answers === "member");
    for (let round = 0; round < rounds; round++) all.add(round);
    const { batch, oracle } = all.made();
    const { placement, prefilled } = race;
    const where = `${race.insertions} insertions beside an erasure in ${placement}, ${100 * prefilled} % full: `;
    oracle.check(batch, await harness.mixed(batch), where);
    await harness.find(kept);
  };
  await Harness.on(gpu, type, type.reusesSlots ? SLOTS : insertions, 1, work, { params, insertions });
}

interface Operation {
  readonly kind: number;
  readonly key: number;
  readonly value?: number;
}

const searchFor = (key: number): Operation => ({ kind: FIND, key });

class Rounds {
  private readonly operations: Operation[] = [];
  private readonly slices: MixedSlice[] = [];
  private readonly draw: Uniform;

  constructor(
    private readonly race: Race,
    /** Keys that no race touches. */
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
    this.slice(pairs.map(({ a }) => ({ kind: INSERT, key: a, value: this.valueOf(a) })));
    this.slice(
      this.placed(
        pairs.map(({ a, b, values }) => [
          { kind: ERASE, key: a },
          ...values.map((value) => ({ kind: INSERT, key: b, value })),
        ]),
      ),
    );
    this.slice(pairs.map(({ b }) => searchFor(b)));
    this.slice(pairs.flatMap(({ b }) => Array.from({ length: ERASURES }, () => ({ kind: ERASE, key: b }))));
    this.slice([...pairs.flatMap(({ a, b }) => [a, b]), ...this.kept].map(searchFor));
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

  /** The value of a key other than a B. */
  private valueOf(key: number): number {
    return this.member ? 1 : keptValue(key);
  }

  /** The races in their lanes, in random order; lanes between them search for keys that no race touches. */
  private placed(races: readonly (readonly Operation[])[]): Operation[] {
    const { placement, insertions } = this.race;
    const workgroups = placement === "different workgroups" ? insertions + 1 : 1;
    const lanes = new Array<Operation | undefined>(workgroups * WORKGROUP).fill(undefined);
    for (const [number, race] of races.entries()) {
      for (const [i, operation] of shuffle([...race], this.draw).entries()) {
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

  /** Of an empty table it searches for a key that is never there. */
  private bystander(): Operation {
    return searchFor(this.kept[this.below(this.kept.length)] ?? keyOf(0, 77));
  }

  private below(count: number): number {
    return Math.floor(this.draw() * count);
  }

  /** The batch, and what may be in the table before it. */
  made(): { readonly batch: HostBatch; readonly oracle: MixedOracle } {
    const keys = Uint32Array.from(this.operations, ({ key }) => key);
    const universe = Uint32Array.from(new Set([...this.kept, ...keys]));
    const items = new Map([...universe].map((key, item) => [key, item]));
    const oracle = new MixedOracle(universe);
    oracle.values.set(this.kept.map((key) => this.valueOf(key)));
    const words = (of: (operation: Operation) => number) => Uint32Array.from(this.operations, of);
    const batch = {
      kinds: words(({ kind }) => kind),
      keys,
      values: words(({ value = 0 }) => value),
      items: keys.map((key) => items.get(key) ?? 0),
      slices: this.slices,
    };
    return { batch, oracle };
  }
}
