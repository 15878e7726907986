import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { packageRoot } from "../../bench/base/paths.js";
import { experiments } from "../../bench/experiments/index.js";
import { readResults } from "../../bench/results/read.js";
import type { ResultRow } from "../../bench/results/record.js";
import { row } from "../../bench/results/testing.js";
import { onAxis } from "./beyond.js";
import { drawing } from "./figure.js";
import { labelPlaces } from "./labels.js";
import { looksOf } from "./looks.js";
import { rowsOf } from "./rows.js";
import { framesOf } from "./scales.js";
import { MOST_SERIES } from "./shown.js";
import { seriesColor, seriesShape } from "./style.js";
import { experiment } from "./testing.js";

const table = (id: string, changes: Partial<ResultRow> = {}): ResultRow => row({ table: id, variant: "", ...changes });
const names = (rows: readonly ResultRow[]) => {
  const { data, omitted } = drawing(experiment({ series: [] }), rows);
  return { drawn: data.series.map((s) => `${s.table} ${s.variant}`.trim()), omitted };
};
const NINE = ["bucketed", "quotient", "cuckoo", "double-hashing", "stash", "slab-hash", "dycuckoo", "warpcore", "gph"];

describe("a figure of more than eight series", () => {
  const program = (variant: string) => table("warpcore-cuda", { api: "cuda", variant });
  const variant = table("cuckoo", { variant: "small" });
  const seven = NINE.slice(0, 7).map((id) => table(id));

  test("leaves out a program's fastest settings before the program, and names them", () => {
    const { drawn, omitted } = names([...seven, program(""), program("fastest")]);
    expect(drawn).toHaveLength(8);
    expect(drawn).toContain("warpcore-cuda");
    expect(omitted).toEqual(["warpcore-cuda fastest, CUDA"]);
  });

  test("leaves out programs before variants, and variants before tables", () => {
    expect(names([...seven, variant, program("")]).drawn).not.toContain("warpcore-cuda");
    const { drawn } = names([...NINE.slice(0, 8).map((id) => table(id)), variant, program("")]);
    expect(drawn.toSorted()).toEqual(NINE.slice(0, 8).toSorted());
  });

  test("leaves out the last of nine tables", () => {
    expect(names(NINE.map((id) => table(id))).omitted).toHaveLength(1);
  });
});

test("a figure of eight series leaves none out", () => {
  expect(names(NINE.slice(0, 8).map((id) => table(id))).omitted).toEqual([]);
});

describe("colours and shapes", () => {
  const look = (tables: readonly string[]) => looksOf(tables).map((i) => `${seriesColor(i)} ${seriesShape(i)}`);

  test("a table's are the same in every figure, and those of its original", () => {
    const [alone] = look(["warpcore"]);
    expect(look(["gph", "warpcore", "cuckoo"])[1]).toBe(alone);
    expect(look(["warpcore-cuda", "dycuckoo"])[0]).toBe(alone);
  });

  test("tables differ, and variants of one in their shades and shapes", () => {
    expect(new Set(NINE.map((id) => seriesColor(looksOf([id])[0] ?? 0))).size).toBe(NINE.length);
    const [first, second] = looksOf(["cuckoo", "cuckoo", "gph"]) as [number, number];
    expect(seriesColor(second)).not.toBe(seriesColor(first));
    expect(seriesShape(second)).not.toBe(seriesShape(first));
  });

  test("no two series of a figure look alike, however many there are", () => {
    const all = look([...NINE, ...NINE, "cuckoo", "cuckoo", "my-table", "your-table"]);
    expect(new Set(all).size).toBe(all.length);
  });
});

describe.each(["nvidia-h200", "nvidia-h100"])("the kept run on %s", async (folder) => {
  const rows = await readResults(join(packageRoot, "results", folder));

  test("has figures of at most eight series, each with a name and a look of its own", () => {
    const measured = experiments.filter((one) => rowsOf(one, rows).length > 0);
    expect(measured.length).toBeGreaterThan(50);
    for (const one of measured) {
      const { experiment, data } = drawing(one, rows);
      const all = [...onAxis(experiment, data, false).data.series, ...data.referenceSeries];
      expect(all.length, one.id).toBeLessThanOrEqual(MOST_SERIES);
      const looks = all.map(
        (s) => `${seriesColor(s.index)} ${seriesShape(s.index)} ${s.native ?? s.reference ?? false}`,
      );
      expect(new Set(looks).size, one.id).toBe(all.length);
    }
  });

  test("has no label over data", () => {
    const over = experiments.flatMap((one) => {
      const drawn = drawing(one, rows);
      const { data } = onAxis(drawn.experiment, drawn.data, false);
      const frames = framesOf(drawn.experiment, data, { columns: 2, width: 330, height: 250 }, false);
      const labels = frames.flatMap((frame, i) => labelPlaces(data.panels[i] ?? "", frame));
      return labels.filter(({ hidden }) => hidden > 0).map(({ text, hidden }) => `${one.id}: ${text}, ${hidden}`);
    });
    expect(over).toEqual([]);
  });
});
