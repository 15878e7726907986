/** One panel of a figure: the limit, intervals, lines or bars, and points, on axes that all panels share. */
import type { TopLevelSpec } from "vega-lite";
import { colorOf, type FigureFrame, fading, type Json, type Layer, notHidden, panelData } from "./frame.js";
import { textLayer } from "./labels.js";
import type { PlotPoint } from "./plot-data.js";
import { limitLayers, rangeLayers, referenceLayer, uprightLayers } from "./ranges.js";
import { HALO, INK, LABEL_SIZE, LIMIT_COLOR, PAPER } from "./style.js";

type Part = Extract<TopLevelSpec, { concat: unknown }>["concat"][number];

/**
 * The panel with this heading, the `index`th of the figure. Data sets `points` and `limits` are the figure's. `ownAxis`: no panel
 * left of it has the labels of its y axis.
 */
export function panelSpec(name: string, index: number, frame: FigureFrame, ownAxis: boolean): Part {
  const { layout, data } = frame;
  const layers = [
    ...rangeLayers(name, frame),
    ...uprightLayers(name, frame),
    ...referenceLayer(frame),
    ...frontLayer(name, frame),
    ...limitLayers(name, frame),
    ...curveLayer(name, frame),
    ...(frame.bars ? barLayers : pointLayers)(
      data.points.filter(({ panel }) => panel === name),
      frame,
    ),
    ...librariesLayers(name, frame),
    ...paperLayer(name, frame),
    ...valueLayers(name, frame),
    ...textLayer(name, frame),
  ];
  const x = xEncoding(index, data.panels.length, frame);
  return {
    width: layout.width,
    height: layout.height,
    data: { name: "points" },
    transform: [{ filter: { field: "panel", equal: name } }, ...notHidden(frame)],
    encoding: { y: yEncoding(ownAxis, frame) },
    layer: layers.map((layer) => ({
      ...layer,
      encoding: { x, ...layer.encoding },
    })),
  } as unknown as Part;
}

function xEncoding(index: number, panels: number, { x, data, xTitle, layout }: FigureFrame): Json {
  const lowest = index + layout.columns >= panels;
  // A place that all points share is said in the setting.
  const single = data.xs.length === 1 && typeof data.xs[0] === "number";
  return {
    field: "x",
    type: x.type,
    scale: x.type === "ordinal" ? { ...x.scale, domain: data.xs } : x.scale,
    ...(x.type === "ordinal" ? { sort: data.xs } : {}),
    axis: single ? null : { ...x.axis, title: lowest ? xTitle : null, grid: x.type === "quantitative" },
  };
}

function yEncoding(ownAxis: boolean, { y, yTitle }: FigureFrame): Json {
  const shown = ownAxis ? { title: yTitle } : { title: null, labels: false, ticks: false, domain: false };
  return { field: "y", type: "quantitative", scale: y.scale, axis: { ...y.axis, ...shown, grid: true } };
}

/** How marks show their series, and what they say when pointed at. */
interface Encodings {
  readonly color: Json;
  readonly shape: Json;
  /** Lines of every device but the first are broken. */
  readonly dashes: Json;
  readonly tooltip: Json;
}

function encodings(frame: FigureFrame): Encodings {
  const { xTitle, yTitle } = frame;
  const { domain, range, shapes, dashes } = frame.colors;
  const bySeries = (values: readonly unknown[]): Json => {
    return { field: "series", type: "nominal", title: null, sort: null, scale: { domain, range: values } };
  };
  return {
    color: bySeries(range),
    shape: bySeries(shapes),
    dashes: dashes === null ? {} : { strokeDash: bySeries(dashes) },
    tooltip: tooltip(frame, [
      { field: "series", title: "series" },
      { field: "x", title: xTitle },
      { field: "y", title: yTitle },
      { field: "lo", title: "95 % from" },
      { field: "hi", title: "95 % to" },
      { field: "samples", title: "samples" },
      ...(xTitle === "n" ? [] : [{ field: "n", title: "n" }]),
      { field: "dataset", title: "data" },
    ]),
  };
}

/** What a mark says when it is pointed at, which nobody can do in a picture. */
function tooltip({ interactive }: FigureFrame, said: readonly Json[]): Json {
  return interactive ? { tooltip: said } : {};
}

function offset({ grouped, colors }: FigureFrame): Json {
  return grouped ? { xOffset: { field: "series", sort: colors.domain, scale: { domain: colors.domain } } } : {};
}

function intervals(own: readonly PlotPoint[], frame: FigureFrame, color: Json): Layer[] {
  if (own.every(({ lo, hi }) => lo === null || hi === null)) return [];
  return [
    {
      transform: [{ filter: "isValid(datum.lo) && isValid(datum.hi)" }],
      mark: { type: "rule", strokeWidth: 1.3 },
      encoding: { y: { field: "lo" }, y2: { field: "hi" }, color, ...offset(frame), ...fading(frame) },
    },
  ];
}

/** A layer of filled marks, and one of hollow ones where there are native tables. */
function filledAndHollow(own: readonly PlotPoint[], frame: FigureFrame, mark: Json, encoding: Json): Layer[] {
  const hollow = frame.colors.hollow.filter((name) => own.some(({ series }) => series === name));
  const filled = { mark: { ...mark, filled: true }, encoding: { color: encodings(frame).color, ...encoding } };
  if (hollow.length === 0) return [filled];
  const native = { field: "series", oneOf: hollow };
  return [
    { ...filled, transform: [{ filter: { not: native } }] },
    {
      transform: [{ filter: native }],
      mark: { ...mark, fill: PAPER, stroke: colorOf(frame), strokeWidth: 1.3 },
      encoding,
    },
  ];
}

