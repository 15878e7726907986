/** CUDA libraries beside our tables, of which some are ports of theirs: `kernels/native/cuda`. */
import type { Series } from "../base/experiment.js";
import { TABLES } from "./shared.js";

interface Library {
  /** Id of the native table. */
  readonly table: string;
  readonly label: string;
  /** The settings that find fastest at load factor 0.8, of those in results/references; of WarpDrive, which these lack, WarpCore's. */
  readonly fastest: NonNullable<Series["params"]>;
}

const LIBRARIES = {
  cuco: { table: "cuco-static-map", label: "cuCollections", fastest: { probing: "double", group: 2, window: 2 } },
  bcht: { table: "bght-bcht", label: "BGHT, cuckoo", fastest: { bucket: 8 } },
  p2bht: { table: "bght-p2bht", label: "BGHT, emptier of two", fastest: { bucket: 8 } },
  warpcore: { table: "warpcore-cuda", label: "WarpCore, original", fastest: { group: 2 } },
  cudpp: { table: "cudpp-cuckoo", label: "CUDPP", fastest: { functions: 3 } },
  slabHash: { table: "slabhash-cuda", label: "SlabHash, original", fastest: { search: "bulk" } },
  dycuckoo: { table: "dycuckoo-cuda", label: "DyCuckoo, original", fastest: { blocks: 4224 } },
  warpdrive: { table: "warpdrive-cuda", label: "WarpDrive, original", fastest: { group: 2 } },
} as const satisfies Record<string, Library>;

/** Variant of the series with the fastest settings; those with the library's defaults have none. */
const FASTEST = "fastest";

type LibraryName = keyof typeof LIBRARIES;

/** Two series each: with the library's defaults, and with its fastest settings. All of them, where none is named. */
export function librarySeries(
  names: readonly LibraryName[] = Object.keys(LIBRARIES) as LibraryName[],
  more: Pick<Series, "at" | "only" | "bench"> = {},
): Series[] {
  return names.flatMap((name) => {
    const { table, label, fastest } = LIBRARIES[name];
    const series = { table, ...more, only: { loaded: true, ...more.only } } as const;
    return [
      { ...series, label },
      { ...series, label: `${label}, fastest`, variant: FASTEST, params: fastest },
    ];
  });
}

/** Of libraries' series those with the defaults. */
export function defaults(series: readonly Series[]): Series[] {
  return series.filter(({ variant }) => variant === undefined);
}

/** The ports of tables/originals with their originals. */
export const COMPARED: Readonly<Record<string, string>> = {
  warpcore: LIBRARIES.warpcore.table,
  cuckoo: LIBRARIES.cudpp.table,
  "slab-hash": LIBRARIES.slabHash.table,
  dycuckoo: LIBRARIES.dycuckoo.table,
};

/** Our ports' tables with their originals. */
export const ORIGINALS: Readonly<Record<string, string>> = { ...COMPARED, warpdrive: LIBRARIES.warpdrive.table };

/** The series that are compared with their originals, in the order of tables/load-factor. */
export const PORTS: readonly Series[] = [
  TABLES.cuckoo,
  TABLES.cuckooProgram,
  TABLES.slabHash,
  TABLES.dycuckooPairs,
  TABLES.warpcore,
];
