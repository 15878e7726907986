import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parquetWriteBuffer } from "hyparquet-writer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { UsageError } from "../kernels/device/errors.js";
import { DELETED, EMPTY } from "./dataset.js";
import { fileKeys, hashText } from "./file.js";
import { parseFileSpec } from "./files/spec.js";
import { keyConstants, keyOf } from "./random.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hashbench-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function file(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

/** 2,500 rows in three row groups. */
function parquet(): Uint8Array {
  const rows = Array.from({ length: 2500 }, (_, i) => i);
  const columnData = [
    { name: "id", data: rows.map((i) => i * 3), type: "INT32" as const },
    { name: "name", data: rows.map((i) => `name ${i}`), type: "STRING" as const },
  ];
  return new Uint8Array(parquetWriteBuffer({ columnData, rowGroupSize: 1000 }));
}

async function keysOf(rest: string, n?: number, seed = 1): Promise<number[]> {
  const keys: number[] = [];
  for await (const chunk of (await fileKeys(rest, { n, seed })).chunks()) keys.push(...chunk);
  return keys;
}

/** The message of the UsageError that reading the whole data set throws; paths in it without the folder. */
async function errorOf(rest: string, n?: number): Promise<string> {
  const error = await keysOf(rest, n).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(UsageError);
  const { message } = error as UsageError;
  expect(message).not.toContain("\n");
  return message.replaceAll(`${folder}/`, "");
}

describe("a file's spelling", () => {
  it("names the path, the columns and how to use them", () => {
    expect(parseFileSpec("a?b.csv?columns=x,y%2Cz&delimiter=%7C")).toEqual({
      path: "a?b.csv",
      columns: ["x", "y,z"],
      as: "hash",
      text: { delimiter: "|" },
    });
    expect(parseFileSpec("l.tbl?columns=1").text).toEqual({ delimiter: "|", header: false });
    expect(parseFileSpec("f?columns=x&encoding=latin1&header=yes").text).toEqual({
      ...{ delimiter: ",", encoding: "latin1", header: true },
    });
    expect(parseFileSpec("f?columns=x&as=u32").as).toBe("u32");
  });

  it.each([
    ["", "file: no path given; write file:<path>?columns=a,b"],
    ["a.csv", "file: no columns named for a.csv; write"],
    ["a.csv?columns=", "file: no columns named for a.csv; write"],
    ["a.csv?column=x", 'file: unknown option "column", did you mean columns? write'],
    ["a.csv?columns=x&as=u64", "file: as=u64 is neither as=hash nor as=u32"],
    ["a.csv?columns=x,y&as=u32", "file: as=u32 takes one column, not 2"],
    ["a.csv?columns=x&delimiter=", "file: the delimiter is empty"],
    ["a.csv?columns=x&header=maybe", "file: header=maybe is neither header=yes nor header=no"],
    ["a.csv?columns=x&encoding=klingon", 'file: no encoding "klingon"; write utf-8, utf-16le, latin1'],
    ["a.csv?columns=x%", 'file: "x%" is not a well-formed URL component'],
  ])("is refused if it is %j", (rest, message) => {
    expect(() => parseFileSpec(rest)).toThrow(message);
  });
});

