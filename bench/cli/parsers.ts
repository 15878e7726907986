/** Option parsers: each takes the text and throws a UsageError of one line that says what would be right. */
import { resolve } from "node:path";
import { isDataset } from "../../datasets/index.js";
import { didYouMean } from "../../datasets/nearest.js";
import { UsageError } from "../../kernels/device/errors.js";
import { TOGGLES_OF, toggleNames } from "../device/adapter/dawn-toggles.js";
import { isLine } from "../results/line.js";

/** A number in a range, such as `number("--scale", 0, 1)`. The lower end is exclusive if `open`. */
export function number(flag: string, low: number, high: number, open = false): (text: string) => number {
  return (text) => {
    const value = Number(text);
    const inRange = open ? value > low && value <= high : value >= low && value <= high;
    if (text.trim() === "" || !Number.isFinite(value) || !inRange) {
      const from = open ? `above ${low}` : `from ${low}`;
      throw new UsageError(`${flag} ${text}: a number ${from} to ${high} is wanted`);
    }
    return value;
  };
}

/** Part of a whole, such as a threshold: above 0 and below 1. */
export function share(flag: string): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== "" && value > 0 && value < 1) return value;
    const percent = value >= 1 && value < 100 ? `; ${value} % are ${value / 100}` : ", such as 0.05 for 5 %";
    throw new UsageError(`${flag} ${text}: a share above 0 and below 1 is wanted${percent}`);
  };
}

const SUFFIXES: Readonly<Record<string, number>> = {
  k: 1e3,
  K: 1e3,
  M: 1e6,
  G: 1e9,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
};

/** A whole number in a range; `2^20`, `1e6`, `64k`, `1.5M` and `4Mi` are understood too. */
export function integer(flag: string, low: number, high: number): (text: string) => number {
  return (text) => {
    const power = /^2\^(\d+)$/.exec(text);
    const [, digits = text, suffix = ""] = /^([\d.]+)([kKMG]|[KMG]i)$/.exec(text) ?? [];
    const value = power ? 2 ** Number(power[1]) : Math.round(1e6 * Number(digits) * (SUFFIXES[suffix] ?? 1)) / 1e6;
    if (text.trim() === "" || !Number.isInteger(value) || value < low || value > high) {
      const such = high >= 1e6 ? ", such as 64k, 1M or 2^20," : "";
      throw new UsageError(`${flag} ${text}: a whole number from ${low} to ${high}${such} is wanted`);
    }
    return value;
  };
}

export function path(flag: string): (text: string) => string {
  return (text) => {
    if (text.trim() === "") throw new UsageError(`${flag} "${text}": the name of a file or folder is wanted`);
    return text;
  };
}

/** A text that goes into rows. */
export function text(flag: string): (given: string) => string {
  return (given) => {
    if (!isLine(given)) throw new UsageError(`${flag} ${given}: it has a control character`);
    return given;
  };
}

/** `a,b,c`, without empty items. */
export function list(flag: string): (text: string) => string[] {
  return (text) => {
    const items = text.split(",").map((item) => item.trim());
    if (items.includes("")) throw new UsageError(`${flag} ${text}: an item of the list is empty`);
    return items;
  };
}

/** Data sets. The commas of a file are its own, up to the next data set: `file:x.csv?columns=a,b,random` are two. */
export function datasetNames(given: string): string[] {
  const names: string[] = [];
  for (const item of list("--datasets")(text("--datasets")(given))) {
    const last = names.at(-1);
    if (last?.startsWith("file:") && !isDataset(item)) names[names.length - 1] = `${last},${item}`;
    else names.push(item);
  }
  return names;
}

export function oneOf<Name extends string>(flag: string, names: readonly Name[]): (text: string) => Name {
  return (text) => {
    const known = names.find((name) => name === text);
    if (!known) throw new UsageError(`${flag} ${text}: one of ${names.join(", ")} is wanted`);
    return known;
  };
}

/** Some of the names: `a,b`. */
export function someOf<Name extends string>(flag: string, names: readonly Name[]): (text: string) => Name[] {
  return (text) => list(flag)(text).map(oneOf(flag, names));
}

/** Load factors, `0.5,0.8`. */
export function loadFactors(text: string): number[] {
  return list("--load-factor")(text).map(number("--load-factor", 0, 1, true));
}

/** Dawn toggles by their names, `-name` to switch one off. */
export function toggles(text: string): string[] {
  const names = list("--toggles")(text);
  const odd = names.find((name) => !/^[+-]?[a-z][a-z0-9_]*$/.test(name));
  if (odd) {
    throw new UsageError(
      `--toggles ${odd}: a toggle's name is wanted, such as disable_workgroup_init, or -disable_workgroup_init to switch it off`,
    );
  }
  for (const name of names.map((one) => one.replace(/^[+-]/, ""))) {
    if (toggleNames().includes(name)) continue;
    const near = didYouMean(name, toggleNames(), "; ");
    throw new UsageError(`--toggles ${name}: Dawn has no such toggle (that of webgpu ${TOGGLES_OF})${near}`);
  }
  return names;
}

/** A duration such as `15m`, `90s`, `1.5h`, in ms. */
export function duration(flag: string): (text: string) => number {
  return (text) => {
    const [, value = "", unit = ""] = /^(\d+(?:\.\d+)?)(s|m|h)$/.exec(text.trim()) ?? [];
    const ms = Number(value) * { s: 1e3, m: 6e4, h: 3.6e6 }[unit as "s" | "m" | "h"];
    if (value === "" || !(ms > 0)) throw new UsageError(`${flag} ${text}: a time such as 90s, 15m or 2h is wanted`);
    return ms;
  };
}

/** A folder that is named twice would have its rows counted twice. */
export function distinct(paths: readonly string[]): readonly string[] {
  const twice = paths.find((path, i) => paths.findIndex((other) => resolve(other) === resolve(path)) < i);
  if (twice !== undefined) throw new UsageError(`${twice} is named twice`);
  return paths;
}
