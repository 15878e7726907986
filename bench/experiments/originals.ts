/** CUDA libraries beside our tables, of which some are ports of theirs: `kernels/native/cuda`. */
import type { Series } from "../experiment.js";

interface Library {
  /** Id of the native table. */
  readonly table: string;
  readonly label: string;
  /** The settings that find fastest at load factor 0.8, of those in results/references. */
  readonly fastest: NonNullable<Series["params"]>;
  /** Our table of the same design. */
  readonly port?: string;
}

const LIBRARIES = {
  cuco: {
    table: "cuco-static-map",
    label: "cuCollections",
    fastest: { probing: "double", group: 2, window: 2 },
  },
  bcht: { table: "bght-bcht", label: "BGHT, cuckoo", fastest: { bucket: 8 } },
  p2bht: { table: "bght-p2bht", label: "BGHT, emptier of two", fastest: { bucket: 8 } },
  warpcore: { table: "warpcore-cuda", label: "WarpCore, original", fastest: { group: 2 }, port: "warpcore" },
  cudpp: { table: "cudpp-cuckoo", label: "CUDPP", fastest: { functions: 3 }, port: "cuckoo" },
  slabHash: { table: "slabhash-cuda", label: "SlabHash, original", fastest: { search: "bulk" }, port: "slab-hash" },
  dycuckoo: { table: "dycuckoo-cuda", label: "DyCuckoo, original", fastest: { blocks: 4224 }, port: "dycuckoo" },
} as const satisfies Record<string, Library>;

/** Variant of the series with the fastest settings; those with the library's defaults have none. */
const FASTEST = "fastest";

type LibraryName = keyof typeof LIBRARIES;

/** Two series each: with the library's defaults, and with its fastest settings. All of them, where none is named. */
export function librarySeries(
  names: readonly LibraryName[] = Object.keys(LIBRARIES) as LibraryName[],
  more: Partial<Series> = {},
): Series[] {
  return names.flatMap((name) => {
    const { table, label, fastest } = LIBRARIES[name];
    const series = { table, native: true, ...more } as const;
    return [
      { ...series, label },
      { ...series, label: `${label}, fastest`, variant: FASTEST, params: { ...more.params, ...fastest } },
    ];
  });
}

/** Our ports' ids with those of their originals. */
export const ORIGINALS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values<Library>(LIBRARIES).flatMap(({ port, table }) => (port ? [[port, table]] : [])),
);
