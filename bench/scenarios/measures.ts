/** What is counted or derived of a scenario's cells, beside their times. */
import type { Owner } from "../../kernels/device/owned.js";
import type { Filling, Resizing } from "../../kernels/table.js";
import { exact, type Metric } from "../results/metrics.js";
import type { Done, Watch } from "./course.js";
import type { Life, Seen } from "./life.js";
import type { PreparedTable } from "./prepared-table.js";
import { operationsOf } from "./scenario.js";
import { deletedWords } from "./workload/deleted.js";

export type Measure =
  /** Bytes of the table, and the share of its slots that are marked as erased. */
  | "held"
  /** How full the table is before the rounds, or after them. */
  | "occupancy before"
  | "occupancy after"
  /** Counters of another run of the rounds, with counting kernels. */
  | "counters"
  /** Builds that were begun again, in all runs. */
  | "restarts"
  /** How full the table was after each round of the run that was compared, and how it was resized in the last run. */
  | "filling"
  | "resizes"
  /** Slots that are taken when half of the last round has been inserted. */
  | "chunk occupancy";

/** The state of a table after a round. */
interface Room {
  readonly slots: number;
  readonly bytes: number;
  /** Slots of the largest sub-table over those of the smallest; null where there are none. */
  readonly apart: number | null;
  /** Filled factor of the largest sub-tables over that of the smallest; null where all have one size, or these are empty. */
  readonly fuller: number | null;
  /** Pairs counted on the device; left out for tables that do not count. */
  readonly pairs?: number;
}

export class Measures {
  /** Rooms after each round of the run that was compared, and the pairs that the table then has to have. */
  private rooms: Room[] = [];
  private pairs: readonly number[] = [];
  /** Resizes by round of the last run, and restarts by round of all runs. */
  private resizes: readonly (readonly Resizing[])[] = [];
  private readonly restarts: number[] = [];

  constructor(
    private readonly gpu: Owner,
    private readonly life: Life,
  ) {}

  /** Watches the run that is compared. @param looked whether the table is looked at after each round */
  watch(looked: boolean): Watch {
    const { rounds, table: prepared } = this.life.course;
    const { table } = prepared;
    this.rooms = [];
    let counting: Promise<Room> | null = null;
    return {
      submitted: async () => {
        await rounds.check();
        // Counts on the device are submitted behind the round; the host knows its own once the round has ended.
        counting = looked && table.nodes ? roomOf(table) : null;
        counting?.catch(() => undefined);
      },
      ended: async () => {
        if (looked) this.rooms.push(await (counting ?? roomOf(table)));
      },
    };
  }

  /** The first error in the run that was compared; "" if there is none. */
  note({ wrong, pairs }: Seen): string {
    this.pairs = pairs;
    if (wrong) return wrong;
    const miscounted = this.rooms.findIndex((room, i) => room.pairs !== undefined && room.pairs !== pairs[i]);
    if (miscounted < 0) return "";
    return `round ${miscounted}: the table has ${this.rooms[miscounted]?.pairs} pairs, not ${pairs[miscounted]}`;
  }

  ran(done: readonly Done[]): void {
    const all = done.map(({ results }) => results.flatMap((result) => result ?? []));
    this.resizes = all.map((results) => results.flatMap(({ resizing }) => resizing ?? []));
    for (const [i, results] of all.entries())
      this.restarts[i] = (this.restarts[i] ?? 0) + sum(results.map(({ restarts }) => restarts));
  }

  /** After the first rounds of the sample. */
  async of(measures: readonly Measure[], rounds: number): Promise<Metric[]> {
    const table = this.life.course.tableAt(rounds - 1);
    const occupied = () => table.occupancy(this.life.pairs);
    /** In this order: counters go on from where the samples begin. */
    const made: Readonly<Record<Measure, () => Metric[] | Promise<Metric[]>>> = {
      "occupancy before": occupied,
      counters: () => this.counted(table, rounds),
      held: () => this.held(table),
      "occupancy after": occupied,
      restarts: () => [exact("restarts", sum(this.restarts.slice(0, rounds)))],
      filling: () => this.filling(rounds),
      resizes: () => resizeMetrics(this.resizes.slice(0, rounds).flat()),
      "chunk occupancy": () => [exact("chunk_occupancy", this.half(rounds) / table.table.slots)],
    };
    if (measures.includes("counters")) await this.life.grow();
    const all: Metric[] = [];
    for (const [measure, metrics] of Object.entries(made))
      if (measures.some((one) => one === measure)) all.push(...(await metrics()));
    return all;
  }

