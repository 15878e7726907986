/** Specifications of vega-lite to those of vega. */
import type * as vega from "vega";
import { compile, type TopLevelSpec } from "vega-lite";
import { PAPER } from "./style.js";

/** Compiles to vega. Throws on anything that vega-lite warns about: a warning means that something is not drawn. */
export function compileSpec(spec: TopLevelSpec): vega.Spec {
  const complaints: string[] = [];
  const keep = (...messages: readonly unknown[]): vega.LoggerInterface => {
    complaints.push(messages.join(" "));
    return logger;
  };
  const ignore = (): vega.LoggerInterface => logger;
  const logger = { level: () => logger, error: keep, warn: keep, info: ignore, debug: ignore } as vega.LoggerInterface;
  const compiled = compile(spec, { logger });
  if (complaints.length > 0) throw new Error(`vega-lite: ${complaints.join("; ")}`);
  const { hollow = [] } = (spec.usermeta ?? {}) as Partial<Hollow>;
  return hollow.length > 0 ? withHollowKeys(compiled.spec, hollow) : compiled.spec;
}

/** Part of a specification's `usermeta`. */
interface Hollow {
  /** Series whose points are hollow, with a line around them. */
  readonly hollow: readonly string[];
}

/** Lets the legend show hollow points as they are drawn, which vega-lite cannot: in its legends all points are filled alike. */
function withHollowKeys(spec: vega.Spec, hollow: readonly string[]): vega.Spec {
  const test = `indexof(${JSON.stringify(hollow)}, datum.value) >= 0`;
  const legends = (spec.legends ?? []).map((legend) => {
    const scale = legend.fill;
    if (scale === undefined) return legend;
    const update = {
      ...legend.encode?.symbols?.update,
      fill: [
        { test, value: PAPER },
        { scale, field: "value" },
      ],
      stroke: [{ test, scale, field: "value" }, { value: "transparent" }],
    };
    return { ...legend, encode: { ...legend.encode, symbols: { ...legend.encode?.symbols, update } } };
  });
  return { ...spec, legends };
}
