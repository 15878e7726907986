/** The paper's lines, dotted, and bands, shaded, along the whole panel, with their names where these hide least. */
import { pixelAlong } from "./axes.js";
import { type FigureFrame, fading, type Json, type Layer, panelData } from "./frame.js";
import { freest, type Spot, trace } from "./label-place.js";
import type { PaperRange } from "./plot-data.js";
import { INK, LABEL_SIZE } from "./style.js";
import { textWidth } from "./text.js";

const SIZE = LABEL_SIZE - 1;
/** Between a name and its line, or the panel's frame. */
const GAP = 4;
/** Along x that are tried for a name. */
const PLACES = 12;

/** Under the points. */
export function rangeLayers(name: string, frame: FigureFrame): Layer[] {
  return rangesIn(name, frame).map(({ source, color, from, to }) => {
    const band = from !== to;
    const mark = band ? { type: "rect", fillOpacity: 0.13 } : { type: "rule", strokeDash: [2, 3], strokeWidth: 1.6 };
    const y = { field: "from", type: "quantitative" };
    const across = { x: { value: 0 }, x2: { value: "width" }, y, ...(band ? { y2: { field: "to" } } : {}) };
    return { ...source, mark: { ...mark, color }, encoding: { ...across, ...fading(frame) } };
  });
}

/** Over the points: each above or below its range, as far left as it hides least. */
export function rangeLabels(name: string, frame: FigureFrame): Layer[] {
  const taken: Spot[] = drawn(name, frame);
  return rangesIn(name, frame).map(({ source, label, from, to }) => {
    const text = `paper: ${label}`;
    const box = { width: textWidth(text, SIZE), height: SIZE };
    const room = frame.layout.width - 2 * GAP - box.width;
    const sides = [
      { above: true, y: pixelY(to, frame) - GAP - SIZE },
      { above: false, y: pixelY(from, frame) + GAP },
    ];
    const places = Array.from({ length: PLACES }, (_, i) => GAP + (i * room) / (PLACES - 1));
    const { x, y, above } = freest(
      places.flatMap((x) => sides.map((side) => ({ ...box, ...side, x }))),
      taken,
      frame.layout,
    );
    taken.push(...trace({ x, y: y + SIZE / 2 }, { x: x + box.width, y: y + SIZE / 2 }));
    const mark = { type: "text", text, align: "left", baseline: above ? "bottom" : "top", fontSize: SIZE, color: INK };
    return {
      ...source,
      mark: { ...mark, dy: above ? 1 - GAP : GAP - 1 },
      encoding: { x: { value: x }, y: { field: above ? "to" : "from", type: "quantitative" }, ...fading(frame) },
    };
  });
}

/** The paper's places of x: dotted, with their names beside them at the bottom. */
export function uprightLayers(name: string, { data, x, layout }: FigureFrame): Layer[] {
  if (x.type !== "quantitative") return [];
  const [from, to] = x.scale.domain as [number, number];
  const own = data.paperUprights.filter((one) => one.panel === name && one.x >= from && one.x <= to);
  return own.flatMap(({ label, x: at }) => {
    const place = pixelAlong(x, at, layout.width);
    const text = `paper: ${label}`;
    const right = place + textWidth(text, SIZE) + 2 * GAP < layout.width;
    const beside = { align: right ? "left" : "right", dx: right ? GAP : -GAP, baseline: "bottom" };
    const source = { data: { values: [{}] } };
    return [
      {
        ...source,
        mark: { type: "rule", strokeDash: [2, 3], strokeWidth: 1.6, color: INK },
        encoding: { x: { value: place }, y: { value: 0 }, y2: { value: "height" } },
      },
      {
        ...source,
        mark: { type: "text", text, fontSize: SIZE, color: INK, ...beside },
        encoding: { x: { value: place }, y: { value: layout.height - GAP } },
      },
    ];
  });
}

function rangesIn(name: string, frame: FigureFrame): (PaperRange & { source: Json; color: string })[] {
  const { domain, range } = frame.colors;
  const own = frame.data.paperRanges.filter(({ panel }) => panel === name);
  return own.map((one) => {
    const source = panelData("ranges", name, frame, `datum.label === ${JSON.stringify(one.label)}`);
    return { ...one, source, color: range[domain.indexOf(one.series)] ?? INK };
  });
}

/** Where the panel has marks already, in its pixels. */
function drawn(name: string, frame: FigureFrame): Spot[] {
  const { data, reference, layout } = frame;
  const across = (value: number): Spot[] => {
    const y = pixelY(value, frame);
    return trace({ x: 0, y }, { x: layout.width, y });
  };
  const points = data.points.filter(({ panel }) => panel === name);
  const marks = points.flatMap((p, i): Spot[] => {
    const at = { x: pixelX(p.x, frame), y: pixelY(p.y, frame) };
    const next = points[i + 1];
    const goesOn = !frame.grouped && next?.series === p.series && next.segment === p.segment;
    const end = goesOn ? { x: pixelX(next.x, frame), y: pixelY(next.y, frame) } : at;
    const lowest = frame.bars ? layout.height : pixelY(p.lo ?? p.y, frame);
    return [...trace(at, end), ...trace({ ...at, y: pixelY(p.hi ?? p.y, frame) }, { ...at, y: lowest })];
  });
  const limits = data.limits.filter(({ panel }) => panel === name).map(({ y }) => y);
  const ranges = data.paperRanges.filter(({ panel }) => panel === name).flatMap(({ from, to }) => [from, to]);
  return [...marks, ...[...limits, ...ranges, ...(reference === null ? [] : [reference])].flatMap(across)];
}

function pixelX(x: number | string, { data, x: axis, layout }: FigureFrame): number {
  if (axis.type === "quantitative") return pixelAlong(axis, Number(x), layout.width);
  return ((data.xs.indexOf(x) + 0.5) / data.xs.length) * layout.width;
}

function pixelY(y: number, { y: axis, unitFactor, layout }: FigureFrame): number {
  return layout.height - pixelAlong(axis, y * unitFactor, layout.height);
}
