/**
 * How long cells will take, before they are measured: what an earlier run of the same experiment took, where there is one, and
 * else constants by kind of cell and of adapter.
 */

import type { CellSpec, Experiment } from "../base/experiment.js";
import { startOf } from "../scenarios/dynamic.js";
import { apiOf, benchmarks } from "../scenarios/index.js";
import { runsFor } from "./bundles.js";
import type { SpentBy } from "./stopwatch.js";

/** Wall time in seconds of the workers that have a GPU, and of the one beside them. */
export interface WorkSeconds {
  readonly own: number;
  readonly beside: number;
}

/** By experiment. */
export type SecondsBy = ReadonlyMap<string, WorkSeconds>;

export interface Part {
  readonly experiment: Experiment;
  readonly cells: readonly CellSpec[];
}

/** What an earlier run tells of an experiment. */
export interface Earlier {
  /** The name of its device. */
  readonly device: string;
  readonly experiment: string;
  readonly took: WorkSeconds;
  /** What {@link byConstants} says of the cells that it measured. */
  readonly expected: WorkSeconds;
  /** Whether native tables on a GPU were among them. Default: no. */
  readonly native?: boolean;
}

/**
 * A cell costs so many seconds, and so many more for each 10^9 pairs and lookups, times its experiment's `cost`. Of `lists` it is not this cost
 * that counts, but how long the lists become, in multiples of what they are for at first.
 */
interface Rate {
  readonly cell: number;
  readonly giga: number;
}

type Kind =
  | "access"
  | "host"
  | "lookup"
  | "build"
  | "perfect"
  | "resize"
  | "dynamic"
  | "lists"
  | "aging"
  | "native"
  | "beside";
type Rates = Readonly<Record<Kind, Rate>>;

/**
 * Fitted (least squares, weights 1 / seconds, none negative) to the experiments of ten runs of earlier versions:
 * on an H100 and an H200, 9 to 936 s a run. Left out are those of the H100's first run whose CPU tables were not timed apart.
 * What the runs cannot tell apart has no constant of its own: the sizes of tables in host memory, of perfect hash tables and of
 * CPU tables, and what a history costs whatever its size. All phases are in them, from data to counting. `dynamic` and `lists` are fitted to
 * dycuckoo/fig11 and fig13 to fig15 of one run.
 */
export const KEPT_RUNS: Rates = {
  access: { cell: 0.016, giga: 0.64 },
  host: { cell: 0.36, giga: 0 },
  lookup: { cell: 0.056, giga: 0.36 },
  build: { cell: 0.11, giga: 0.05 },
  perfect: { cell: 1.3, giga: 0 },
  resize: { cell: 0, giga: 7.4 },
  dynamic: { cell: 0, giga: 7.7 },
  lists: { cell: 0, giga: 2.5 },
  aging: { cell: 0, giga: 7.4 },
  // Of programs on a GPU, by hand, of 20261125T224421Z: a cell of 10^8 pairs and twice as many lookups takes three seconds, most of it to
  // bring queries and answers from process to process; one of few pairs a quarter of one.
  native: { cell: 0.25, giga: 8 },
  beside: { cell: 1.3, giga: 0 },
};
/**
 * Since those runs histories wait for the device twice a batch and not eight times, and write the next batch meanwhile; they run once to three
 * times and not four to six times, by the rules of measure/stopping.ts on the samples of those rows. Slab-hash with 10^8 pairs runs once, now with
 * the paper's 32 lanes: 1.7 times as long as the 4.4 s of those rows, as 0.6 of their rates in one run on an H200 that did not end; the others
 * 2.2 times, a batch 2.4 ms: 1.1 of kernels, which is that of those rows and half as much again for 32 lanes, 0.3 of the heater, 1 of the host,
 * which is an assumption. On an H100 fig11 took 152 s and its data sets 29, where these say 134; three quarters of fig13's cells 76 of 132; aging 29, as
 * these say.
 */
const GPU: Rates = {
  ...KEPT_RUNS,
  dynamic: { cell: 0, giga: 3 },
  lists: { cell: 0, giga: 1 },
  aging: { cell: 0, giga: 1 },
  // 168 searches of 2·10^8 by originals took 126 s on an H200, 56 insertions of 10^8 34 s.
  native: { cell: 0.25, giga: 1.7 },
};
/**
 * No environment.json of a software adapter is kept. These give the tour the minute that it takes on 2 cores (README.md): half a
 * second a cell, which is compilation mostly, and 22 runs of it at a rate of random operations.
 */
