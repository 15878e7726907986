/** CUDA libraries beside our tables, of which some are ports of theirs: `kernels/native/cuda`. */
import type { Series } from "../base/experiment.js";
import { TABLES } from "./shared.js";

interface Library {
  /** Id of the native table. */
  readonly table: string;
  readonly label: string;
  /** The settings that find fastest at load factor 0.8, of those in results/references. */
  readonly fastest: NonNullable<Series["params"]>;
  /** Our series of the same design. */
  readonly ports?: readonly Series[];
}

const LIBRARIES = {
  cuco: {
    table: "cuco-static-map",
    label: "cuCollections",
    fastest: { probing: "double", group: 2, window: 2 },
  },
  bcht: { table: "bght-bcht", label: "BGHT, cuckoo", fastest: { bucket: 8 } },
  p2bht: { table: "bght-p2bht", label: "BGHT, emptier of two", fastest: { bucket: 8 } },
  warpcore: { table: "warpcore-cuda", label: "WarpCore, original", fastest: { group: 2 }, ports: [TABLES.warpcore] },
  cudpp: {
    table: "cudpp-cuckoo",
    label: "CUDPP",
    fastest: { functions: 3 },
    ports: [TABLES.cuckoo, TABLES.cuckooProgram],
  },
  slabHash: {
    table: "slabhash-cuda",
    label: "SlabHash, original",
    fastest: { search: "bulk" },
    ports: [TABLES.slabHash],
  },
  dycuckoo: {
    table: "dycuckoo-cuda",
    label: "DyCuckoo, original",
    fastest: { blocks: 4224 },
    ports: [TABLES.dycuckooPairs],
  },
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

const ported = Object.values<Library>(LIBRARIES).flatMap(({ ports = [], table }) =>
  ports.map((port) => ({ port, table })),
);

/** Our ports' tables with their originals. */
export const ORIGINALS: Readonly<Record<string, string>> = Object.fromEntries(
  ported.map(({ port, table }) => [port.table, table]),
);

/** Whether the series is the one that is compared with its original. */
export function isPort({ table, variant }: Series): boolean {
  return ported.some(({ port }) => port.table === table && port.variant === variant);
}
