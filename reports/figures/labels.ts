/** The names of a panel's limits and of the paper's numbers, each where it hides least of what is drawn. */
import { formatNumber } from "../../bench/base/format.js";
import { groupBy } from "../../bench/results/group.js";
import { pixelAlong } from "./axes.js";
import { limitLabel } from "./caption.js";
import { type FigureFrame, fading, type Layer } from "./frame.js";
import { freest, Marks, type Spot } from "./label-place.js";
import type { LimitPoint } from "./plot-data.js";
import { HALO, HEADING_SIZE, INK, LABEL_SIZE, LIMIT_COLOR } from "./style.js";
import { textWidth, wrapText } from "./text.js";

const SIZE = LABEL_SIZE - 1;
const SMALLEST = 7.5;
const HEADING_LINE = HEADING_SIZE + 3;
/** Pixels between a name and its line, or the panel's frame. */
const GAP = 4;
/** A limit whose highest point is less than this many times its lowest is called by one number. */
const LEVEL = 1.03;
/** Places along x that are tried for a name. */
const PLACES = 12;
interface Name {
  readonly text: string;
  readonly color: string;
  /** "" where the name belongs to no series. */
  readonly series: string;
  /** Upper left corners to choose from, the most welcome first. */
  readonly corners: readonly Spot[];
  /** Text and corners that are used where all corners are taken. */
  readonly elsewhere?: Pick<Name, "text" | "corners">;
}

/** The panel's name above it, and labels over everything else of it, on a halo that parts them from it. */
export function textLayer(panel: string, frame: FigureFrame): Layer[] {
  const look = { align: "left", baseline: "top", weight: "normal", halo: null };
  const labels = labelPlaces(panel, frame).map(({ text, size, x, y, color, series }) => {
    return { text, size, x, y, color, series, ...look };
  });
  const halos = labels.map((label) => ({ ...label, halo: HALO }));
  const values = [...heading(panel, frame.layout.width), ...halos, ...labels];
  if (values.length === 0) return [];
  const its = (field: string) => ({ expr: `datum.${field}` });
  const place = { align: its("align"), baseline: its("baseline"), lineHeight: HEADING_LINE };
  const font = { text: its("text"), fontSize: its("size"), fontWeight: its("weight"), color: its("color") };
  const halo = { stroke: its("halo"), strokeWidth: 3, strokeJoin: "round" };
  return [
    {
      data: { values },
      mark: { type: "text", ...place, ...font, ...halo },
      encoding: { x: { value: its("x") }, y: { value: its("y") }, ...fading(frame) },
    },
  ];
}

/** Not a title: its distance from the panel would depend on the labels of the panel's axes. */
function heading(name: string, width: number) {
  if (name === "") return [];
  const text = wrapText(name, width, HEADING_SIZE, true);
  const look = { align: "center", baseline: "bottom", weight: "bold", size: HEADING_SIZE, color: INK, halo: null };
  return [{ text, x: width / 2, y: -8 - (text.length - 1) * HEADING_LINE, series: "", ...look }];
}

/** Where the labels of a panel stand, and how many spots of marks each hides. */
export function labelPlaces(panel: string, frame: FigureFrame) {
  const names = [
    ...limitNames(panel, frame),
    ...rangeNames(panel, frame),
    ...uprightNames(panel, frame),
    ...ratioNames(panel, frame),
  ];
  if (names.length === 0) return [];
  const taken = marksOf(panel, frame);
  const room = frame.layout.width - 2 * GAP;
  return names.map(({ color, series, elsewhere, ...name }) => {
    const boxes = [name, ...(elsewhere ? [elsewhere] : [])].flatMap(({ text, corners }) => {
      // A name as wide as the panel is written smaller.
      const size = Math.min(SIZE, Math.max(SMALLEST, (SIZE * room) / textWidth(text, SIZE)));
      const box = { text, size, width: Math.min(room, textWidth(text, size)), height: size };
      return corners.map((corner) => ({ ...box, ...corner }));
    });
    const welcome = freest(boxes, taken, frame.layout);
    // Rather away from its line than over data, but as near as may be.
    const far = (corner: Spot): number => Math.hypot(corner.x - welcome.x, corner.y - welcome.y);
    const free = () =>
      anywhere(frame.layout)
        .sort((a, b) => far(a) - far(b))
        .map((corner) => ({ ...welcome, ...corner }));
    const place = taken.under(welcome) > 0 ? freest([welcome, ...free()], taken, frame.layout) : welcome;
    const hidden = taken.under(place);
    taken.outline(place);
    return { ...place, color, series, hidden };
  });
}