const LAVAPIPE: Rate = { cell: 0.5, giga: 22 / 0.015 };
const SWIFTSHADER: Rate = { cell: 0.5, giga: 22 / 0.004 };

/** Opening the device, and the end. */
const START_SECONDS = 2;

/** Benchmarks by what their cells spend their time with; all others build a table or ask one. */
const KINDS: Readonly<Record<string, Kind>> = {
  limit: "access",
  strided: "access",
  conflicts: "access",
  dynamic: "dynamic",
  aging: "aging",
  resize: "resize",
  incremental: "resize",
  host: "host",
  "host-mixed": "host",
};

/** Whether it is of a program on a GPU. */
const isNative = ({ bench, table }: Pick<CellSpec, "bench" | "table">) =>
  ["cuda", "hip"].includes(apiOf({ bench, table }));

function kindOf({ bench, table, op }: CellSpec): Kind {
  if (benchmarks[bench]?.runs?.besideGpu) return "beside";
  if (isNative({ bench, table })) return "native";
  if (bench === "dynamic" && table === "slab-hash") return "lists";
  const own = KINDS[bench];
  if (own) return own;
  if (op === "find") return "lookup";
  return table.startsWith("gph") ? "perfect" : "build";
}

export type AdapterKind = "gpu" | "lavapipe" | "swiftshader";

export function adapterKind({ software, name }: { readonly software: boolean; readonly name: string }): AdapterKind {
  if (!software) return "gpu";
  return /swiftshader/i.test(name) ? "swiftshader" : "lavapipe";
}

function rateOf(kind: Kind, adapter: AdapterKind, rates: Rates): Rate {
  if (adapter === "gpu" || kind === "beside") return rates[kind];
  return adapter === "swiftshader" ? SWIFTSHADER : LAVAPIPE;
}

/** Seconds of the run of one cell by the constants alone. @param cost of its experiment */
export function cellSeconds(cell: CellSpec, cost: number, adapter: AdapterKind, rates = GPU): number {
  const kind = kindOf(cell);
  const rate = rateOf(kind, adapter, rates);
  const times = kind === "lists" && adapter === "gpu" ? cell.n / startOf(cell) : cost;
  return rate.cell + (rate.giga * times * (cell.n + Number(cell.params.lookups ?? 0))) / 1e9;
}

/**
 * Seconds by the constants alone, the same on every machine. Cells that the run of another one measures cost nothing, and that
 * run belongs to the experiment whose cell is the longest of its history.
 */
export function byConstants(parts: readonly Part[], adapter: AdapterKind, rates = GPU): SecondsBy {
  const costs = new Map(parts.map(({ experiment: { id, cost = 1 } }) => [id, cost]));
  const sums = new Map(parts.map(({ experiment }) => [experiment.id, { own: 0, beside: 0 }]));
  for (const cell of runsFor(parts.flatMap(({ cells }) => cells))) {
    const sum = sums.get(cell.experiment);
    if (!sum) continue;
    const seconds = cellSeconds(cell, costs.get(cell.experiment) ?? 1, adapter, rates);
    if (kindOf(cell) === "beside") sum.beside += seconds;
    else sum.own += seconds;
  }
  return sums;
}

export interface Estimate {
  readonly seconds: number;
  readonly experiments: readonly {
    readonly id: string;
    readonly cells: number;
    readonly seconds: number;
    /** What the seconds are from. */
    readonly from: Source;
  }[];
}

/** What a run of these cells that spent so long on each experiment tells of them, where one worker did all. */
export function toldBy(spent: SpentBy, parts: readonly Part[], device: Setting["device"]): Earlier[] {
  return [...byConstants(parts, adapterKind(device))].flatMap(([experiment, expected]) => {
    const ms = Object.values(spent[experiment] ?? {}).reduce((sum, one) => sum + one, 0);
    return ms > 0 ? [{ device: device.name, experiment, took: { own: ms / 1000, beside: 0 }, expected }] : [];
  });
}