describe("a file's keys", () => {
  it("are one integer column as it is, duplicates kept, with as=u32", async () => {
    const path = await file("ids.csv", '\ufeffname,id\n"a, b",7\n\nc,4294967293\nd,7\n');
    const source = await fileKeys(`${path}?columns=id&as=u32`, { seed: 1 });
    expect(source.n).toBe(3);
    const keys: number[] = [];
    for await (const chunk of source.chunks()) keys.push(...chunk);
    expect(keys).toEqual([7, 4294967293, 7]);
    expect(source.unique()).toBe(2);
    const absent = await source.absent(100);
    expect(new Set([...absent, ...keys]).size).toBe(102);
    expect(source.note).toContain("rejected");
  });

  it("are the hash of the columns, which depends on their order, their borders and the seed", async () => {
    const path = await file("pairs.csv", "a,b\nx,yz\nxy,z\nx,yz\n");
    const [first, second, third] = await keysOf(`${path}?columns=a,b`);
    expect(third).toBe(first);
    expect(second).not.toBe(first);
    expect((await keysOf(`${path}?columns=b,a`))[0]).not.toBe(first);
    expect((await keysOf(`${path}?columns=a,b`, undefined, 2))[0]).not.toBe(first);
  });

  it("are the same from CSV and from Parquet", async () => {
    const rows = Array.from({ length: 2500 }, (_, i) => `${i * 3},name ${i}\n`);
    const csv = await file("same.csv", `id,name\n${rows.join("")}`);
    const binary = await file("same.parquet", parquet());
    const keys = await keysOf(`${csv}?columns=name,id`);
    expect(keys.length).toBe(2500);
    expect(await keysOf(`${binary}?columns=name,id`)).toEqual(keys);
    expect(await keysOf(`${binary}?columns=name,id`, 1500)).toEqual(keys.slice(0, 1500));
    for (const of of [csv, binary]) expect((await fileKeys(`${of}?columns=id`, { seed: 1 })).n).toBe(2500);
  });

  it("have no reserved keys: a hash that is one is remapped, and the note says so", async () => {
    // Texts found by search: with seed 1 they hash to DELETED and EMPTY.
    const texts = ["anb5k72", "cwr8xqx"];
    const [salt] = keyConstants(1);
    expect(texts.map((text) => hashText(text, salt))).toEqual([DELETED, EMPTY]);
    const path = await file("reserved keys.csv", `a\n${texts.join("\n")}\n`);
    expect(await keysOf(`${path}?columns=a`)).toEqual([keyOf(0, 1), keyOf(1, 1)]);
    const source = await fileKeys(`${path}?columns=a`, { seed: 1 });
    for await (const _ of source.chunks());
    expect(source.note).toBe("columns hashed to 32 bits; 2 reserved keys remapped");
  });

  it("use another delimiter if told", async () => {
    const path = await file("semicolon.csv", "a;b\n1;2\n");
    expect(await keysOf(`${path}?columns=b&as=u32&delimiter=;`)).toEqual([2]);
  });
});

/** The integers of column k, or of the first where there is no header. */
const integersOf = async (name: string, content: string | Uint8Array, options = "&columns=k") =>
  keysOf(`${await file(name, content)}?as=u32${options}`);

describe("a CSV file is read", () => {
  it.each([
    [
      "with bytes of another encoding",
      "latin1.csv",
      Buffer.from("k\nM\xfcller\nM\xf6ller\n", "latin1"),
      "&encoding=latin1",
    ],
    [
      "with a byte order mark of UTF-16, the low byte first",
      "le.csv",
      Buffer.from("\ufeffk\nMüller\nMöller\n", "utf16le"),
      "",
    ],
    [
      "with a byte order mark of UTF-16, the high byte first",
      "be.csv",
      Buffer.from("\ufeffk\nMüller\nMöller\n", "utf16le").swap16(),
      "",
    ],
    ["in UTF-16 without a mark", "bare16.csv", Buffer.from("k\nMüller\nMöller\n", "utf16le"), ""],
  ])("%s", async (_, name, content, options) => {
    const expected = await keysOf(`${await file("utf8.csv", "k\nMüller\nMöller\n")}?columns=k`);
    expect(await keysOf(`${await file(name, content)}?columns=k${options}`)).toEqual(expected);
  });

  it("with empty lines as rows where there is one column, and without them among several", async () => {
    const texts = await keysOf(`${await file("one.csv", "\nk\n1\n\n3\n\n")}?columns=k`);
    expect(texts).toEqual(await keysOf(`${await file("quoted.csv", 'k\n1\n""\n3\n""\n')}?columns=k`));
    expect(texts).toHaveLength(4);
    expect(await integersOf("two.csv", "\nk,v\n1,2\n\n3,4\n\n")).toEqual([1, 3]);
  });

  it("with line ends of several kinds", async () => {
    expect(await integersOf("ends.csv", "v,k\n1,2\r\n3,4\r5,6\n")).toEqual([2, 4, 6]);
  });

  it("without a header, its columns by number", async () => {
    const options = "&columns=2&header=no";
    expect(await integersOf("bare.csv", "10,20\n11,21\n", options)).toEqual([20, 21]);
    expect(await integersOf("lines.tbl", "10|20\n11|21\n", "&columns=2")).toEqual([20, 21]);
  });

  it("with a header of numbers, if told", async () => {
    expect(await integersOf("years.csv", "2024,2025\n1,2\n", "&columns=2025&header=yes")).toEqual([2]);
  });
});

