import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliCompress, constants as zlib } from "node:zlib";
import { pack } from "tar-fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type DriverArchive, unpackSwiftShader } from "./software.js";

const DRIVER = ["libvk_swiftshader.so", "libvulkan.so.1", "vk_swiftshader_icd.json"];

let folder: string;
let cache: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hashbench-software-"));
  cache = join(folder, "cache");
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** An archive like the package's, owned by a stranger. */
async function archiveOf(names: readonly string[]): Promise<DriverArchive> {
  const content = join(folder, "content");
  await mkdir(content);
  for (const name of names) await writeFile(join(content, name), `content of ${name}`);
  const file = join(folder, "driver.tar.br");
  const compress = createBrotliCompress({ params: { [zlib.BROTLI_PARAM_QUALITY]: 1 } });
  const entries = pack(content, { map: (header) => ({ ...header, uid: 4321, gid: 4321 }) });
  await pipeline(entries, compress, createWriteStream(file));
  return { file, version: "1.2.3" };
}

test("unpacks the driver and the loader, but no OpenGL library", async () => {
  const driver = await unpackSwiftShader(await archiveOf([...DRIVER, "libEGL.so"]), [cache]);
  expect(driver).toEqual({
    folder: join(cache, "swiftshader-1.2.3"),
    icd: join(cache, "swiftshader-1.2.3", "vk_swiftshader_icd.json"),
  });
  expect((await readdir(driver?.folder ?? "")).sort()).toEqual([...DRIVER, "sizes.json"].sort());
  expect(await readdir(cache)).toEqual(["swiftshader-1.2.3"]);
});

test("unpacked files belong to the user, not to who made the archive", async () => {
  const driver = await unpackSwiftShader(await archiveOf(DRIVER), [cache]);
  expect((await stat(driver?.icd ?? "")).uid).toBe(process.getuid?.());
});

test("a second call leaves the unpacked files as they are", async () => {
  const archive = await archiveOf(DRIVER);
  const first = await unpackSwiftShader(archive, [cache]);
  const before = await stat(first?.icd ?? "");
  await unpackSwiftShader(archive, [cache]);
  expect((await stat(first?.icd ?? "")).ino).toBe(before.ino);
});

test("calls at the same time agree on one complete folder and leave nothing else", async () => {
  const archive = await archiveOf(DRIVER);
  const drivers = await Promise.all(Array.from({ length: 8 }, () => unpackSwiftShader(archive, [cache])));
  expect(new Set(drivers.map((driver) => driver?.folder)).size).toBe(1);
  expect(await readdir(cache)).toEqual(["swiftshader-1.2.3"]);
  expect(await readdir(drivers[0]?.folder ?? "")).toHaveLength(DRIVER.length + 1);
});

test("a truncated driver is unpacked again", async () => {
  const archive = await archiveOf(DRIVER);
  const driver = await unpackSwiftShader(archive, [cache]);
  await truncate(driver?.icd ?? "", 3);
  await unpackSwiftShader(archive, [cache]);
  expect((await stat(driver?.icd ?? "")).size).toBe("content of vk_swiftshader_icd.json".length);
  expect(await readdir(cache)).toEqual(["swiftshader-1.2.3"]);
});

test("a folder whose manifest names none of the files is unpacked again", async () => {
  const archive = await archiveOf(DRIVER);
  const driver = await unpackSwiftShader(archive, [cache]);
  await rm(driver?.icd ?? "");
  await writeFile(join(driver?.folder ?? "", "sizes.json"), "{}");
  await unpackSwiftShader(archive, [cache]);
  expect(await readdir(driver?.folder ?? "")).toHaveLength(DRIVER.length + 1);
});

test("where the first cache folder cannot be written, the second serves", async () => {
  const archive = await archiveOf(DRIVER);
  const driver = await unpackSwiftShader(archive, [join(archive.file, "not-a-folder"), cache]);
  expect(driver?.folder).toBe(join(cache, "swiftshader-1.2.3"));
});

test("an archive without the driver is an error, not an empty folder", async () => {
  const archive = await archiveOf(["libEGL.so"]);
  await expect(unpackSwiftShader(archive, [cache])).rejects.toThrow("could not be unpacked");
  expect(await readdir(cache)).toEqual([]);
});

test("without the package there is no driver", async () => {
  expect(await unpackSwiftShader(null, [cache])).toBeNull();
});
