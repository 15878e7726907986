/** The axes of a figure: which scale, which ticks, how they are labelled. */

import type { Channel, Measure } from "../../bench/base/experiment.js";
import { decimals, formatNumber, mebibytes, powerOfTwo, rounded, tickLabel } from "../../bench/base/format.js";
import { describeField } from "./rows.js";
import { LABEL_SIZE } from "./style.js";
import { textWidth } from "./text.js";
import { arePowersOfTwo, decadeTicks, niceTicks, octaveTicks, powersOfTen } from "./units.js";

/** An axis, as the encodings of all panels use it. */
export interface DrawnAxis {
  readonly type: "quantitative" | "ordinal";
  readonly scale: Readonly<Record<string, unknown>>;
  readonly axis: Readonly<Record<string, unknown>>;
  /** Widest label in pixels. */
  readonly labelWidth: number;
  /** Labels of places are turned in panels narrower than this. */
  readonly upright: number;
}

/** Above this, powers of two are labelled as such. */
const LARGEST_PLAIN = 2 ** 14;
/** Up to this number of sizes that are not powers of two have labels of their own. */
const MOST_MEASURED = 12;
/** Below this a symlog axis is about linear. */
const LINEAR_TO = 0.1;
/** The field whose values are MiB, which labels give in the unit that suits each. */
const SIZE_FIELD = "params.tableMiB";

/** An axis' title, which says where the scale is not linear. */
export function axisTitle(title: string, { scale }: DrawnAxis, field = ""): string {
  const plain = field === SIZE_FIELD ? title.replace(/ \(MiB\)$/, "") : title;
  if (scale.type !== "log" && scale.type !== "symlog") return plain;
  return plain.endsWith(")") ? plain.replace(/\)$/, ", log)") : `${plain} (log)`;
}

/** Room between the outermost points and the panel's frame, in pixels. */
const EDGE = 14;

/**
 * The x axis over all panels. Texts, a single x and the groups of a bar chart get places instead of a scale. Where not all x of
 * the points can have a label, those in `marked` come first.
 */
export function xAxis(
  channel: Channel,
  xs: readonly (number | string)[],
  bars: boolean,
  width: number,
  marked: readonly (number | string)[] = [],
): DrawnAxis {
  const numbers = xs.filter((x) => typeof x === "number");
  if (bars || numbers.length < xs.length || numbers.length < 2)
    return places(channel, xs, bars || xs.length < 2, width);
  const min = channel.zero ? 0 : Math.min(...numbers);
  const max = Math.max(...numbers);
  const domain = [min, max];
  const drawn = (scale: Record<string, unknown>, ticks: readonly number[], label: (value: number) => string) =>
    ticksAxis({ ...scale, domain, padding: EDGE, nice: false }, ticks, label);
  const logarithmic = (scale: object, round: readonly number[], label: (value: number) => string): DrawnAxis => {
    // A tick where nothing was measured says less than one where something was, if there are both.
    const both = round.filter((tick) => numbers.some((v) => Math.abs(v / tick - 1) < 1e-3));
    const ticks = numbers.length <= MOST_MEASURED || 2 * both.length > round.length ? both : round;
    const type = { type: "log", ...scale };
    if (ticks.length > 1) {
      // Then the ends, and what else was measured, where there is room.
      const isRound = (v: number) => ticks.includes(v) || (channel.scale === "log2" && arePowersOfTwo([v]));
      const named = (v: number) => (isRound(v) ? label(v) : tickLabel(rounded(v, 3)));
      const rest = new Set([max, min, ...(numbers.length <= MOST_MEASURED ? numbers : [])]);
      const further = [...rest].filter((v) => !ticks.some((tick) => Math.abs(v / tick - 1) < 1e-3));
      const all = apart([...ticks, ...further], drawn(type, numbers, named), width, named);
      return drawn(type, [...ticks, ...further.filter((v) => all.includes(v))], named);
    }
    const axis = drawn(type, numbers, tickLabel);
    const shown = apart([...marked, ...numbers].filter((v) => numbers.includes(Number(v))).map(Number), axis, width);
    return drawn(type, numbers, (v) => (shown.includes(v) ? tickLabel(v) : ""));
  };
  if (channel.scale === "log2" && channel.field === SIZE_FIELD) {
    const type = { type: "log", base: 2 };
    // The ends come first, then round sizes.
    const round = numbers.filter((size) => Number.isInteger(Math.log2(size)));
    return drawn(type, apart([max, min, ...round], drawn(type, numbers, mebibytes), width, mebibytes), mebibytes);
  }
  if (channel.scale === "log2") {
    const plain = min < 1 || (arePowersOfTwo(numbers) ? max <= LARGEST_PLAIN : max < 1024);
    const label = plain ? (v: number) => formatNumber(v, v < 1 ? 2 : 6) : powerOfTwo;
    const widest = Math.max(textWidth(label(max), LABEL_SIZE), textWidth(label(min), LABEL_SIZE));
    return logarithmic({ base: 2 }, octaveTicks(min, max, Math.floor(width / (widest + 10))), label);
  }
  if (channel.scale === "log10") {
    const decades = decadeTicks(min, max).ticks.filter((t) => t >= min * 0.999 && t <= max * 1.001);
    return logarithmic({}, decades, tickLabel);
  }
  // The label of 2 GB less 64 KiB is 2.
  const short = (v: number): number => rounded(v, 3);
  const declared =
    !channel.zero && numbers.length <= 9 && numbers.every((v) => Math.abs(short(v) - v) <= 1e-4 * Math.abs(v));
  // No tick stands between whole numbers where nothing can, such as between batches.
  const whole = numbers.every(Number.isInteger);
  const nice = niceTicks(min, max, 6).filter((t) => t >= min && t <= max && (!whole || Number.isInteger(t)));
  const ticks = declared ? numbers : nice;
  return drawn({ type: "linear", zero: false }, ticks, declared ? (v) => tickLabel(short(v)) : tickLabel);
}

