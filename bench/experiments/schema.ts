/** What an experiment has to look like that a plug-in brings: the type of experiment.ts, as a schema. */
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
  only: z
    .strictObject({
      loaded: z.literal(true).optional(),
      op: some(name).optional(),
      loadFactor: z.array(count).optional(),
      n: z.strictObject({ from: count.optional(), to: count.optional() }).optional(),
      params: z.record(z.string(), some(scalar)).optional(),
    })
    .optional(),
  at: z.strictObject({ loadFactor: count.optional(), share: count.optional(), maxN: count.optional() }).optional(),
});

const axes = z.strictObject({
  n: z.union([some(count), z.record(z.string(), count)]),
  op: some(name).optional(),
  dataset: some(name).optional(),
  loadFactor: z.union([some(count), z.strictObject({ bytes: some(count) })]).optional(),
  positiveRatio: some(z.number().min(0).max(1)).optional(),
  lookups: z.union([count, z.literal("n")]).optional(),
  params: z.union([z.record(z.string(), some(scalar)), some(params)]).optional(),
});

const channel = z.strictObject({
  field: name,
  title: line,
  scale: z.enum(["linear", "log2", "log10"]).optional(),
  names: z.record(z.string(), line).optional(),
  as: z.enum(["complement", "reciprocal"]).optional(),
  factor: z.number().optional(),
  own: z.literal(true).optional(),
});

const figure = z.strictObject({
  kind: z.enum(["line", "bar"]),
  x: channel,
  metric: z.union([name, some(z.strictObject({ metric: name, title: line }))]),
  y: z.strictObject({
    title: line,
    scale: z.enum(["linear", "log2", "log10", "symlog"]).optional(),
    factor: z.number().optional(),
    zero: z.literal(false).optional(),
    most: z.number().optional(),
    format: line.optional(),
    over: z.number().optional(),
  }),
  facet: channel.optional(),
  apart: z.union([z.literal(true), z.literal("panels")]).optional(),
  only: z.union([some(name), z.literal("declared")]).optional(),
  against: z
    .strictObject({ table: z.union([name, z.record(z.string(), name)]), as: z.enum(["ratio", "difference"]) })
    .optional(),
  beside: z
    .strictObject({
      limit: z.union([z.literal(true), name]).optional(),
      references: z.union([z.literal(true), z.array(name)]).optional(),
      trend: z.enum(["parabola", "line", "front"]).optional(),
    })
    .optional(),
  paper: z.array(z.looseObject({})).optional(),
});

/** Without what a paper alone has. */
export const experimentSchema = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,62}\/[a-z0-9][a-z0-9.-]{0,62}$/, "a group and a name are wanted, such as mine/skew"),
  source: z.strictObject({ section: line.optional(), figure: line.optional() }).optional(),
  title: line,
  setting: line,
  series: some(series),
  axes,
  quick: axes.partial().optional(),
  software: axes
    .partial()
    .extend({ tables: some(name).optional(), swiftshader: count.optional() })
    .optional(),
  cost: count.optional(),
  figure,
  from: some(name).optional(),
  notes: z.string().optional(),
});
