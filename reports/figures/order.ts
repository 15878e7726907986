/** The order of points and panels, and the names of what it goes by. */
import { type Experiment, metricPanels } from "../../bench/base/experiment.js";
import type { Scalar } from "../../kernels/table.js";
import type { Named, Place } from "./plot-data.js";
import { byDeclaration, declaredOrder, describeField, fieldValue } from "./rows.js";

export function value(p: Place, field: string): Scalar | null {
  return fieldValue(p.cell, field);
}

export function describe(p: Place, field: string): string {
  return describeField(field, value(p, field));
}

/** Order of points: series as declared, then what splits them, then x. */
export function byPlace(experiment: Experiment, splitters: readonly string[]): Compare<Named> {
  const rank = ({ index }: Named): number => (index < 0 ? experiment.series.length : index);
  const along = compareX(experiment);
  return or<Named>(
    (a, b) => rank(a) - rank(b),
    (a, b) => (a.series === b.series ? 0 : a.series < b.series ? -1 : 1),
    ...byFields(experiment, splitters),
    (a, b) => along(a.x, b.x),
  );
}

export type Compare<P extends Place = Place> = (a: P, b: P) => number;

/** The first of several orders that tells two places apart. */
export function or<P extends Place>(...orders: readonly Compare<P>[]): Compare<P> {
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
