/** The bundled software driver: SwiftShader and a Vulkan loader, out of the optional package `@sparticuz/chromium`. */
import { createReadStream, existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { homedir, tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";

export interface SoftwareDriver {
  /** Holds `libvulkan.so.1` and `libvk_swiftshader.so`: what LD_LIBRARY_PATH is to name. */
  readonly folder: string;
  /** The driver's manifest: what VK_DRIVER_FILES is to name. */
  readonly icd: string;
}

/** The package as it lies in node_modules. */
export interface DriverArchive {
  readonly file: string;
  readonly version: string;
}

const PACKAGE = "@sparticuz/chromium";
const ICD = "vk_swiftshader_icd.json";
const FILES: ReadonlySet<string> = new Set([ICD, "libvk_swiftshader.so", "libvulkan.so.1"]);
/** Written last: the size of each unpacked file. A folder without it, or that disagrees with it, is unpacked again. */
const MANIFEST = "sizes.json";

/**
 * Unpacks SwiftShader once into the user's cache folder (the system's temporary folder where that is not writable).
 * Safe to call from several processes at a time. Null where the package is not installed or the platform is another.
 */
export async function unpackSwiftShader(
  archive: DriverArchive | null = findArchive(),
  caches: readonly string[] = cacheFolders(),
): Promise<SoftwareDriver | null> {
  if (!archive) return null;
  let failure: unknown;
  for (const cache of caches) {
    try {
      return await unpackInto(cache, archive);
    } catch (error) {
      failure = error;
    }
  }
  throw new Error("SwiftShader could not be unpacked", { cause: failure });
}

/** The driver's archive in node_modules, or null. The package's own entry point is not loaded. */
function findArchive(): DriverArchive | null {
  if (process.platform !== "linux" || process.arch !== "x64") return null;
  for (const folder of createRequire(import.meta.url).resolve.paths(PACKAGE) ?? []) {
    const file = join(folder, PACKAGE, "bin", "swiftshader.tar.br");
    if (!existsSync(file)) continue;
    const { version } = createRequire(import.meta.url)(join(folder, PACKAGE, "package.json")) as { version: string };
    return { file, version };
  }
  return null;
}

function cacheFolders(): string[] {
  const user = process.getuid?.() ?? 0;
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  return [join(cache, "hashbench"), join(tmpdir(), `hashbench-${user}`)];
}

async function unpackInto(cache: string, archive: DriverArchive): Promise<SoftwareDriver> {
  const folder = join(cache, `swiftshader-${archive.version}`);
  const driver = { folder, icd: join(folder, ICD) };
  await mkdir(cache, { recursive: true, mode: 0o700 });
  // A library from a folder that someone else owns, in a shared /tmp say, must not be loaded.
  const owner = (await stat(cache)).uid;
  if (process.getuid && owner !== process.getuid()) throw new Error(`${cache} belongs to another user`);
  if (await complete(folder)) return driver;

  const fresh = await mkdtemp(join(cache, "unpacking-"));
  try {
    await extract(archive.file, fresh);
    await put(fresh, folder);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  return driver;
}

/** Renames `fresh` to `folder`; a complete folder that another process put there meanwhile is as good. */
async function put(fresh: string, folder: string): Promise<void> {
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      await rename(fresh, folder);
      return;
    } catch (error) {
      if (await complete(folder)) return;
      if (!existsSync(folder)) throw error;
      const broken = await mkdtemp(join(dirname(folder), "broken-"));
      await rename(folder, join(broken, "old")).catch(() => undefined);
      await rm(broken, { recursive: true, force: true });
    }
  }
  throw new Error(`${folder} is in the way`);
}

async function complete(folder: string): Promise<boolean> {
  try {
    const sizes = JSON.parse(await readFile(join(folder, MANIFEST), "utf8")) as Record<string, number>;
    const same = Object.entries(sizes).map(async ([name, size]) => (await stat(join(folder, name))).size === size);
    return same.length === FILES.size && (await Promise.all(same)).every(Boolean);
  } catch {
    return false;
  }
}

async function extract(file: string, folder: string): Promise<void> {
  const tar = await import("tar-fs");
  // The archive also holds OpenGL libraries, which must not end up in LD_LIBRARY_PATH.
  const ignore = (name: string): boolean => !FILES.has(basename(name));
  // Not the archive's owner when we are root; the package's types do not know the option.
  const options = { ignore, chown: false };
  await pipeline(createReadStream(file), createBrotliDecompress(), tar.extract(folder, options));
  const sizes: Record<string, number> = {};
  for (const name of await readdir(folder)) sizes[name] = (await stat(join(folder, name))).size;
  const missing = [...FILES].filter((name) => !(name in sizes));
  if (missing.length > 0) throw new Error(`${file} has no ${missing.join(", ")}`);
  await writeFile(join(folder, MANIFEST), JSON.stringify(sizes));
}
