/** The host-side data sets by name, as `--datasets` spells them. */
import { UsageError } from "../kernels/device/errors.js";
import type { KeySource, KeySourceOptions } from "./dataset.js";
import { fileKeys } from "./file.js";
import { parseFileSpec } from "./files/spec.js";
import { openTable } from "./files/table.js";
import { hostileKeys } from "./hostile.js";
import { lineitemKeys } from "./lineitem.js";
import { type DatasetDescription, madeKeys } from "./made.js";
import { didYouMean } from "./nearest.js";
import { normalKeys } from "./normal.js";
import { randomKeys } from "./random.js";
import { redditKeys } from "./reddit.js";
import { describeRepetitions, REPETITIONS, repetitionKeys } from "./repetitions.js";
import { sequentialKeys } from "./sequential.js";
import { taobenchKeys } from "./taobench.js";
import { parseExponent, zipfKeys } from "./zipf.js";

export interface OpenOptions {
  /** Keys wanted; may be left out for files only, where it means all rows. */
  readonly n?: number | undefined;
  /** u32. */
  readonly seed: number;
}

/** One kind of data set. `rest` is what follows the colon of the spelling, undefined where there is none. */
interface Dataset {
  /** The word before the colon. */
  readonly name: string;
  /** How it is spelt: `zipf:<s>`. */
  readonly pattern: string;
  readonly description: string;
  /** The paper, specification or package that defines it. */
  readonly source: string;
  /** The data set that cannot be had, of one that is shown in its place. */
  readonly standsInFor?: string;
  /** The plug-in that it is from, as a thread loads it. */
  readonly plugin?: string;
  /** Checks the spelling, and a file's header, without making or reading keys. */
  validate(rest: string | undefined): Promise<void> | void;
  open(rest: string | undefined, options: OpenOptions): Promise<KeySource> | KeySource;
}

/** A data set that is spelt by its name alone. */
function named(
  name: string,
  make: (options: KeySourceOptions) => KeySource,
  about: Pick<Dataset, "description" | "source" | "standsInFor">,
): Dataset {
  return {
    name,
    pattern: name,
    ...about,
    validate: (rest) => withoutRest(name, rest),
    open: (rest, options) => {
      withoutRest(name, rest);
      return make(sized(name, options));
    },
  };
}

const DATASETS: Dataset[] = [
  named("random", randomKeys, {
    description: "unique keys: a seeded bijection of 0 … n - 1",
    source: "ours",
  }),
  named("lineitem", lineitemKeys, {
    description: "TPC-H line items: (orderkey, partkey, linenumber) hashed to 32 bits, duplicates left out",
    source: "GPH; TPC-H specification 4.2",
  }),
  named("normal", normalKeys, {
    description: "unique keys, normally distributed over the u32 words",
    source: "DyCuckoo (RAND)",
  }),
  named("sequential", sequentialKeys, {
    description: "unique keys: 0 … n - 1, in this order",
    source: "ours",
  }),
  ...REPETITIONS.map((set) =>
    named(set.name, (options) => repetitionKeys(set, options), {
      description: `stand-in: ${describeRepetitions(set)}`,
      source: `DyCuckoo (${set.name.toUpperCase()})`,
      standsInFor: `${set.title} (DyCuckoo's ${set.name.toUpperCase()})`,
    }),
  ),
  named("reddit", redditKeys, {
    description: "stand-in: successive comment ids in base 36, hashed to 32 bits, duplicates left out",
    source: "GPH",
    standsInFor: "the ids of Reddit's comments of May 2015, which have gaps",
  }),
  named("taobench", taobenchKeys, {
    description: "stand-in: random keys; lookups by a power law, 82.14 % of them for a fifth of the keys",
    source: "GPH",
    standsInFor: "TaoBenchmark's keys and its lookups by assoc_get",
  }),
  {
    name: "zipf",
    pattern: "zipf:<s>",
    description: "n draws with replacement from n keys, frequency of rank k in proportion to k^-s (s >= 0)",
    source: "Hörmann and Derflinger 1996 (sampling)",
    validate: (rest) => {
      parseExponent(rest ?? "");
    },
    open: (rest, options) => zipfKeys(parseExponent(rest ?? ""), sized("zipf", options)),
  },
  {
    name: "hostile",
    pattern: "hostile:<kind>",
    description:
      "unique keys that begin at one place of a table (bucketed, quotient, crystal, double-hashing), or of few bits (multiples, bits)",
    source: "ours",
    // No key is made before it is asked for.
    validate: (rest) => void hostileKeys(rest ?? "", { n: 1, seed: 0 }),
    open: (rest, options) => hostileKeys(rest ?? "", sized("hostile", options)),
  },
  {
    name: "file",
    pattern: "file:<path>?columns=a,b[&as=u32][&delimiter=;][&encoding=latin1][&header=no]",
    description:
      "a CSV (read by delimiter=, encoding=, header=) or Parquet file: columns hashed to 32 bits, or one integer column as it is",
    source: "yours",
    validate: async (rest) => {
      await openTable(parseFileSpec(rest ?? ""));
    },
    open: (rest, options) => fileKeys(rest ?? "", options),
  },
];

