/** The paper's lines, dotted, and bands, shaded, along the whole panel; its places of x, dotted. */
import { colorOf, type FigureFrame, fading, type Json, type Layer, panelData } from "./frame.js";
import { uprightsOn } from "./labels.js";
import { INK } from "./style.js";

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
