/** Lines along a whole panel: the paper's, dotted, and its bands, shaded; the device's limits, dashed; the table that others are compared with. */
import { colorOf, type FigureFrame, fading, type Json, type Layer, panelData } from "./frame.js";
import { uprightsOn } from "./labels.js";
import { INK, LIMIT_COLOR } from "./style.js";

const DOTTED = { type: "rule", strokeDash: [2, 3], strokeWidth: 1.6 } as const;

/** Under the points. */
export function rangeLayers(name: string, frame: FigureFrame): Layer[] {
  const own = frame.data.paperRanges.filter(({ panel }) => panel === name);
  const y = { field: "from", type: "quantitative" };
  const layer = (test: string, mark: Json, upTo: Json): Layer => ({
    ...panelData("ranges", name, frame, test),
    mark: { ...mark, color: colorOf(frame, INK) },
    encoding: { x: { value: 0 }, x2: { value: "width" }, y, ...upTo, ...fading(frame) },
  });
  return [
    ...(own.some(({ from, to }) => from !== to)
      ? [layer("datum.from !== datum.to", { type: "rect", fillOpacity: 0.13 }, { y2: { field: "to" } })]
      : []),
    ...(own.some(({ from, to }) => from === to) ? [layer("datum.from === datum.to", DOTTED, {})] : []),
  ];
}

export function uprightLayers(name: string, { data, x }: FigureFrame): Layer[] {
  return uprightsOn(name, data, x).map(({ x: at }) => ({
    data: { values: [{ x: at }] },
    mark: { ...DOTTED, color: INK },
    encoding: { y: { value: 0 }, y2: { value: "height" } },
  }));
}

/** At the value of the table that others are compared with. */
export function referenceLayer({ reference, unitFactor }: FigureFrame): Layer[] {
  if (reference === null) return [];
  return [
    {
      data: { values: [{ y: reference * unitFactor }] },
      mark: { type: "rule", strokeWidth: 1.3, color: LIMIT_COLOR },
      encoding: { x: { value: 0 }, x2: { value: "width" }, y: { field: "y", type: "quantitative" } },
    },
  ];
}

/** Dashed lines at what the device can do, as far as the axis has them. */
export function limitLayers(name: string, { data, x, y: axis, unitFactor }: FigureFrame): Layer[] {
  const [, top] = axis.scale.domain as [number, number];
  const own = data.limits.filter((l) => l.panel === name && l.y * unitFactor <= top);
  const lines = [...new Set(own.map((l) => l.line))];
  if (lines.length === 0) return [];
  const within = [
    { field: "panel", equal: name },
    { field: "line", oneOf: lines },
  ];
  const flat = x.type === "ordinal";
  const ends = flat ? { x: { field: "x", type: "ordinal", bandPosition: 0 }, x2: { field: "x", bandPosition: 1 } } : {};
  const apart = flat || lines.length === 1 ? {} : { detail: { field: "line" } };
  return [
    {
      data: { name: "limits" },
      transform: [{ filter: { and: within } }],
      mark: { type: flat ? "rule" : "line", strokeDash: [6, 4], strokeWidth: 1.3, color: LIMIT_COLOR, clip: true },
      encoding: { y: { field: "y", type: "quantitative" }, ...ends, ...apart },
    },
  ];
}
