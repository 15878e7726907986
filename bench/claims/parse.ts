/** Reads files of claims. README.md of this folder has the format. */

import { UsageError } from "../../kernels/device/errors.js";
import type { Scalar } from "../../kernels/table.js";
import { rounded } from "../base/format.js";
import {
  type Check,
  type Claim,
  type CourseCheck,
  type Expectation,
  MEANS,
  type Mean,
  type NumberCheck,
  type Numbers,
  type Place,
  type Range,
  type Select,
  type Target,
} from "./claim.js";
import { inShort } from "./expectation.js";
import type { Conclusion, Headlines } from "./headlines.js";
import { isPaperDevice, type PaperDevice, type Resource } from "./papers.js";

const fail = (why: string): never => {
  throw new Error(why);
};

function scalar(text: string): Scalar {
  if (/^2\^\d+$/.test(text)) return 2 ** Number(text.slice(2));
  if (/^-?[\d.]+(e-?\d+)?$/.test(text)) return Number(text);
  return text === "true" || text === "false" ? text === "true" : text;
}

function numeral(text: string): number {
  const value = scalar(text);
  return typeof value === "number" && Number.isFinite(value) ? value : fail(`${text} is not a number`);
}

/** `19`, or `0.19..0.6`. */
function target(text: string): Target {
  const [from = "", to = from] = text.split("..");
  return { from: numeral(from), to: numeral(to) };
}

/** `8`, `2^20`, `first`, `a|b`, `0.45..0.65`. */
function place(sign: string, text: string): Place {
  if (sign === "<=") return { to: numeral(text) };
  if (sign === ">=") return { from: numeral(text) };
  if (text.includes("..")) return target(text);
  return text.includes("|") ? text.split("|").map(scalar) : scalar(text);
}

/** `n>=2^20, op=find`. */
function conditions(text: string): Record<string, Place> {
  const all = text.split(/,\s*/).filter(Boolean);
  return Object.fromEntries(
    all.map((one) => {
      const [, column = "", sign = "", value = ""] = /^(\w+)(<=|>=|=)(.*)$/.exec(one) ?? fail(`no condition: ${one}`);
      return [column, place(sign, value)];
    }),
  );
}

const SET = /^([\w-]+(?:\|[\w-]+)*|\*)(?:'([^']*)')?(?:\.(\w+))?(?:@([\w./|-]+))?(?:\[(.*)\])?$/;
const oneOrMore = (text: string) => (text.includes("|") ? text.split("|") : text);

/** `1.33x`, `65 %`, `0.19..0.6`: a number or range of the paper's and its unit; a share is kept as one. */
const STATED = /^(~|>=|<=) (\S+?)(x| %| G op\/s| M op\/s| s| ms| ns)?(?: waiting for (.*))?$/;
const FACTORS: Readonly<Record<string, number>> = { "G op/s": 1e3, s: 1e9, ms: 1e6 };
const RESOURCES: readonly string[] = ["copy bandwidth", "random updates", "random reads"] satisfies Resource[];

function expectation(sign: string, text: string, scale: (value: number) => number): Range {
  const ends = target(text);
  const [from, to] = [scale(ends.from), scale(ends.to)];
  if (sign === "~") return { from, to };
  if (text.includes("..")) return fail(`${sign} asks for one number, not for ${text}`);
  return sign === ">=" ? { from } : { to };
}

function above(mean: Mean, of: Select, over: Select): NumberCheck {
  return { kind: "number", of, over, mean, expect: { above: 1 }, unit: "×" };
}

/** One check, with the names that its file gives to sets of cells. */
class CheckLine {
  constructor(
    private readonly names: ReadonlyMap<string, Select>,
    private readonly common: Readonly<Record<string, Place>> = {},
  ) {}

