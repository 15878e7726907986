/**
 * The tables' functions as bundles of WESL modules, in the format that wesl-packager writes and WESL's linker reads: kernel files, and one of the
 * functions that programs import. `device` of a table has the conditions and constants under which they are linked (kernels/library/shader.ts).
 */
import { withBanks } from "../kernels/common/each-bank.js";

interface WeslBundle {
  readonly name: string;
  readonly edition: string;
  /** By their paths, as `kernels/quotient/find.wesl`. */
  readonly modules: Readonly<Record<string, string>>;
}

/** Programs have no counting variants. */
const COUNTING = /^ *@if\(COUNT\) .*\n/gm;
const COMMENT = /^ *\/\/.*\n/gm;

const UPSERT = "package::kernels::common::upsert";
const READING = `
@if(ONLY_FIND) fn find(key: u32) -> u32 { return TABLE::find::find(key); }
const EMPTY = package::kernels::common::keys::EMPTY;
const DELETED = package::kernels::common::keys::DELETED;
`;
const CHANGING = `
@if(!ONLY_FIND) fn find(key: u32) -> u32 { return TABLE::locate::find(key); }
fn insert(key: u32, value: u32) -> bool { return TABLE::insert::insert(key, value); }
fn erase(key: u32) -> bool { return TABLE::erase::erase(key); }
fn find_or_insert(key: u32, value: u32) -> ${UPSERT}::Settled { return TABLE::upsert::find_or_insert(key, value); }
fn upsert_add(key: u32, value: u32) -> u32 { return TABLE::upsert::upsert_add(key, value); }
fn upsert_min(key: u32, value: u32) -> u32 { return TABLE::upsert::upsert_min(key, value); }
fn upsert_max(key: u32, value: u32) -> u32 { return TABLE::upsert::upsert_max(key, value); }
const REFUSED = ${UPSERT}::REFUSED;
const NEW = ${UPSERT}::NEW;
const FOUND = ${UPSERT}::FOUND;
`;
/** A variable of a kernel, with its condition. */
const VARIABLE = /(?:@if\(([^;{\n]*?)\) )?@group\(0\)([^;]*;)/g;
/** Of bindings: a device has four, unless it is asked for more. */
const GROUPS = [0, 1, 2, 3];
const WHOLE = READING + CHANGING;
const FUNCTIONS = { quotient: WHOLE, bucketed: WHOLE, double_hashing: WHOLE, cuckoo: READING };

/** With the variables in the group that the conditions choose. WESL's linker knows no names within `@group(…)`. */
const inGroups = (text: string) =>
  text.replace(VARIABLE, (_, when: string | undefined, variable: string) =>
    GROUPS.map((group) => `@if(GROUP_${group}${when ? ` && (${when})` : ""}) @group(${group})${variable}`).join(" "),
  );

/** By the table's name in WESL. @param texts of kernel files, by their paths */
export function weslBundles(texts: ReadonlyMap<string, string>): ReadonlyMap<string, WeslBundle> {
  const kernels = new Map(
    [...texts].map(([file, text]) => [
      file.replaceAll("-", "_").replace(/wgsl$/, "wesl"),
      inGroups(withBanks(text.replace(COMMENT, "").replace(COUNTING, ""))),
    ]),
  );
  return new Map(
    Object.entries(FUNCTIONS).map(([table, functions]) => {
      const root = functions.replaceAll("TABLE", `package::kernels::${table}`);
      const modules = new Map([[`wesl/${table}.wesl`, root]]);
      // Modules that are added while the map is read are read, too.
      for (const text of modules.values())
        for (const [, folder, name] of text.matchAll(/package::kernels::(\w+)::(\w+)::/g)) {
          const file = `kernels/${folder}/${name}.wesl`;
          modules.set(file, kernels.get(file) ?? "");
        }
      return [table, { name: "webgpu_hash_table", edition: "2026_pre", modules: Object.fromEntries(modules) }];
    }),
  );
}