/** At the right end of what the axis has of a limit; of one that lies above it, anywhere along the frame. */
function limitNames(panel: string, { data, x, y, unitFactor, layout }: FigureFrame): Name[] {
  const own = data.limits.filter((limit) => limit.panel === panel);
  const [, top] = y.scale.domain as [number, number];
  const onAxis = (limit: LimitPoint): boolean => limit.y * unitFactor <= top;
  const lines = [...new Set(own.map(({ line }) => line))];
  // How many lanes share an access is said where it tells lines apart.
  const short = (line: string): string => line.replace(/ by \d+ lanes/g, "");
  return lines.map((full): Name => {
    const points = own.filter((limit) => limit.line === full);
    const line = lines.some((other) => other !== full && short(other) === short(full)) ? full : short(full);
    const shown = points.findLast(onAxis);
    const look = { color: LIMIT_COLOR, series: "" };
    if (!shown) {
      const level = Math.max(...points.map((limit) => limit.y)) * unitFactor;
      const text = `${limitLabel(line, level)} (above the axis)`;
      const room = layout.width - textWidth(text, SIZE) - GAP;
      const rows = [GAP + 2, GAP + 2 + 1.4 * SIZE, layout.height - GAP - SIZE];
      return {
        ...look,
        text,
        corners: rows.flatMap((row) =>
          along(room)
            .map((at) => ({ x: at, y: row }))
            .reverse(),
        ),
      };
    }
    const text = limitLabel(line, shown.y * unitFactor);
    const levels = points.map((limit) => limit.y);
    const isLevel = Math.max(...levels) < LEVEL * Math.min(...levels);
    const flat = x.type === "ordinal" || shown.x === data.xs.at(-1);
    const right = flat ? layout.width - GAP : pixelX(shown.x, data, x, layout.width);
    const spots = points.filter(onAxis).map((limit) => ({
      x: pixelX(limit.x, data, x, layout.width),
      y: pixelY(limit.y * unitFactor, y, layout.height),
    }));
    const sides = (left: number, name: string): Spot[] => {
      const [top, bottom] = reach(spots, left, left + textWidth(name, SIZE));
      const rows = [top - GAP - SIZE, bottom + GAP];
      // Under a line that falls to its name.
      if (bottom - top > 1) rows.reverse();
      return rows.map((row) => ({ x: left, y: row }));
    };
    const end = right - textWidth(text, SIZE);
    // A level line has its name anywhere along it; of one that slopes the number is right at its end alone.
    const name = isLevel ? text : line;
    const others = along(right - textWidth(name, SIZE)).reverse();
    return {
      ...look,
      text,
      corners: sides(end, text),
      elsewhere: { text: name, corners: others.flatMap((left) => sides(left, name)) },
    };
  });
}

/** Above, below or within a range, as far left as may be. */
function rangeNames(panel: string, { data, y, unitFactor, layout }: FigureFrame): Name[] {
  const own = data.paperRanges.filter((range) => range.panel === panel);
  return own.map(({ label, series, from, to }) => {
    const text = `paper: ${label}`;
    const [low, high] = [from, to].map((v) => pixelY(v * unitFactor, y, layout.height)) as [number, number];
    const rows = [high - GAP - SIZE + 1, low + GAP - 1, ...(low - high > SIZE ? [(low + high - SIZE) / 2] : [])];
    const room = Math.max(GAP, layout.width - textWidth(text, SIZE) - GAP);
    return { text, color: INK, series, corners: along(room).flatMap((x) => rows.map((row) => ({ x, y: row }))) };
  });
}

/** Beside a place of x, at the bottom or at the top. */
function uprightNames(panel: string, { data, x, layout }: FigureFrame): Name[] {
  const own = uprightsOn(panel, data, x);
  return own.map(({ label, x: at }) => {
    const text = `paper: ${label}`;
    const place = pixelX(at, data, x, layout.width);
    const sides = [place + GAP, place - GAP - textWidth(text, SIZE)];
    const rows = [layout.height - GAP - SIZE, GAP];
    return { text, color: INK, series: "", corners: rows.flatMap((row) => sides.map((side) => ({ x: side, y: row }))) };
  });
}

/** More ratios in a panel are not named. */
const NAMED_RATIOS = 2;

/** The paper's ratios, beside their marks. */
function ratioNames(panel: string, { data, x, y, unitFactor, layout }: FigureFrame): Name[] {
  const own = data.paper.filter((mark) => mark.panel === panel && mark.ratio !== undefined);
  if (own.length > NAMED_RATIOS) return [];
  return own.map((mark) => {
    const text = `paper: ${formatNumber(mark.ratio ?? 0, 4)}×`;
    const [across, down] = [pixelX(mark.x, data, x, layout.width), pixelY(mark.y * unitFactor, y, layout.height)];
    const left = across - 10 - textWidth(text, SIZE);
    const corners = [left, across + 10].map((at) => ({ x: at, y: down - SIZE / 2 }));
    return { text, color: INK, series: mark.series, corners };
  });
}

/** The paper's upright lines, on a numeric axis. */
export function uprightsOn(
  panel: string,
  data: FigureFrame["data"],
  x: FigureFrame["x"],
): { label: string; x: number }[] {
  if (x.type !== "quantitative") return [];
  const [from, to] = x.scale.domain as [number, number];
  return data.paperUprights.filter((one) => one.panel === panel && one.x >= from && one.x <= to);
}

