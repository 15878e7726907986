/** The operations of a scenario's rounds on the device, and the check of their answers. */
import { keyConstants } from "../../../datasets/random.js";
import { step } from "../../../kernels/common/bulk.js";
import { EMPTY, lazily } from "../../../kernels/common/steps.js";
import type { Kernel, Step } from "../../../kernels/device/gpu.js";
import { type Owner, scoped } from "../../../kernels/device/owned.js";
import { shapeOf } from "../../../kernels/operations.js";
import { RadixSort } from "../../../kernels/radix-sort/sort.js";
import { type Lookups, MIXED_KINDS } from "../../../kernels/table.js";
import { ABSENT, isLookup, type Part, type Placed, type PlacedRound } from "../scenario.js";
import { inWords, runOnce } from "./check.js";
import { type DeviceKeys, digestOf } from "./keys.js";
import { type MixedBuffers, mixedBuffers } from "./mixed.js";

const FILE = "bench/scenarios/workload/rounds.wgsl";
/** Words of `Plan`, of `Note`, and of `Plans` before the first `Plan`. */
const [PLAN_WORDS, NOTE_WORDS, HEAD_WORDS] = [32, 6, 4];
const BEFORE_THE_FIRST = 0xffffffff;
/** Lookups that answer 1 or 0: COUNTS of bench/scenarios/workload/rounds.wgsl. */
const COUNTS = 3;
/** The kind of a part's operations: as in mixed batches, or such lookups. */
const kindOf = ({ do: op }: Part): number =>
  isLookup(op) && shapeOf(op).answers !== "value" ? COUNTS : MIXED_KINDS[op];
const ANSWERS = { value: 0, member: 1, key: 2 } as const;

/** Bytes of `keyNumbers`. */
export const numbersBytes = (n: number): number => 4 * n;

/** Numbers of a data set's keys, of which equal ones have one. Throws DoesNotFit. */
export async function keyNumbers(gpu: Owner, { keys, n }: DeviceKeys) {
  const numbers = await gpu.alloc(`${n} numbers of keys`, numbersBytes(n));
  await scoped(gpu, async (own) => {
    const sorted = await own.alloc(`${n} sorted keys`, n * 4);
    const sort = await RadixSort.make(own, n, { keysOnly: true });
    await own.run(sort.steps({ keys }, { keys: sorted }, n));
    const bound = { items: n, stream: keys, sorted, numbers };
    await runOnce(own, n, { file: FILE, entry: "identify", conditions: { STREAM: true, MARKS: true }, bound });
  });
  return { numbers };
}

/** What all rounds of a scenario have in common. */
export interface Settings {
  readonly seed: number;
  /** The keys. Null: those of the data set "random", computed by number. */
  readonly data: DeviceKeys | null;
  /** Numbers of the data's keys, with the oracle `marks`; else null. */
  readonly numbers: Awaited<ReturnType<typeof keyNumbers>> | null;
  /** What a search for a present key answers. */
  readonly answer: keyof typeof ANSWERS;
  /** Operations that there is room for, by a step's place in its round. */
  readonly rooms: readonly number[];
  /** Rounds whose plans are on the device at a time, and rounds that are noted. */
  readonly planned: number;
  readonly noted: number;
}

/** Bytes beside the data set, the numbers of its keys, and the table. @param n keys of a data set, if those are marked */
export function roundsBytes(
  { rooms, planned, noted }: Pick<Settings, "rooms" | "planned" | "noted">,
  n: number,
): number {
  const steps = rooms.length * (planned * PLAN_WORDS + noted * NOTE_WORDS);
  return 16 * rooms.reduce((sum, room) => sum + room, 0) + 4 * (steps + n);
}

/** What the check of a step found. */
export interface Seen {
  /** Keys that came and that went, with the oracle `marks`. */
  readonly came: number;
  readonly went: number;
  /** "" if all answers were right, else one line. */
  readonly wrong: string;
}

interface Buffers {
  readonly plans: GPUBuffer;
  readonly changed: GPUBuffer;
  readonly verdict: GPUBuffer;
  readonly notes: GPUBuffer;
  /** With the oracle `marks`, by number: 1 if the key is in the table. */
  readonly live: GPUBuffer | null;
}

export class DeviceRounds {
  private readonly picking = lazily(() => this.pickSteps());
  private readonly checking = lazily(() => this.checkSteps());

