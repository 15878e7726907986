/** A kernel file with entry points, as the build writes it: scripts/wgsl-modules.ts. */
declare module "*.wgsl.js" {
  export const kernel: import("./link.js").KernelFile;
  type Declaration = import("./link.js").Declaration;
  export const $find: Declaration;
  export const $insert: Declaration;
  export const $erase: Declaration;
  export const $find_or_insert: Declaration;
  export const $upsert_add: Declaration;
  export const $upsert_min: Declaration;
  export const $upsert_max: Declaration;
}
