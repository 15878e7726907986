/** What an experiment and a claim have to look like that a plug-in brings: the types of experiment.ts and claim.ts, as schemas. */
import { z } from "zod";
import { isLine } from "../results/line.js";

const line = z.string().min(1).max(500).refine(isLine, "not one line of text");
const scalar = z.union([z.string(), z.number(), z.boolean()]);
const params = z.record(z.string(), scalar);
const some = <T extends z.ZodType>(one: T) => z.array(one).min(1);
const name = z.string().min(1);
const count = z.number().positive();

const series = z.strictObject({
  table: name,
  variant: line.optional(),
  label: line.optional(),
  bench: name.optional(),
  params: params.optional(),
  native: z.literal(true).optional(),
  maxN: count.optional(),
  upTo: count.optional(),
  share: count.optional(),
  loadFactor: count.optional(),
  loadFactors: z.array(count).optional(),
  ops: some(name).optional(),
});

const axes = z.strictObject({
  n: z.union([some(count), z.record(z.string(), count)]),
  op: some(name).optional(),
  dataset: some(name).optional(),
  loadFactor: some(count).optional(),
  tableBytes: some(count).optional(),
  positiveRatio: some(z.number().min(0).max(1)).optional(),
  lookups: z.union([count, z.literal("n")]).optional(),
  params: z.record(z.string(), some(scalar)).optional(),
  cases: some(params).optional(),
});

const channel = z.strictObject({
  field: name,
  title: line,
  scale: z.enum(["linear", "log2", "log10", "symlog"]).optional(),
  names: z.record(z.string(), line).optional(),
  as: z.enum(["complement", "reciprocal"]).optional(),
  factor: z.number().optional(),
  zero: z.literal(false).optional(),
  own: z.literal(true).optional(),
  format: line.optional(),
});

const figure = z.strictObject({
  kind: z.enum(["line", "bar"]),
  x: channel,
  metric: name,
  y: channel.omit({ field: true }),
  facet: channel.optional(),
  panels: some(z.strictObject({ metric: name, title: line })).optional(),
  apart: z.union([z.literal(true), z.literal("panels")]).optional(),
  only: some(name).optional(),
  limit: z.union([z.literal(true), name]).optional(),
  against: z
    .strictObject({ table: z.union([name, z.record(z.string(), name)]), as: z.enum(["ratio", "difference"]) })
    .optional(),
  over: z.number().optional(),
  front: z.literal(true).optional(),
  references: z.union([z.literal(true), z.array(name)]).optional(),
  regression: z.union([z.literal(1), z.literal(2)]).optional(),
  paper: z.array(z.looseObject({})).optional(),
});

/** Without what a paper alone has. */
export const experimentSchema = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,62}\/[a-z0-9][a-z0-9.-]{0,62}$/, "a group and a name are wanted, such as mine/skew"),
  figureName: line.optional(),
  section: line.optional(),
  title: line,
  setting: line,
  series: some(series),
  axes,
  quick: axes.partial().optional(),
  software: axes
    .partial()
    .extend({ tables: some(name).optional() })
    .optional(),
  swiftshader: count.optional(),
  cost: count.optional(),
  figure,
  from: some(name).optional(),
  notes: z.string().optional(),
});

const range = z.strictObject({ from: z.number().optional(), to: z.number().optional() });
const place = z.union([z.strictObject({ near: z.number() }), z.strictObject({ from: z.number(), to: z.number() })]);
const expectation = z.union([
  place,
  z.strictObject({ atLeast: z.number() }),
  z.strictObject({ atMost: z.number() }),
  z.strictObject({ slightly: z.enum(["more", "less"]) }),
]);
const names = z.union([z.string(), z.array(z.string())]).optional();
const numbers = z.union([z.number(), range, z.enum(["first", "last"])]).optional();
const select = z.strictObject({
  experiment: z.string().optional(),
  table: names,
  variant: names,
  op: names,
  dataset: names,
  n: numbers,
  loadFactor: numbers,
  positiveRatio: numbers,
  params: z.record(z.string(), z.union([scalar, z.array(scalar), range])).optional(),
  metric: z.string().optional(),
});
const mean = z.enum(["arithmetic", "geometric", "harmonic", "median", "min", "max", "every"]);
const by = z.array(z.string()).optional();
const [over, along] = [select.optional(), z.string()];

/** But for the numbers of a paper's device. */
const check = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("value"), of: select, mean, expect: expectation }),
  z.strictObject({
    kind: z.literal("ratio"),
    of: select,
    over: select,
    by,
    mean,
    times: z.number().optional(),
    expect: expectation,
  }),
  z.strictObject({ kind: z.literal("order"), of: z.array(select).min(2), by, mean }),
  z.strictObject({
    kind: z.literal("trend"),
    of: select,
    over,
    by,
    along,
    expect: z.enum(["rises", "falls", "flat"]),
  }),
  z.strictObject({
    kind: z.literal("crossing"),
    regression: z.literal(2).optional(),
    of: select,
    over: select,
    by,
    along,
    from: z.enum(["below", "above"]),
    expect: place.optional(),
  }),
  z.strictObject({ kind: z.enum(["peak", "drop"]), of: select, over, by, along, expect: place }),
  z.strictObject({
    kind: z.literal("correlation"),
    of: select,
    x: z.string(),
    y: z.string(),
    expect: expectation,
  }),
]);

/** One that no paper states. */
export const claimSchema = z.strictObject({
  id: z.string().regex(/^[^:]+:[a-z0-9][a-z0-9.-]*$/, "<experiment>:<name> is wanted, such as mine/skew:faster"),
  experiment: name,
  text: line,
  paper: line,
  check,
  origin: z.literal("hashbench").optional(),
  incomparable: line.optional(),
  cause: z.strictObject({ text: line, checks: some(check) }).optional(),
});