  private constructor(
    private readonly gpu: Owner,
    private readonly settings: Settings,
    private readonly buffers: Buffers,
    /** By a step's place in its round: the operations of the round that was picked last. */
    readonly operations: readonly MixedBuffers[],
  ) {}

  /** Throws DoesNotFit. */
  static async make(gpu: Owner, settings: Settings): Promise<DeviceRounds> {
    const { rooms, planned, noted, data, numbers } = settings;
    const words = (name: string, count: number) => gpu.alloc(`${count} ${name}`, Math.max(1, count) * 4);
    const verdict = await words("words of a verdict", 2);
    gpu.write(verdict, 0, Uint32Array.of(0, EMPTY));
    const buffers = {
      plans: await words("words of plans", HEAD_WORDS + planned * rooms.length * PLAN_WORDS),
      changed: await words("changes", 3),
      verdict,
      notes: await words("words of notes", noted * rooms.length * NOTE_WORDS),
      live: data && numbers && (await words("marks", data.n)),
    };
    const operations: MixedBuffers[] = [];
    for (const room of rooms) operations.push(await mixedBuffers(gpu, Math.max(1, room)));
    return new DeviceRounds(gpu, settings, buffers, operations);
  }

  /** Keys that are never inserted. */
  get absent(): number {
    return this.settings.data?.pool ?? ABSENT;
  }

  /** Keys of the data set, with the oracle `marks`; else 0. */
  get marked(): number {
    return this.settings.numbers ? (this.settings.data?.n ?? 0) : 0;
  }

  /** No key is in the table. */
  async begin(): Promise<void> {
    const { live } = this.buffers;
    if (live) await this.gpu.zero(live);
  }

  /** The round that is picked next is the first of these. @param first its number. @param noted the place of its note. @param salt of the values */
  plan(rounds: readonly PlacedRound[], first: number, { noted = 0, salt }: { noted?: number; salt: number }): void {
    const { rooms } = this.settings;
    const none: Placed = { do: "find", count: 0, parts: [], base: 0, shuffled: false, alive: { from: 0, to: 0 } };
    const words = rounds.flatMap(({ steps }, i) =>
      rooms.flatMap((_, at) => this.planWords(steps[at] ?? none, Math.max(0, first + i), noted + i)),
    );
    this.gpu.flush();
    this.gpu.write(this.buffers.plans, 0, Uint32Array.of(BEFORE_THE_FIRST, salt));
    this.gpu.write(this.buffers.plans, 4 * HEAD_WORDS, Uint32Array.from(words));
  }

  /** Writes the operations of the next round that was planned, and overwrites their answers, with what is submitted next. */
  async pick(): Promise<void> {
    void this.gpu.defer(await this.picking());
  }

  /** Digest of the next round's kinds and keys, 64 bits each, hexadecimal. */
  async digest({ steps }: PlacedRound): Promise<string> {
    await this.pick();
    const digests = this.operations.map(async ({ kinds, keys }, at) => {
      const { count = 0 } = steps[at] ?? {};
      return (await digestOf(this.gpu, kinds, count)) + (await digestOf(this.gpu, keys, count));
    });
    return (await Promise.all(digests)).join("");
  }

  /** Compares the answers of the round at hand, and notes what is seen of it, with what is submitted next. */
  async check(): Promise<void> {
    void this.gpu.defer((await this.checking()).flat());
  }

  /** What the checks of these rounds found, by step. */
  async checked(rounds: readonly PlacedRound[]): Promise<Seen[][]> {
    const { rooms } = this.settings;
    const words = await this.gpu.read(this.buffers.notes, rounds.length * rooms.length * NOTE_WORDS);
    return rounds.map(({ steps }, i) =>
      steps.map(({ count }, at) => {
        const begin = (i * rooms.length + at) * NOTE_WORDS;
        const [came = 0, went = 0, ...said] = words.subarray(begin, begin + NOTE_WORDS);
        return { came, went, wrong: inOneLine(count, said) };
      }),
    );
  }

