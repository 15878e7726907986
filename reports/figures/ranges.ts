/** The paper's lines, dotted, and bands, shaded, along the whole panel; its places of x, dotted. */
import { type FigureFrame, fading, type Layer, panelData } from "./frame.js";
import { uprightsOn } from "./labels.js";
import { INK } from "./style.js";

const DOTTED = { type: "rule", strokeDash: [2, 3], strokeWidth: 1.6 } as const;

/** Under the points. */
export function rangeLayers(name: string, frame: FigureFrame): Layer[] {
  const { domain, range } = frame.colors;
  const own = frame.data.paperRanges.filter(({ panel }) => panel === name);
  return own.map(({ series, label, from, to }) => {
    const is = `datum.label === ${JSON.stringify(label)} && datum.series === ${JSON.stringify(series)}`;
    const band = from !== to;
    const mark = band ? { type: "rect", fillOpacity: 0.13 } : DOTTED;
    const y = { field: "from", type: "quantitative" };
    const across = { x: { value: 0 }, x2: { value: "width" }, y, ...(band ? { y2: { field: "to" } } : {}) };
    return {
      ...panelData("ranges", name, frame, is),
      mark: { ...mark, color: range[domain.indexOf(series)] ?? INK },
      encoding: { ...across, ...fading(frame) },
    };
  });
}

export function uprightLayers(name: string, { data, x }: FigureFrame): Layer[] {
  return uprightsOn(name, data, x).map(({ x: at }) => ({
    data: { values: [{ x: at }] },
    mark: { ...DOTTED, color: INK },
    encoding: { y: { value: 0 }, y2: { value: "height" } },
  }));
}
