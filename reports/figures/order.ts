/** The order of points and panels, and the names of what it goes by. */
import { type Experiment, metricPanels } from "../../bench/base/experiment.js";
import type { Scalar } from "../../kernels/table.js";
import type { Place } from "./plot-data.js";
import { byDeclaration, declaredOrder, describeField, fieldValue, seriesIndex } from "./rows.js";

export function value(p: Place, field: string): Scalar | null {
  return fieldValue(p.cell, field);
}

export function describe(p: Place, field: string): string {
  return describeField(field, value(p, field));
}

/** Order of points: series as declared, then what splits them, then x. */
export function byPlace(experiment: Experiment, splitters: readonly string[]): Compare {
  const rank = once((p: Place): number => {
    const index = seriesIndex(experiment, p.cell.last);
    return index < 0 ? experiment.series.length : index;
  });
  const along = compareX(experiment);
  return or(
    (a, b) => rank(a) - rank(b),
    (a, b) => (a.series === b.series ? 0 : a.series < b.series ? -1 : 1),
    ...byFields(experiment, splitters),
    (a, b) => along(a.x, b.x),
  );
}

export type Compare = (a: Place, b: Place) => number;

/** The first of several orders that tells two places apart. */
export function or(...orders: readonly Compare[]): Compare {
  return (a, b) => {
    for (const compare of orders) {
      const order = compare(a, b);
      if (order !== 0) return order;
    }
    return 0;
  };
}

/** By each field's values as the experiment declares them. */
function byFields(experiment: Experiment, fields: readonly string[]): Compare[] {
  return fields.map((field) => {
    const compare = byDeclaration(declaredOrder(experiment, field));
    return (a, b) => compare(value(a, field), value(b, field));
  });
}

/** Panels in the order in which the experiment declares metrics and the facet's values. */
export function byPanel(experiment: Experiment): Compare {
  const { facet } = experiment.figure;
  const panels = metricPanels(experiment.figure);
  const rank = (p: Place): number => panels.findIndex(({ metric }) => metric === p.metric);
  return or((a, b) => rank(a) - rank(b), ...byFields(experiment, facet?.field.split("+") ?? []));
}

/** Equal for two places only where {@link byPanel} takes them for one and they are in one panel. */
export function panelKey({ figure: { facet } }: Experiment): (p: Place) => string {
  const fields = facet?.field.split("+") ?? [];
  return (p) => JSON.stringify([p.panel, p.metric, ...fields.map((field) => value(p, field))]);
}

/** Along x: numbers by size, texts as declared. */
export function compareX(experiment: Experiment): ReturnType<typeof byDeclaration> {
  const declared = declaredOrder(experiment, experiment.figure.x.field);
  return byDeclaration(declared.filter((x) => typeof x !== "number").map(String));
}

/** The function `of`, which is called once for each object. */
export function once<T extends object, Value extends string | number>(of: (item: T) => Value): (item: T) => Value {
  const known = new Map<T, Value>();
  return (item) => {
    const value = known.get(item) ?? of(item);
    known.set(item, value);
    return value;
  };
}