  /** `slab-hash'32 lanes'.time@slab/fig5a[n=last]`; the first word may be a name of the file's. */
  select(text: string): Select {
    const [, name = "", variant, metric, experiment, own = ""] =
      SET.exec(text.trim()) ?? fail(`no set of cells: ${text}`);
    const { where: named, ...base } = this.names.get(name) ?? (name === "*" ? {} : { table: oneOrMore(name) });
    const where = { ...this.common, ...named, ...conditions(own) };
    return {
      ...base,
      ...(variant !== undefined && { variant: oneOrMore(variant) }),
      ...(metric !== undefined && { metric }),
      ...(experiment !== undefined && { experiment: oneOrMore(experiment) }),
      ...(Object.keys(where).length > 0 && { where }),
    };
  }

  private numbers(text: string): Numbers {
    const [of = "", over] = text.split(" / ");
    return { of: this.select(of), ...(over !== undefined && { over: this.select(over) }) };
  }

  check(text: string): Check {
    const correlation = /^correlation (.*) of (\w+) with (\w+) (>=|<=) (\S+)$/.exec(text);
    if (correlation) {
      const [, of = "", y = "", x = "", sign = "", bound = ""] = correlation;
      return { kind: "correlation", of: this.select(of), x, y, expect: expectation(sign, bound, (value) => value) };
    }
    const course = / (rises|falls|stays|peaks|drops|crosses 1 from (?:below|above)) along (\w+)/.exec(text);
    if (course) return this.course(text, course);
    const [, word = "", body = ""] = /^(\w+) (.*)$/.exec(text) ?? fail(`no check: ${text}`);
    const mean = MEANS.find((one) => one === word) ?? fail(`no mean: ${word}, but ${MEANS.join(", ")}`);
    const stated = / (~|>=|<=) | slightly /.exec(body);
    if (stated) return this.number(mean, body.slice(0, stated.index), body.slice(stated.index + 1));
    const [lower = "", upper] = body.split(" < ");
    if (upper !== undefined) return { ...above(mean, this.select(upper), this.select(lower)), turned: true };
    const of = body.split(" > ").map((one) => this.select(one));
    const [first, second, ...more] = of;
    if (!first || !second) return fail(`no check: ${text}`);
    if (more.length > 0) return { kind: "order", of, mean };
    return above(mean, first, second);
  }

  private number(mean: Mean, cells: string, stated: string): Check {
    const [, sets = "", times] = /^(.*?)(?: \* (\S+))?$/.exec(cells) ?? [];
    const numbers = { ...this.numbers(sets), ...(times !== undefined && { times: numeral(times) }) };
    const slightly = /^slightly ([<>]) 1$/.exec(stated);
    const expect: Expectation = { slightly: slightly?.[1] === ">" ? "more" : "less" };
    if (slightly) return { kind: "number", ...numbers, mean, expect, unit: "×" };
    const [, sign = "", value = "", unit = "", waits = "copy bandwidth"] =
      STATED.exec(stated) ?? fail(`no number: ${stated}`);
    const own = unit.trim();
    if (own === "x" || own === "%" || own === "") {
      const share = (number: number) => (own === "%" ? rounded(number / 100, 6) : number);
      const shown = own === "x" || (own === "" && numbers.over && times === undefined) ? "×" : own;
      return { kind: "number", ...numbers, mean, expect: expectation(sign, value, share), unit: shown };
    }
    if (mean === "every" || numbers.over) return fail(`${own} of a device is of a mean of cells`);
    if (!RESOURCES.includes(waits)) return fail(`no resource: ${waits}, but ${RESOURCES.join(", ")}`);
    const device = expectation(sign, value, (number) => number * (FACTORS[own] ?? 1));
    const [of, measured] = [numbers.of, own.endsWith("op/s") ? "M op/s" : "ns"] as const;
    return { kind: "device", of, mean, expect: device, unit: measured, waits: waits as Resource };
  }

  private course(text: string, [found, words = "", along = ""]: RegExpExecArray): Check {
    const [before, after] = text.split(found);
    const [, at, fitted] = /^(?: at (\S+))?( fitted)?$/.exec(after ?? "") ?? fail(`no course: ${text}`);
    const [how = "", , , begins] = words.split(" ");
    if (at === undefined && (how === "peaks" || how === "drops")) return fail(`${how} along ${along} at which place?`);
    return {
      kind: "course",
      ...this.numbers(before ?? ""),
      along,
      how: how as CourseCheck["how"],
      ...(at !== undefined && { at: target(at) }),
      ...(begins !== undefined && { begins: begins as "below" | "above" }),
      ...(fitted !== undefined && { fitted: true as const }),
    };
  }
}