  /**
   * Asks for what a step of searches asks for, as it is picked and checked here, for the keys among these alone that are alive if
   * `present`. "" if all answers are right, else one line.
   */
  async ask(
    searches: Placed,
    salt: number,
    find: (lookups: Lookups) => Promise<unknown>,
    present = false,
  ): Promise<string> {
    const { gpu, buffers, settings } = this;
    const [own] = this.operations;
    const [picking, [checks = []], gathers] = [await this.picking(), await this.checking(), await this.gatherSteps()];
    if (!own) throw new Error("a scenario without steps");
    const round = { steps: [searches], after: searches.alive };
    this.plan([round], 0, { salt });
    const gathered = present && settings.numbers ? gathers : null;
    let n = searches.count;
    if (gathered) {
      await gpu.submit([
        { buffer: buffers.changed, zero: buffers.changed.size },
        ...picking.slice(0, 1),
        gathered.gather,
      ]);
      n = (await gpu.read(buffers.changed, 1, 2))[0] ?? 0;
      if (n === 0) return "";
    } else await gpu.run(picking);
    await find({ keys: own.keys, results: own.results, n });
    const [, noting] = checks;
    await gpu.run(gathered && noting ? [gathered.check, noting] : checks);
    const [seen] = await this.checked([{ ...round, steps: [{ ...searches, count: n }] }]);
    return seen?.[0]?.wrong ?? "";
  }

  private kernel(entry: string, at: number, bound: Readonly<Record<string, GPUBuffer>>): Promise<Kernel<never>> {
    const { seed, data, numbers, answer, rooms } = this.settings;
    const setting = { constants: keyConstants(seed), seed, steps: rooms.length, step: at, answer: ANSWERS[answer] };
    const keys = data && { stream: data.keys, absent: data.absent };
    const { live, ...buffers } = this.buffers;
    const oracle = numbers && live && { number_of: numbers.numbers, live };
    return this.gpu.kernel({
      file: FILE,
      entry,
      conditions: { STREAM: data !== null, MARKS: numbers !== null },
      bound: { setting, ...buffers, ...keys, ...oracle, ...bound },
      takes: [],
    });
  }

  /** To the next round; then of each of its steps. */
  private async pickSteps(): Promise<Step[]> {
    const { rooms } = this.settings;
    const next = await this.kernel("next", 0, {});
    const picks = await Promise.all(this.operations.map((own, at) => this.kernel("pick", at, { ...own })));
    return [step(next, 1, {}), ...picks.map((pick, at) => step(pick, rooms[at] ?? 0, {}))];
  }

  /** The checks of each step. */
  private checkSteps(): Promise<Step[][]> {
    const { rooms } = this.settings;
    return Promise.all(
      this.operations.map(async ({ keys, results }, at) => {
        const answered = { asked: keys, answers: results };
        const [check, note] = await Promise.all([
          this.kernel("check", at, answered),
          this.kernel("note", at, answered),
        ]);
        return [step(check, rooms[at] ?? 0, {}), step(note, 1, {})];
      }),
    );
  }

  private readonly gatherSteps = lazily(async () => {
    const [own] = this.operations;
    if (!own || !this.settings.numbers) return null;
    const { keys, results } = own;
    const [gather, check] = await Promise.all([
      this.kernel("gather", 0, { keys, results }),
      this.kernel("check_gathered", 0, { asked: keys, answers: results }),
    ]);
    const room = this.settings.rooms[0] ?? 0;
    return { gather: step(gather, room, {}), check: step(check, room, {}) };
  });

  /** `Plan` of rounds.wgsl. */
  private planWords({ do: kind, count, parts, base, shuffled, alive }: Placed, round: number, noted: number): number[] {
    const { seed } = this.settings;
    const four = (word: (part: Part) => number) => Array.from({ length: 4 }, (_, i) => (parts[i] ? word(parts[i]) : 0));
    const ofRound = (seed + Math.imul(round, 0x9e3779b9)) >>> 0;
    let end = 0;
    let begin = base;
    return [
      ...[count, round, shuffled ? 1 : 0, kind === "mixed" ? 1 : 0, alive.from, alive.to, noted, 0],
      ...four((part) => (end += part.count)),
      ...four(kindOf),
      ...four((part) => part.first),
      ...four((part) => part.span),
      ...four((part) => part.seed ?? ofRound),
      ...four((part) => {
        begin += part.count;
        return part.seed === undefined ? begin - part.count : 0;
      }),
    ];
  }
}

/** @param said of a `Note`, what follows `went` */
function inOneLine(answers: number, [wrong = 0, first = 0, key = 0, answer = 0]: readonly number[]): string {
  return wrong > 0
    ? `${wrong} of ${answers} results are wrong, the first is number ${first} (${inWords(key, answer)})`
    : "";
}
