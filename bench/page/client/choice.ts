/** What is to be measured, as the form and the page's address have it. */
import type { Experiment } from "../../base/experiment.js";

export interface Choice {
  /** Ids. */
  readonly experiments: readonly string[];
  /** Ids; none: all. */
  readonly tables: readonly string[];
  /** Pairs of the largest cell of each experiment; null: as --quick chooses. */
  readonly n: number | null;
  /** The experiments' shorter axes. */
  readonly quick: boolean;
  readonly seed: number;
  /** A cell that shows no progress for so many seconds is given up. */
  readonly timeout: number;
}

/** Sizes that the form offers, in powers of two. */
export const POWERS = [12, 14, 16, 18, 20, 21, 22, 23, 24, 25, 26];

/**
 * Three tables, and the access patterns that are their limits, show much in half a minute on a laptop. On a GPU 2^22 pairs: an
 * insertion of them takes more than the ticks of a rounded clock; on a software adapter what --quick chooses.
 */
export function firstChoice(software: boolean): Choice {
  return {
    experiments: ["device/limits", "tables/load-factor"],
    tables: ["lookup8", "lookup32", "cas", "exchange", "bucketed", "cuckoo", "quotient"],
    n: software ? null : 2 ** 22,
    quick: true,
    seed: 1,
    timeout: 60,
  };
}

/** The choice in an address, without its `#`. */
export function toHash(choice: Choice): string {
  const { experiments, tables, n, quick, seed, timeout } = choice;
  const words = new URLSearchParams({ experiments: experiments.join(",") });
  if (tables.length > 0) words.set("tables", tables.join(","));
  if (n !== null) words.set("n", String(n));
  if (quick) words.set("quick", "");
  words.set("seed", String(seed));
  words.set("timeout", String(timeout));
  return words.toString().replaceAll("%2C", ",").replaceAll("%2F", "/").replace("quick=", "quick");
}

interface Read {
  readonly choice: Choice;
  /** What of the address is not understood, a line each. */
  readonly problems: readonly string[];
}

/** The choice that an address holds, as far as it is one; null where it holds none. */
export function fromHash(hash: string, known: readonly Experiment[]): Read | null {
  const words = new URLSearchParams(hash.replace(/^#/, ""));
  if (!words.has("experiments")) return null;
  const problems: string[] = [];
  const list = (name: string, all: ReadonlySet<string>): string[] => {
    const asked = (words.get(name) ?? "").split(",").filter(Boolean);
    for (const one of asked)
      if (!all.has(one)) problems.push(`the address asks for ${name} "${one}", which there is not`);
    return asked.filter((one) => all.has(one));
  };
  const number = (name: string, usual: number, least: number, most: number): number => {
    const text = words.get(name);
    const value = Number(text ?? usual);
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    problems.push(`the address says ${name}=${text}, which is no whole number from ${least} to ${most}`);
    return usual;
  };
  const experiments = list("experiments", new Set(known.map(({ id }) => id)));
  const tables = list("tables", new Set(known.flatMap(({ series }) => series.map(({ table }) => table))));
  return {
    choice: {
      experiments,
      tables,
      n: words.has("n") ? number("n", 2 ** 20, 1, 2 ** 32) : null,
      quick: words.has("quick"),
      seed: number("seed", 1, 0, 2 ** 32 - 1),
      timeout: number("timeout", 60, 1, 3600),
    },
    problems,
  };
}
