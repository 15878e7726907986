/** WESL: kernel files to one WGSL module, and compile errors back to file and line. */
import { type LinkedWesl, link, withLoggerAsync } from "wesl/core";
import { didYouMean } from "../../datasets/nearest.js";
import { withBanks, withoutBanks } from "../../kernels/common/each-bank.js";
import type { KernelSource } from "../../kernels/device/gpu.js";

/** Shader text by module path, for tables in one buffer and in several. WESL wants identifiers, so `double-hashing` is imported as `double_hashing`. */
const sources: Record<string, string> = {};
const banked: Record<string, string> = {};
/** The file each module path came from, for messages. */
const files: Record<string, string> = {};

/** What some kernel file declares or asks for: hosts name no others. */
const known = { constant: new Set<string>(), condition: new Set(["COUNT"]) };

/** Makes kernel texts known by their path from the package's root, such as `kernels/bucketed/find.wgsl`. */
export function addKernels(texts: Readonly<Record<string, string>>): void {
  for (const [file, written] of Object.entries(texts)) {
    const text = withBanks(written);
    sources[moduleName(file)] = withoutBanks(written);
    banked[moduleName(file)] = text;
    files[moduleName(file)] = file;
    for (const [, name = ""] of text.matchAll(/\boverride\s+(\w+)/g)) known.constant.add(name);
    for (const [, when = ""] of text.matchAll(/@(?:el)?if\(([^)\n]*)/g))
      for (const name of when.match(/\w+/g) ?? []) known.condition.add(name);
  }
}

/**
 * Throws an Error for a constant or condition that no kernel file has. A host may offer a kernel those that only other kernels of
 * its table have.
 */
export function checkOffered({ file, constants = {}, conditions = {} }: KernelSource): void {
  for (const [kind, offered] of [
    ["constant", constants],
    ["condition", conditions],
  ] as const) {
    const unknown = Object.keys(offered).find((name) => !known[kind].has(name));
    if (unknown !== undefined)
      throw new Error(`${file}: no kernel has a ${kind} ${unknown}${didYouMean(unknown, known[kind])}`);
  }
}

function moduleName(file: string): string {
  return file.replaceAll("-", "_");
}

/**
 * Links one kernel file with what it imports. `import package::kernels::common::hash::mix32;` names a file by its path.
 * Throws an Error with file and line if an import or the syntax is wrong.
 */
export async function linkKernel(source: KernelSource): Promise<LinkedWesl> {
  const rootModuleName = moduleName(source.file);
  if (!(rootModuleName in sources)) throw new Error(`${source.file}: no such kernel file`);
  try {
    const conditions = { COUNT: false, ...source.conditions };
    // wesl prints on stdout what it throws.
    const weslSrc = source.conditions?.BANKED ? banked : sources;
    return await withLoggerAsync(silent, () => link({ weslSrc, rootModuleName, conditions }));
  } catch (error) {
    throw new Error(linkMessage(error));
  }
}

const silent = () => undefined;

/** wesl's error in one line that begins with file, line and column, as far as it knows them. */
function linkMessage(error: unknown): string {
  const { message, weslLocation: at } = error as Error & { weslLocation?: { line: number; column: number } };
  const [first = ""] = (message ?? String(error)).split("\n");
  // A syntax error begins with its place; others have the file at their end, and the place beside the message.
  const [, what, file] = /^(.*) in file: (\S+)$/.exec(first) ?? [];
  const placed = what && file && at ? `${file}:${at.line}:${at.column} ${what}` : first;
  return placed.replace(/\.\/\S+\.wesl\b/g, fileOf);
}

/** One line an error: `kernels/x/y.wgsl:12:3 message`. */
export function mapErrors(
  linked: LinkedWesl,
  errors: readonly Pick<GPUCompilationMessage, "offset" | "message">[],
): string {
  return errors
    .map((error) => {
      const at = linked.sourceMap.destToSrc(error.offset);
      const before = at.src.text.slice(0, at.position).split("\n");
      const column = (before.at(-1)?.length ?? 0) + 1;
      const file = at.src.path === undefined ? "linked WGSL" : fileOf(at.src.path);
      return `${file}:${before.length}:${column} ${error.message.split("\n")[0]}`;
    })
    .join("; ");
}

/** The file of a module as wesl names it: `./kernels/double_hashing/find.wesl`, whatever the file's own ending. */
function fileOf(path: string): string {
  const name = path.replace(/^\.\//, "").replace(/\.w[eg]sl$/, "");
  return files[`${name}.wgsl`] ?? files[`${name}.wesl`] ?? path;
}