/** Corners all over a panel. */
function anywhere({ width, height }: FigureFrame["layout"]): Spot[] {
  const rows = Array.from({ length: Math.floor(height / SIZE) - 1 }, (_, i) => GAP + i * SIZE);
  return rows.flatMap((y) => along(width).map((x) => ({ x, y })));
}

/** From left to right. */
function along(room: number): number[] {
  return Array.from({ length: PLACES }, (_, i) => GAP + (i * (room - GAP)) / (PLACES - 1));
}

/** The highest and the lowest pixel of a line between two places of x; beyond its ends it goes on level. */
function reach(spots: readonly Spot[], left: number, right: number): [top: number, bottom: number] {
  const within = spots.filter(({ x }) => x > left && x < right).map(({ y }) => y);
  const ys = [levelAt(spots, left), ...within, levelAt(spots, right)];
  return [Math.min(...ys), Math.max(...ys)];
}

function levelAt(spots: readonly Spot[], x: number): number {
  const after = spots.findIndex((spot) => spot.x >= x);
  const [from, to] = [spots[after < 0 ? spots.length - 1 : Math.max(0, after - 1)], spots.at(after)];
  if (!from || !to) throw new Error("a line without a point");
  return to.x > from.x ? from.y + (to.y - from.y) * Math.min(1, Math.max(0, x - from.x) / (to.x - from.x)) : to.y;
}

/** The marks that the panel has already, in its pixels. */
function marksOf(panel: string, frame: FigureFrame): Marks {
  const { data, reference, layout, x: axis, y, unitFactor } = frame;
  const marks = new Marks();
  const height = (value: number): number => pixelY(value * unitFactor, y, layout.height);
  const level = (at: number): void => marks.line({ x: 0, y: at }, { x: layout.width, y: at });
  const points = data.points.filter((p) => p.panel === panel);
  const along = pixelsAlong(data, axis, layout.width);
  const place = (x: number | string, series: string): number => along(x) + (frame.grouped ? shift(series, frame) : 0);
  for (const [i, p] of points.entries()) {
    const at = { x: place(p.x, p.series), y: height(p.y) };
    const next = points[i + 1];
    const goesOn = !frame.grouped && next?.series === p.series && next.segment === p.segment;
    marks.line(at, goesOn ? { x: place(next.x, next.series), y: height(next.y) } : at);
    // A symbol counts more than a line.
    marks.outline({ x: at.x - 4, y: at.y - 4, width: 8, height: 8 });
    const lowest = frame.bars ? layout.height : height(p.lo ?? p.y);
    marks.line({ x: at.x, y: height(p.hi ?? p.y) }, { x: at.x, y: lowest });
  }
  for (const p of [...data.paper, ...data.references]) {
    if (p.panel !== panel) continue;
    marks.outline({ x: place(p.x, p.series) - 5, y: height(p.y) - 5, width: 10, height: 10 });
  }
  const limits = groupBy(
    data.limits.filter((limit) => limit.panel === panel),
    ({ line }) => line,
  );
  for (const own of limits.values()) {
    const spots = own.map((limit) => ({ x: along(limit.x), y: height(limit.y) }));
    for (const [i, spot] of spots.slice(1).entries()) marks.line(spots[i] as Spot, spot);
    if (spots.length === 1) level(spots[0]?.y ?? 0);
  }
  for (const range of data.paperRanges) {
    if (range.panel !== panel) continue;
    level(height(range.from));
    level(height(range.to));
  }
  if (reference !== null) level(height(reference));
  for (const { x } of uprightsOn(panel, data, axis)) {
    const at = along(x);
    marks.line({ x: at, y: 0 }, { x: at, y: layout.height });
  }
  return marks;
}

/** From the middle of an x to where a series stands beside the others, as vega-lite's bands do it. */
function shift(series: string, { data, colors, layout }: FigureFrame): number {
  const band = 0.8 * (layout.width / data.xs.length);
  return band * ((colors.domain.indexOf(series) + 0.5) / colors.domain.length - 0.5);
}

function pixelX(x: number | string, { xs }: FigureFrame["data"], axis: FigureFrame["x"], width: number): number {
  if (axis.type === "quantitative") return pixelAlong(axis, Number(x), width);
  return ((xs.indexOf(x) + 0.5) / xs.length) * width;
}

/** {@link pixelX} of many points at a few places. */
function pixelsAlong(data: FigureFrame["data"], axis: FigureFrame["x"], width: number): (x: number | string) => number {
  const known = new Map<number | string, number>();
  return (x) => {
    const pixel = known.get(x) ?? pixelX(x, data, axis, width);
    known.set(x, pixel);
    return pixel;
  };
}

function pixelY(drawn: number, axis: FigureFrame["y"], height: number): number {
  return height - pixelAlong(axis, drawn, height);
}