/** An earlier run on this device model, one on another one, or the constants. */
type Source = "earlier run" | "other device" | "constants";

interface Setting {
  readonly device: { readonly name: string; readonly software: boolean };
  /** Oldest first. */
  readonly earlier: readonly Earlier[];
  /** Whether one more worker measures CPU tables beside the GPU's cells. */
  readonly beside: boolean;
  /** GPUs that measure at a time; each has figures of its own. */
  readonly gpus?: number;
  /** Of GPUs. Default: of this code. */
  readonly rates?: Rates;
}

/** Seconds that a run of these cells will take, by experiment and in all. */
export function estimate(parts: readonly Part[], { device, earlier, beside, gpus = 1, rates }: Setting): Estimate {
  const constants = byConstants(parts, adapterKind(device), rates);
  const programs = new Set(parts.filter(({ cells }) => cells.some(isNative)).map(({ experiment }) => experiment.id));
  // Of about as much work: with native tables, or of a few sizes alone, an experiment is another one.
  const alike = ({ experiment, expected, native = false }: Earlier): boolean => {
    const { own } = constants.get(experiment) ?? expected;
    if (native !== programs.has(experiment)) return false;
    return own <= 2 * expected.own && expected.own <= 2 * own;
  };
  const same = latest(
    earlier.filter((one) => one.device === device.name),
    alike,
  );
  // Numbers of a GPU say nothing of a software adapter.
  const others = device.software
    ? new Map()
    : latest(
        earlier.filter((one) => one.device !== device.name),
        alike,
      );
  // How fast the device is, other work does not tell.
  const known = [...same.values()].filter(alike);
  const pace = {
    other: ratio(known, ({ experiment, expected }) => {
      const other = others.get(experiment);
      return other && alike(other) ? perExpected(other, expected) : undefined;
    }),
    constants: ratio(known, ({ expected }) => expected.own),
  };
  const experiments = parts.map(({ experiment: { id }, cells }) => {
    const expected = constants.get(id) ?? { own: 0, beside: 0 };
    const [here, there] = [same.get(id), others.get(id)];
    const known = [here, there].find((one) => one && alike(one)) ?? here ?? there;
    const from: Source = !known ? "constants" : known === here ? "earlier run" : "other device";
    const factor = { "earlier run": 1, "other device": pace.other, constants: pace.constants }[from];
    const work = {
      own: factor * (known ? perExpected(known, expected) : expected.own),
      beside: known ? scaled(known.took.beside, known.expected.beside, expected.beside) : expected.beside,
    };
    return { id, cells: cells.length, work, from };
  });
  const total = (own: (work: WorkSeconds) => number) => experiments.reduce((sum, { work }) => sum + own(work), 0);
  const all = beside
    ? Math.max(
        total(({ own }) => own) / gpus,
        total((work) => work.beside),
      )
    : total(({ own, beside }) => own + beside) / gpus;
  return {
    seconds: parts.some(({ cells }) => cells.length > 0) ? START_SECONDS + all : START_SECONDS,
    experiments: experiments.map(({ id, cells, work, from }) => {
      return { id, cells, seconds: beside ? Math.max(work.own, work.beside) : work.own + work.beside, from };
    }),
  };
}

/** Of each experiment the last that was about as much work; the last of all, if none was. */
function latest(earlier: readonly Earlier[], alike: (one: Earlier) => boolean): Map<string, Earlier> {
  return new Map([...earlier, ...earlier.filter(alike)].map((one) => [one.experiment, one]));
}

function perExpected({ took, expected }: Earlier, now: WorkSeconds | undefined): number {
  return scaled(took.own, expected.own, now?.own ?? 0);
}

/** What took so long, for work that is expected to take `now` in place of `expected`. */
function scaled(took: number, expected: number, now: number): number {
  return expected > 0 ? (took * now) / expected : now;
}

/** How much longer experiments took than `reference` says, of those of which it says something; 1 if of none. */
function ratio(known: readonly Earlier[], reference: (one: Earlier) => number | undefined): number {
  let took = 0;
  let said = 0;
  for (const one of known) {
    const seconds = reference(one);
    if (!seconds) continue;
    took += one.took.own;
    said += seconds;
  }
  return said > 0 ? took / said : 1;
}