function barLayers(own: readonly PlotPoint[], frame: FigureFrame): Layer[] {
  return [
    ...filledAndHollow(
      own,
      frame,
      { type: "bar" },
      { ...encodings(frame).tooltip, ...offset(frame), ...fading(frame) },
    ),
    ...intervals(own, frame, { value: INK }),
  ];
}

function pointLayers(own: readonly PlotPoint[], frame: FigureFrame): Layer[] {
  const color = encodings(frame).color;
  const line: Layer = {
    mark: { type: "line", strokeWidth: 1.6 },
    encoding: { color, ...encodings(frame).dashes, detail: { field: "segment" }, ...fading(frame) },
  };
  return [
    ...(frame.grouped || frame.data.curves.some(({ series }) => series === "") ? [] : [line]),
    ...intervals(own, frame, color),
    ...filledAndHollow(
      own,
      frame,
      { type: "point", size: pointSize(frame), opacity: 1 },
      {
        shape: encodings(frame).shape,
        ...encodings(frame).tooltip,
        ...offset(frame),
        ...fading(frame),
      },
    ),
  ];
}

/** Small beside a curve, which is what counts then, and where points would touch. */
function pointSize({ data, layout }: FigureFrame): number {
  const touching = data.xs.length > layout.width / 8;
  if (data.curves.some(({ series }) => touching || series !== "")) return 24;
  return touching ? 14 : 46;
}

/** The regression of each series, in its colour; that of all, dashed. */
function curveLayer(name: string, frame: FigureFrame): Layer[] {
  const own = frame.data.curves.filter(({ panel }) => panel === name);
  if (own.length === 0) return [];
  if (own.some(({ series }) => series === "")) {
    const mark = { type: "line", strokeWidth: 1.3, strokeDash: [6, 4], color: LIMIT_COLOR };
    return [{ data: { name: "curves" }, transform: [{ filter: { field: "panel", equal: name } }], mark, encoding: {} }];
  }
  return [
    {
      ...panelData("curves", name, frame),
      mark: { type: "line", strokeWidth: 1, strokeDash: [2, 3] },
      encoding: { color: encodings(frame).color, ...fading(frame) },
    },
  ];
}

/** Results of CUDA libraries: hollow points, with dashed lines between them. */
function librariesLayers(name: string, frame: FigureFrame): Layer[] {
  if (!frame.data.references.some(({ panel }) => panel === name)) return [];
  const source = panelData("references", name, frame);
  const line = { type: "line", stroke: colorOf(frame), strokeWidth: 1, strokeDash: [3, 2] };
  const point = { type: "point", fill: PAPER, stroke: colorOf(frame), strokeWidth: 1.2, size: 40, opacity: 1 };
  return [
    ...(frame.grouped ? [] : [{ ...source, mark: line, encoding: { detail: { field: "series" }, ...fading(frame) } }]),
    {
      ...source,
      mark: point,
      encoding: {
        shape: encodings(frame).shape,
        ...tooltip(frame, [
          { field: "series" },
          { field: "variant" },
          { field: "x", title: frame.xTitle },
          { field: "y", title: frame.yTitle },
        ]),
        ...offset(frame),
        ...fading(frame),
      },
    },
  ];
}

/** The Pareto front as a broad stair under the curves: at each x what is reached with no more than that. */
function frontLayer(name: string, { data, x }: FigureFrame): Layer[] {
  const last = data.front.findLast(({ panel }) => panel === name);
  if (!last || x.type !== "quantitative") return [];
  const [, end] = x.scale.domain as [number, number];
  const within = { filter: { field: "panel", equal: name } };
  const mark = { strokeWidth: 7, color: INK, opacity: 0.15 };
  return [
    {
      data: { name: "front" },
      transform: [within],
      mark: { type: "line", interpolate: "step-after", strokeCap: "round", ...mark },
      encoding: {},
    },
    {
      data: { name: "front" },
      transform: [within, { filter: `datum.x === ${JSON.stringify(last.x)}` }],
      mark: { type: "rule", ...mark },
      encoding: { x2: { datum: end } },
    },
  ];
}

/** What points of a single place are, which has no axis to read them from: ours on their right, the paper's on their left. */
function valueLayers(name: string, frame: FigureFrame): Layer[] {
  if (frame.data.xs.length > 1 || frame.bars || frame.y.scale.type !== "log") return [];
  const text = { field: "y", type: "quantitative", format: ".3~r" };
  const mark = { type: "text", color: INK, fontSize: LABEL_SIZE - 1 };
  const beside = { ...offset(frame), ...fading(frame), text };
  // A halo parts them from the line at 1.
  return [{ stroke: HALO, strokeWidth: 3, strokeJoin: "round" }, {}].flatMap((look) => [
    { mark: { ...mark, ...look, align: "left", dx: 8 }, encoding: beside },
    { ...panelData("paper", name, frame), mark: { ...mark, ...look, align: "right", dx: -8 }, encoding: beside },
  ]);
}

/** The paper's numbers as hollow diamonds, beside or upon ours. */
function paperLayer(name: string, frame: FigureFrame): Layer[] {
  if (!frame.data.paper.some(({ panel }) => panel === name)) return [];
  return [
    {
      ...panelData("paper", name, frame),
      // Ours is seen through it, but for a bar, which it would not be seen upon.
      mark: {
        type: "point",
        shape: "diamond",
        fill: frame.bars ? HALO : "transparent",
        stroke: colorOf(frame),
        strokeWidth: 1.3,
        size: 90,
        opacity: 1,
      },
      encoding: {
        ...tooltip(frame, [{ field: "series" }, { field: "y", title: "the paper" }]),
        ...offset(frame),
        ...fading(frame),
      },
    },
  ];
}
