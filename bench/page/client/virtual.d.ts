/** Modules that scripts/page.ts makes. */

declare module "hashbench:kernels" {
  /** Texts of all kernels, by their path from the package's root. */
  export const kernels: Readonly<Record<string, string>>;
}

declare module "hashbench:about" {
  /** hashbench's own version, and the commit that the page was made from; "" if unknown. */
  export const version: string;
  export const commit: string;
}
