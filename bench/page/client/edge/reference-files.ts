/** In place of bench/results/reference-files.ts: no browser names the device models that the references are of. */
export const references: typeof import("../../../results/reference-files.js").references = () => [];