/** A file of claims: what a paper concludes, if one does, and what it says that rows can answer. */
export interface ClaimFile extends Omit<Headlines, "paper"> {
  readonly claims: readonly Claim[];
}

type Mutable<Type> = { -readonly [Member in keyof Type]: Type[Member] };
type Part = "text" | "paper" | "incomparable" | "because" | "measured" | "setting" | "of";
const PART = /^(paper|not compared|because|measured|setting|of): (.*)$/;

/** Reads a file line by line; a line that begins with white space goes on with what is above it. */
class Reader {
  readonly claims: Mutable<Claim>[] = [];
  readonly conclusions: Mutable<Conclusion>[] = [];
  about = "";
  /** File and line. */
  at = "";
  private readonly names = new Map<string, Select>();
  private device: PaperDevice | undefined;
  /** Takes what goes on. */
  private more: (text: string) => void = () => fail("this line goes on with nothing");

  line(line: string): void {
    if (/^\s/.test(line)) {
      this.more(line.trim());
      return;
    }
    const measured = /^measured on (.*)$/.exec(line)?.[1];
    const [, name, set = ""] = /^([\w-]+) += (.*)$/.exec(line) ?? [];
    const [, section, short = "", ids = ""] = /^concludes in (.+?), (.+?): (.*)$/.exec(line) ?? [];
    const stated = /^([a-z][a-z0-9-]*\/[\w.-]+):([\w.-]+)(\*)? +(.*)$/.exec(line);
    if (measured !== undefined) this.device = isPaperDevice(measured) ? measured : fail(`no paper has a ${measured}`);
    else if (name !== undefined) this.names.set(name, new CheckLine(this.names).select(set));
    else if (section !== undefined) this.conclusion({ section, short, claims: ids.split(", "), quote: "" });
    else if (stated) this.claim(stated);
    else if (line === "about") this.more = (text) => (this.about = joined(this.about, text));
    else fail(`no line of a file of claims: ${line}`);
  }

  private conclusion(own: Mutable<Conclusion>): void {
    this.conclusions.push(own);
    this.more = (text) => (own.quote = joined(own.quote, text));
  }

  private claim([, experiment = "", name, ours, whole = ""]: RegExpExecArray): void {
    const [line = "", common = ""] = whole.split(" where ");
    const check = new CheckLine(this.names, conditions(common)).check(line);
    const id = `${experiment}:${name}`;
    if (this.claims.some((one) => one.id === id)) fail(`${id} stands here twice`);
    if (check.kind === "device" && !this.device) fail("measured on which device?");
    const own: Mutable<Claim> = { id, at: this.at, experiment, text: "", paper: inShort(check), check };
    if (this.device) own.device = this.device;
    if (ours !== undefined) own.origin = "hashbench";
    this.claims.push(own);
    let part: Part = "text";
    this.more = (line) => {
      const [, key, rest = line] = PART.exec(line) ?? [];
      if (key) part = key === "not compared" ? "incomparable" : (key as Part);
      if (part === "of" && !this.claims.some((one) => one.id === rest && one !== own && one.of === undefined))
        fail(`of: ${rest} is not the first claim of a sentence above`);
      own[part] = key === "paper" ? rest : joined(own[part] ?? "", rest);
    };
  }
}

const joined = (text: string, more: string) => `${text} ${more}`.trim();

/** Throws a UsageError that begins with the file and the line. */
export function parseClaims(text: string, file: string): ClaimFile {
  const reader = new Reader();
  for (const [i, raw] of text.split("\n").entries()) {
    const line = raw.trimEnd();
    if (line === "" || line.startsWith("#")) continue;
    reader.at = `${file}:${i + 1}`;
    try {
      reader.line(line);
    } catch (error) {
      throw new UsageError(`${reader.at}: ${(error as Error).message}`);
    }
  }
  return reader;
}
