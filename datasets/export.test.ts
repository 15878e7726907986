import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parquetReadObjects } from "hyparquet";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { UsageError } from "../kernels/device/errors.js";
import { exportDataset } from "./export.js";
import { fileKeys } from "./file.js";
import { openDataset } from "./index.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hashbench-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const COLUMNS = ["orderkey", "partkey", "linenumber", "linestatus"];
const SHA256 = "c0368e35eb129d1d528e943db60280d824f59080639318d1c5dea0f8d00ccf3c";

async function collect(chunks: AsyncIterable<Uint32Array>): Promise<number[]> {
  const keys: number[] = [];
  for await (const chunk of chunks) keys.push(...chunk);
  return keys;
}

describe("export", () => {
  it("writes lineitem at scale factor 0.01 as dbgen does, by its sha256", async () => {
    const out = join(folder, "lineitem.tbl");
    const summary = await exportDataset({ name: "lineitem", sf: 0.01, seed: 1, columns: COLUMNS, out });
    expect(summary).toMatchObject({ rows: 60_175, sha256: SHA256, format: "tbl" });
    const content = await readFile(out);
    expect(content.length).toBe(summary.bytes);
    expect(createHash("sha256").update(content).digest("hex")).toBe(SHA256);
    expect(await readdir(folder)).toEqual(["lineitem.tbl"]);
  });

  it("writes columns with a header if csv is asked for", async () => {
    const out = join(folder, "lineitem.csv");
    await exportDataset({ name: "lineitem", n: 2, seed: 1, columns: ["orderkey", "shipdate", "tax"], out });
    expect(await readFile(out, "utf8")).toBe("orderkey,shipdate,tax\n1,1996-03-13,0.02\n1,1996-04-12,0.06\n");
  });

  it("writes lineitem's columns to Parquet with their types", async () => {
    const out = join(folder, "lineitem.parquet");
    const columns = ["orderkey", "extendedprice", "returnflag", "shipdate"];
    const { rows } = await exportDataset({ name: "lineitem", sf: 0.001, seed: 1, columns, out });
    const { buffer } = Uint8Array.from(await readFile(out));
    const objects = await parquetReadObjects({ file: buffer });
    expect(objects.length).toBe(rows);
    // Part 156 at scale factor 0.001 (155,190 at 1): retail price 1,056.15, quantity 17.
    expect(objects[0]).toEqual({
      orderkey: 1,
      extendedprice: 17954.55,
      returnflag: "N",
      shipdate: new Date("1996-03-13"),
    });
  });

  it.each(["csv", "parquet"] as const)(
    "writes keys to %s that come back when the file is used as a data set",
    async (format) => {
      const out = join(folder, `keys.${format}`);
      const { rows } = await exportDataset({ name: "random", n: 70_000, seed: 6, out });
      expect(rows).toBe(70_000);
      const keys = await collect((await openDataset("random", { n: 70_000, seed: 6 })).chunks());
      expect(await collect((await fileKeys(`${out}?columns=key&as=u32`, { seed: 0 })).chunks())).toEqual(keys);
      const values = await collect((await fileKeys(`${out}?columns=value&as=u32`, { n: 3, seed: 0 })).chunks());
      expect(values).toEqual([0, 1, 2]);
    },
  );

  it("writes keys and values to bin as pairs of little-endian u32", async () => {
    const out = join(folder, "keys.bin");
    await exportDataset({ name: "zipf:1", n: 1000, seed: 6, out });
    const keys = await collect((await openDataset("zipf:1", { n: 1000, seed: 6 })).chunks());
    const content = await readFile(out);
    expect(content.length).toBe(8000);
    expect(keys.map((_, i) => content.readUInt32LE(8 * i))).toEqual(keys);
    expect(content.readUInt32LE(8 * 999 + 4)).toBe(999);
  });

  it("writes all keys of a scale factor if no n is given", async () => {
    const out = join(folder, "keys.csv");
    const { rows } = await exportDataset({ name: "lineitem", sf: 0.01, seed: 1, columns: ["key"], out });
    // 60,175 rows hashed to 32 bits: 0.4 duplicates expected.
    expect(rows).toBeGreaterThan(60_170);
    expect(rows).toBeLessThanOrEqual(60_175);
  });

  it("leaves neither the file nor a part of it behind when the data fails on the way", async () => {
    const csv = join(folder, "source.csv");
    await exportDataset({ name: "random", n: 10, seed: 1, out: csv });
    const out = join(folder, "out.bin");
    await expect(exportDataset({ name: `file:${csv}?columns=key`, n: 11, seed: 1, out })).rejects.toThrow(
      "has 10 rows",
    );
    expect(await readdir(folder)).toEqual(["source.csv"]);
  });

  it.each([
    [{ name: "lineitem", n: 1, columns: ["ordrkey"] }, 'lineitem has no column "ordrkey", did you mean orderkey?'],
    [
      { name: "random", n: 1, columns: ["keys"] },
      'random has no column "keys", did you mean key? There are: key, value',
    ],
    [{ name: "random", sf: 1 }, "random has no scale factor; give n"],
    [{ name: "random" }, "random needs the number of keys, n"],
    [{ name: "lineitem", columns: ["orderkey"] }, "lineitem needs the number of rows, n, or a scale factor"],
    [{ name: "lineitem", sf: 1.5 }, "scale factor 1.5 is not one of"],
    [{ name: "lineitem", n: 1, columns: [] }, "no columns named"],
    [
      { name: "lineitem", n: 1, columns: ["tax"], format: "bin" as const },
      "bin holds integers only, and tax is not one",
    ],
  ])("refuses %j", async (options, message) => {
    const failed = exportDataset({ seed: 1, out: join(folder, "x"), ...options });
    await expect(failed).rejects.toThrow(message);
    await expect(failed).rejects.toBeInstanceOf(UsageError);
    expect(await readdir(folder)).toEqual([]);
  });

  it("replaces a file only where it is told to", async () => {
    const out = join(folder, "keys.csv");
    await exportDataset({ name: "random", n: 3, seed: 1, out });
    const before = await readFile(out, "utf8");
    await expect(exportDataset({ name: "random", n: 2, seed: 1, out })).rejects.toThrow("exists; give --force");
    expect(await readFile(out, "utf8")).toBe(before);
    const { rows } = await exportDataset({ name: "random", n: 2, seed: 1, out, force: true });
    expect([rows, (await readFile(out, "utf8")).split("\n").length]).toEqual([2, 4]);
  });

  it("takes a name without an ending of a format only with a format", async () => {
    const out = join(folder, "keys.txt");
    await expect(exportDataset({ name: "random", n: 2, seed: 1, out })).rejects.toThrow("its ending is not one of");
    expect((await exportDataset({ name: "random", n: 2, seed: 1, out, format: "bin" })).format).toBe("bin");
  });

  it("says why a file cannot be written", async () => {
    const options = { name: "random", n: 1, seed: 1 };
    await expect(exportDataset({ ...options, out: join(folder, "none", "x.csv") })).rejects.toThrow(
      "none does not exist",
    );
    await expect(exportDataset({ ...options, out: folder, format: "csv" })).rejects.toThrow("is a folder, not a file");
  });
});