  private counted(table: PreparedTable, rounds: number): Promise<Metric[]> {
    const { course } = this.life;
    return table.count(operationsOf(course.scenario.sample.slice(0, rounds)), async (run) => {
      for (let round = 0; round < rounds; round++) await course.goAlone(run);
    });
  }

  private async held({ table }: PreparedTable): Promise<Metric[]> {
    const { bytes, storage: { marked } = {}, slots } = table;
    const deleted = marked ? [exact("deleted_share", (await deletedWords(this.gpu, marked)) / slots)] : [];
    return [exact("table_bytes", bytes), ...deleted];
  }

  private filling(rounds: number): Metric[] {
    const rooms = this.rooms.slice(0, rounds);
    const last = rooms.at(-1);
    if (!last) throw new Error("there is no round");
    const filled = rooms.map(({ slots }, i) => (this.pairs[i] ?? 0) / slots);
    const steps = filled.map((now, i) => Math.abs(now - (filled[i - 1] ?? now)));
    const peaks = this.resizes
      .slice(0, rounds)
      .flat()
      .map(({ peakBytes }) => peakBytes);
    const apart = rooms.flatMap((room) => room.apart ?? []);
    return [
      exact("filled_factor", filled.at(-1) ?? 0),
      exact("filled_factor_step", Math.max(...steps)),
      exact("table_bytes", last.bytes),
      exact("most_table_bytes", Math.max(...rooms.map(({ bytes }) => bytes), ...peaks)),
      ...(apart.length > 0 ? [exact("sub_table_ratio", Math.max(...apart))] : []),
      ...(last.fuller === null ? [] : [exact("sub_table_fill", last.fuller)]),
    ];
  }

  /** Operations of all rounds before the last one, and half of those of that. */
  private half(rounds: number): number {
    const { sample } = this.life.course.scenario;
    return (operationsOf(sample.slice(0, rounds - 1)) + operationsOf(sample.slice(0, rounds))) / 2;
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

/** For tables of linked nodes, the room of the nodes in use. */
async function roomOf(table: PreparedTable["table"]): Promise<Room> {
  const occupancy = await table.nodes?.occupancy();
  if (!occupancy) return { slots: table.slots, bytes: table.bytes, ...comparing(table.resizable?.filling()) };
  const { nodes, perNode, bytes, pairs } = occupancy;
  return { slots: nodes * perNode, bytes, apart: null, fuller: null, pairs };
}

/** The largest sub-tables beside the smallest. */
function comparing(filling: Filling | undefined): Pick<Room, "apart" | "fuller"> {
  if (!filling) return { apart: null, fuller: null };
  const sizes = filling.subTables.map(({ slots }) => slots);
  const [most, least] = [Math.max(...sizes), Math.min(...sizes)];
  /** Pairs of a sub-table of that size, on average. */
  const pairsOf = (size: number) => {
    const some = filling.subTables.filter(({ slots }) => slots === size);
    return sum(some.map(({ pairs }) => pairs)) / some.length;
  };
  const few = pairsOf(least);
  return { apart: most / least, fuller: most === least || few === 0 ? null : pairsOf(most) / most / (few / least) };
}

function resizeMetrics(resizes: readonly Resizing[]): Metric[] {
  if (resizes.length === 0) return [];
  const total = (of: "ns" | "upsizes" | "downsizes" | "failed") => sum(resizes.map((one) => one[of]));
  const most = (of: "upsizedShare" | "downsizedShare") => Math.max(...resizes.map((one) => one[of]));
  return [
    exact("resize_time", total("ns")),
    exact("upsizes", total("upsizes")),
    exact("downsizes", total("downsizes")),
    exact("failed_resizes", total("failed")),
    exact("upsized_share", most("upsizedShare")),
    exact("downsized_share", most("downsizedShare")),
  ];
}
