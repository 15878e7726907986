/** Functions of a table's kernels (kernels/library/README.md) that meet in one dispatch: a kernel that calls one per lane. */
import { dispatch } from "../../../kernels/device/bind.js";
import type { Gpu } from "../../../kernels/device/gpu.js";
import type { GpuTable } from "../../../kernels/table.js";
import { addKernels } from "../../device/link.js";
import type { ExploreCase, FunctionRule } from "./cases.js";

const UPSERTS: Readonly<Record<FunctionRule, string>> = {
  first: "find_or_insert",
  add: "upsert_add",
  min: "upsert_min",
  max: "upsert_max",
};

/** Where the functions are, and what a call comes to in two words: an answer, and the value that is told beside it. */
const CALLS: Readonly<Record<string, readonly [file: string, call: string]>> = {
  find: ["locate", "vec2u(find(key), 0u)"],
  insert: ["insert", "vec2u(u32(insert(key, value)), 0u)"],
  erase: ["erase", "vec2u(u32(erase(key)), 0u)"],
  find_or_insert: ["upsert", "told_of(find_or_insert(key, value))"],
  upsert_add: ["upsert", "vec2u(upsert_add(key, value), 0u)"],
  upsert_min: ["upsert", "vec2u(upsert_min(key, value), 0u)"],
  upsert_max: ["upsert", "vec2u(upsert_max(key, value), 0u)"],
};

const GENERATED = /^(.*)\/meeting-([a-z_-]+)\.wgsl$/;

/** Makes the text of such a kernel known to the linker, if the file is one. */
export function addMeeting(file: string): void {
  const [, folder = "", names = ""] = GENERATED.exec(file) ?? [];
  if (!folder) return;
  const all = names.split("-");
  const path = folder.replaceAll("-", "_").replaceAll("/", "::");
  const imports = [...new Set(all)].map((name) => `import package::${path}::${CALLS[name]?.[0]}::${name};`);
  const cases = all.map((name, lane) => `case ${lane}u: { told[lane] = ${CALLS[name]?.[1]}; }`);
  const settled = `import package::kernels::common::upsert::Settled;
fn told_of(settled: Settled) -> vec2u { return vec2u(settled.state, settled.value); }`;
  addKernels({
    [file]: `${imports.join("\n")}
${all.includes("find_or_insert") ? settled : ""}
@group(0) @binding(100) var<storage, read> asked: array<vec2u>;
@group(0) @binding(101) var<storage, read_write> told: array<vec2u>;
@compute @workgroup_size(1) fn main(@builtin(workgroup_id) wid: vec3u) {
  let lane = wid.x;
  let key = asked[lane].x;
  let value = asked[lane].y;
  switch lane { ${cases.join(" ")} default {} }
}`,
  });
}

/** What each operation answered; and then what each was told beside it, where upserts are told values. */
export async function meet(gpu: Gpu, table: GpuTable, { operations, rule }: ExploreCase): Promise<readonly number[]> {
  const { shader } = table.storage ?? {};
  if (!shader?.folder) throw new Error("a table without functions");
  const { folder, bound, ...source } = shader;
  const names = operations.map(({ kind }) => (kind === "upsert" ? UPSERTS[rule as FunctionRule] : kind));
  const kernel = await gpu.kernel({ ...source, bound: bound(), file: `${folder}/meeting-${names.join("-")}.wgsl` });
  const words = Uint32Array.from(operations.flatMap(({ key, value }) => [key, value]));
  const [asked, told] = [await gpu.alloc("asked", words.byteLength), await gpu.alloc("told", words.byteLength)];
  gpu.write(asked, 0, words);
  await gpu.run([dispatch(kernel, operations.length, { asked, told })]);
  const got = await gpu.read(told, words.length);
  for (const buffer of [asked, told]) gpu.free(buffer);
  const of = (part: number) => operations.map((_, i) => got[2 * i + part] ?? 0);
  return rule === "first" ? [...of(0), ...of(1)] : of(0);
}
