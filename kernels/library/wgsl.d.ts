/** A kernel file with entry points, as the build writes it: scripts/wgsl-modules.ts. */
declare module "*.wgsl.js" {
  export const kernel: import("./link.js").KernelFile;
}