describe("a file that cannot serve is refused in one line:", () => {
  it("its first line may be a row", async () => {
    expect(await errorOf(`${await file("bare.csv", "10,20\n11,21\n")}?columns=10`)).toBe(
      "bare.csv: the first line has numbers alone (10, 20); header=no if it is data, whose columns are then called 1, 2 …, or header=yes",
    );
  });

  it("it is of another encoding", async () => {
    const path = await file("latin1.csv", Buffer.from("k\nM\xfcller\n", "latin1"));
    expect(await errorOf(`${path}?columns=k`)).toBe(
      "latin1.csv is not utf-8 throughout; name its encoding, such as encoding=latin1",
    );
  });

  it("it does not exist", async () => {
    expect(await errorOf(join(folder, "none.csv?columns=a"))).toBe("none.csv does not exist");
  });

  it("it is a folder", async () => {
    await mkdir(join(folder, "sub"));
    expect(await errorOf(join(folder, "sub?columns=a"))).toBe("sub is a folder, not a file");
  });

  it("it is empty", async () => {
    expect(await errorOf(`${await file("empty.csv", "")}?columns=a`)).toBe("empty.csv is empty");
  });

  it("it has a header only", async () => {
    expect(await errorOf(`${await file("header.csv", "a,b\n")}?columns=a`)).toBe("header.csv has no rows");
  });

  it("it lacks a column", async () => {
    const message =
      'has no column "ordrkey", did you mean orderkey? It has: partkey, orderkey (read by encoding utf-8 and delimiter ",")';
    const path = await file("columns.csv", "partkey,orderkey\n1,2\n");
    expect(await errorOf(`${path}?columns=ordrkey`)).toBe(`columns.csv ${message}`);
    const binary = await file("columns.parquet", parquet());
    expect(await errorOf(`${binary}?columns=nam`)).toBe(
      'columns.parquet has no column "nam", did you mean name? It has: id, name',
    );
  });

  it("it lacks a column by the delimiter tried, whatever its rows", async () => {
    expect(await errorOf(`${await file("comma.csv", "k;v\n1,5;2\n")}?columns=k`)).toBe(
      'comma.csv has no column "k". It has: k;v (read by encoding utf-8 and delimiter ",")',
    );
  });

  it.each([
    ["x", 'row 2: column "a" is "x", not an integer; leave out as=u32 to hash it'],
    ["1.5", 'row 2: column "a" is "1.5", not an integer; leave out as=u32 to hash it'],
    ["-1", 'row 2: column "a" is -1, not between 0 and 4294967293 (the two largest u32 mark slots)'],
    ["4294967294", 'row 2: column "a" is 4294967294, not between 0 and 4294967293 (the two largest u32 mark slots)'],
    ["99999999999", 'row 2: column "a" is 99999999999, not between 0 and 4294967293 (the two largest u32 mark slots)'],
  ])("as=u32 and a field is %s", async (field, message) => {
    const path = await file("number.csv", `a,b\n1,0\n${field},0\n`);
    expect(await errorOf(`${path}?columns=a&as=u32`)).toBe(`number.csv, ${message}`);
  });

  it("it has fewer rows than wanted", async () => {
    const path = await file("short.csv", "a\n1\n2\n");
    expect(await errorOf(`${path}?columns=a`, 3)).toBe("short.csv has 2 rows, 3 are wanted");
    const binary = await file("short.parquet", parquet());
    await expect(fileKeys(`${binary}?columns=id`, { n: 2501, seed: 0 })).rejects.toThrow(
      "has 2500 rows, 2501 are wanted",
    );
  });

  it("its CSV is malformed", async () => {
    const fields = await file("fields.csv", "a,b\n1,2\n3\n");
    expect(await errorOf(`${fields}?columns=a`)).toBe(
      "fields.csv is malformed: Invalid Record Length: expect 2, got 1 on line 3",
    );
    const quote = await file("quote.csv", 'a,b\n1,"2\n');
    expect(await errorOf(`${quote}?columns=a`)).toMatch(/^quote.csv is malformed: Quote Not Closed: .* line \d+/);
  });

  it("its Parquet is truncated", async () => {
    const whole = parquet();
    const path = await file("cut.parquet", whole.subarray(0, whole.length / 2));
    expect(await errorOf(`${path}?columns=id`)).toMatch(
      /^cut.parquet is truncated or no Parquet file that can be read/,
    );
    const tiny = await file("tiny.parquet", "PAR1");
    expect(await errorOf(`${tiny}?columns=id`)).toMatch(/^tiny.parquet is truncated or no Parquet file/);
  });

  it("its Parquet is damaged inside", async () => {
    const damaged = parquet();
    damaged.fill(0xff, 4, 400);
    const path = await file("damaged.parquet", damaged);
    expect(await errorOf(`${path}?columns=id`)).toMatch(/^damaged.parquet is truncated or no Parquet file/);
  });
});