/** Adds a data set at run time. @param plugin the path of the module that it is from, where there are paths */
export function registerDataset(made: DatasetDescription, plugin?: string): void {
  const { name, description, source = "yours" } = made;
  const set = named(name, (options) => madeKeys(made, options), { description, source });
  DATASETS.push({ ...set, ...(plugin !== undefined && { plugin }) });
}

/** The plug-in that the data set is from; undefined for one of the package. */
export function pluginOf(spec: string): string | undefined {
  return DATASETS.find(({ name }) => name === nameOf(spec))?.plugin;
}

/** For `hashbench list datasets`. */
export const datasetList: readonly Pick<Dataset, "name" | "pattern" | "description" | "source" | "standsInFor">[] =
  DATASETS;

/**
 * Opens the data set spelt `spec`, such as `zipf:1.1`. Throws a UsageError for an unknown or misspelt name, options out of
 * range, or a file that cannot serve (see `fileKeys`).
 */
export async function openDataset(spec: string, options: OpenOptions): Promise<KeySource> {
  checkU32("seed", options.seed, 0);
  if (options.n !== undefined) checkU32("n", options.n, 1);
  const { dataset, rest } = find(spec);
  return dataset.open(rest, options);
}

/** Whether a spelling begins with the name of a data set, whatever is wrong behind it. */
export function isDataset(spec: string): boolean {
  return DATASETS.some(({ name }) => name === nameOf(spec));
}

/** Throws the UsageError that `openDataset` would, as far as that can be told from the spelling and a file's header. */
export async function validateDataset(spec: string): Promise<void> {
  const { dataset, rest } = find(spec);
  await dataset.validate(rest);
}

/** What is before the colon. */
function nameOf(spec: string): string {
  return spec.split(":", 1)[0] ?? "";
}

function find(spec: string): { dataset: Dataset; rest: string | undefined } {
  const name = nameOf(spec);
  const dataset = DATASETS.find((each) => each.name === name);
  if (!dataset) {
    const names = DATASETS.map((each) => each.name);
    const patterns = DATASETS.map((each) => each.pattern).join(", ");
    throw new UsageError(`unknown data set "${name}"${didYouMean(name, names) || "."} There are: ${patterns}`);
  }
  return { dataset, rest: name === spec ? undefined : spec.slice(name.length + 1) };
}

function withoutRest(name: string, rest: string | undefined): void {
  if (rest !== undefined) throw new UsageError(`${name} takes nothing after a colon, here "${rest}"`);
}

function sized(name: string, { n, seed }: OpenOptions): { n: number; seed: number } {
  if (n === undefined) throw new UsageError(`${name} needs the number of keys, n`);
  return { n, seed };
}

function checkU32(name: string, value: number, least: number): void {
  if (!Number.isInteger(value) || value < least || value > 0xffffffff) {
    throw new UsageError(`${name} = ${value} is not an integer from ${least} to ${0xffffffff}`);
  }
}