/** The y axis over all panels, for values (and ends of intervals) between `min` and `max`. Linear axes contain 0. */
export function yAxis(channel: Measure, min: number, max: number): DrawnAxis {
  const { scale, domain, ticks, label } = yTicks(channel, min, max);
  return ticksAxis({ ...scale, domain, nice: false }, ticks, label, channel.format);
}

function yTicks({ scale, zero }: Measure, min: number, max: number) {
  if (scale === "log2") {
    const domain = [2 ** Math.floor(Math.log2(min)), 2 ** Math.ceil(Math.log2(max))] as const;
    const label = domain[1] <= LARGEST_PLAIN ? (v: number) => formatNumber(v, 6) : powerOfTwo;
    return { scale: { type: "log", base: 2, clamp: true }, domain, ticks: octaveTicks(domain[0], domain[1], 8), label };
  }
  if (scale === "log10") return { scale: { type: "log", clamp: true }, ...decadeTicks(min, max), label: tickLabel };
  if (scale === "symlog") {
    const ticks = [0, ...powersOfTen(LINEAR_TO, Math.max(max, 10 * LINEAR_TO))];
    const symlog = { type: "symlog", constant: LINEAR_TO, clamp: true };
    return { scale: symlog, domain: [0, ticks.at(-1)], ticks, label: tickLabel };
  }
  const ticks =
    zero === false && max > min
      ? niceTicks(min, max)
      : niceTicks(Math.min(0, min), min === 0 && max === 0 ? 1 : Math.max(0, max));
  const digits = Math.max(0, ...ticks.map((t) => (String(t).split(".")[1] ?? "").length));
  const large = ticks.some((t) => Math.abs(t) >= 1e6);
  const label = large || digits > 6 ? tickLabel : (v: number) => decimals(v, digits);
  return { scale: { type: "linear" }, domain: [ticks[0], ticks.at(-1)], ticks, label };
}

/** Where a value stands on a quantitative axis of this length in pixels, from its lower end on. */
export function pixelAlong({ scale }: DrawnAxis, value: number, length: number): number {
  const { type, domain, padding = 0 } = scale as { type: string; domain: [number, number]; padding?: number };
  const [from = 0, to = 0, at = 0] = [...domain, value].map((v) => {
    return type === "log" ? Math.log(v) : type === "symlog" ? Math.log1p(v / LINEAR_TO) : v;
  });
  const share = to > from ? Math.min(1, Math.max(0, (at - from) / (to - from))) : 0.5;
  return padding + share * (length - 2 * padding);
}

/** The values whose labels do not touch the label of an earlier one. */
function apart(values: readonly number[], axis: DrawnAxis, width: number, label = tickLabel): number[] {
  const shown: { readonly value: number; readonly at: number; readonly half: number }[] = [];
  for (const value of values) {
    const at = pixelAlong(axis, value, width);
    const half = textWidth(label(value), LABEL_SIZE) / 2 + 3;
    if (shown.every((other) => Math.abs(other.at - at) >= other.half + half)) shown.push({ value, at, half });
  }
  return shown.map(({ value }) => value);
}

/** Places side by side, labelled by the values; turned where they would touch. */
function places(channel: Channel, xs: readonly (number | string)[], banded: boolean, width: number): DrawnAxis {
  const label = (x: number | string): string => {
    if (typeof x === "string")
      return channel.names?.[x] ?? (channel.field === "dataset" ? describeField("dataset", x) : x);
    return channel.scale === "log2" && arePowersOfTwo([x]) && x > LARGEST_PLAIN ? powerOfTwo(x) : tickLabel(x);
  };
  const widest = (names: (x: number | string) => string): number =>
    Math.max(0, ...xs.map((x) => textWidth(names(x), LABEL_SIZE)));
  const room = width / Math.max(1, xs.length) - 4;
  // `8 + 4` without its spaces, if that keeps it upright.
  const short = (x: number | string): string => label(x).replaceAll(" + ", "+");
  const shown = widest(label) > room && widest(short) <= room ? short : label;
  const labelWidth = widest(shown);
  const turned = labelWidth > room;
  return {
    type: "ordinal",
    scale: banded ? { type: "band", paddingInner: 0.2, paddingOuter: 0.1 } : { type: "point", padding: 0.5 },
    axis: {
      labelExpr: labelExpression(xs, shown),
      labelAngle: turned ? -35 : 0,
      ...(turned ? { labelAlign: "right", labelBaseline: "middle" } : { labelAlign: "center", labelBaseline: "top" }),
      labelLimit: 160,
      labelOverlap: false,
    },
    labelWidth,
    upright: (widest(short) + 4) * xs.length,
  };
}

function ticksAxis(
  scale: Record<string, unknown>,
  ticks: readonly number[],
  label: (value: number) => string,
  format?: string,
): DrawnAxis {
  const labels = format === undefined ? { labelExpr: labelExpression(ticks, label) } : { format, formatType: "number" };
  return {
    type: "quantitative",
    scale,
    axis: { values: ticks, ...labels, labelOverlap: false, labelFlush: false },
    labelWidth: Math.max(0, ...ticks.map((t) => textWidth(label(t), LABEL_SIZE))),
    upright: 0,
  };
}

/** A vega expression that looks a tick's label up. */
function labelExpression<T extends number | string>(values: readonly T[], label: (value: T) => string): string {
  const labels = Object.fromEntries(values.map((v) => [String(v), label(v)]));
  return `${JSON.stringify(labels)}[datum.value]`;
}
